import Evdev
import Signals
import Wire

/// Sends subscribers the touches on our own touchscreens, in at most one message for each packet of the kernel. Moves are combined to 250
/// messages a second. A subscriber that does not read loses moves, but the messages that a finger came or went are stored until it reads.
/// Thread: the event loop.
struct TouchStream {
    /// The shortest time between two messages of a screen that contain only moves, in nanoseconds.
    static let moveInterval: Int64 = 4_000_000
    /// The number of messages that are stored for a subscriber that does not read. Such a subscriber is disconnected after 10 s; ten
    /// fingers that tap as fast as they can cause fewer messages in that time.
    static let mostKept = 4_096

    private struct Screen {
        /// The moment of the last message; CLOCK_MONOTONIC in nanoseconds.
        var moment = Int64.min / 2
        /// The moves that have not been sent yet, in the order of their fingers.
        var moves: [Touch] = []
        /// When the last of these moves happened; CLOCK_MONOTONIC in nanoseconds.
        var movedAt = Int64.min / 2
    }

    private var screens: [Int: Screen] = [:]
    private var kept: [Int: [TouchesReport]] = [:]

    /// Takes a report. Returns the message to send now; nil where it can wait for later moves.
    mutating func take(_ report: TouchReport) -> TouchesReport? {
        var screen = screens[report.screen] ?? Screen()
        var contacts: [Touch] = []
        for touch in report.touches {
            let index = screen.moves.firstIndex { $0.finger == touch.finger }
            if touch.phase == .moved {
                if let index { screen.moves[index] = touch } else { screen.moves.append(touch) }
            } else {
                // The end of a touch contains its position, and a new touch is another finger, so an unsent move is obsolete.
                if let index { screen.moves.remove(at: index) }
                contacts.append(touch)
            }
        }
        guard !contacts.isEmpty || report.moment - screen.moment >= Self.moveInterval else {
            screen.movedAt = report.moment
            screens[report.screen] = screen
            return nil
        }
        contacts = screen.moves + contacts
        screens[report.screen] = report.isLast ? nil : Screen(moment: report.moment)
        return contacts.isEmpty ? nil : TouchesReport(client: .screen(report.screen), moment: report.moment, contacts: contacts)
    }

    /// Returns messages with the moves that have waited for later ones, each with its own moment.
    mutating func takeWaiting() -> [TouchesReport] {
        let waiting = screens.filter { !$0.value.moves.isEmpty }.sorted { $0.key < $1.key }
        for (number, screen) in waiting { screens[number] = Screen(moment: screen.movedAt) }
        return waiting.map { TouchesReport(client: .screen($0), moment: $1.movedAt, contacts: $1.moves) }
    }

    /// Sends all subscribers the messages that are stored for them, and then `report`, if it is not nil.
    mutating func tell(_ report: TouchesReport?, to subscribers: inout Subscribers) {
        let clients = subscribers.clients(of: .touches)
        guard !clients.isEmpty else { return kept = [:] }
        let notification = report.map { Notification(.touches, $0) }
        for client in clients {
            tellKept(client, &subscribers)
            guard let report, let notification else { continue }
            if kept[client] == nil, subscribers.offer(notification, to: client) { continue }
            guard report.contacts.contains(where: { $0.phase != .moved }) else { continue }
            kept[client, default: []].append(report)
            if kept[client, default: []].count > Self.mostKept { giveUp(client, &subscribers) }
        }
    }

    mutating func forget(_ client: Int) { kept[client] = nil }

    private mutating func tellKept(_ client: Int, _ subscribers: inout Subscribers) {
        guard let reports = kept[client] else { return }
        let left = reports.drop { subscribers.offer(Notification(.touches, $0), to: client) }
        kept[client] = left.isEmpty ? nil : Array(left)
    }

    /// Drops the messages that are stored for a client which has not read for too long. They count as missed, and the client gets their
    /// number when it reads.
    private mutating func giveUp(_ client: Int, _ subscribers: inout Subscribers) {
        for report in kept.removeValue(forKey: client) ?? [] { subscribers.tell(client, .touches, report) }
    }
}

import Evdev
import Gestures
import Signals

/// Turns touches into events: each finger that comes or goes, at most 60 moves a second, and gestures. Touches on our own touchscreens, and
/// touches that pages report, lead to the same events.
struct TouchIntake {
    /// The shortest time between two moves of a finger that become events, in nanoseconds: 60 a second, the frame rate of a screen.
    private static let moveInterval: Int64 = 16_000_000

    /// The largest number of fingers, of all clients, whose last moves are remembered. All moves of further fingers become events, and are
    /// refused later.
    private static let mostFingers = 1_024

    private var recognizers: [Client: GestureRecognizer] = [:]
    private var lastMoves: [Finger: Int64] = [:]

    private struct Finger: Hashable {
        var client: Client
        var finger: Int
    }

    /// Returns the events for a touchscreen's report, in the order in which they happened.
    mutating func kinds(_ report: TouchReport, withGestures: Bool) -> [EventKind] {
        report.touches.flatMap { kinds($0, of: .screen(report.screen), at: report.moment, withGestures: withGestures && !report.isLast) }
    }

    /// Returns the events for one touch. A move that follows another too soon gives no event, and is not counted as lost, because the next
    /// move has the finger's position. Lost touches are counted before this function (`TouchScreen.drops`) and after it (`TouchDesk.take`).
    mutating func kinds(_ touch: Touch, of client: Client, at moment: Int64, withGestures: Bool = true) -> [EventKind] {
        var kinds: [EventKind] = []
        if isWorthTelling(touch, of: client, at: moment) { kinds.append(.touch(touch)) }
        let gesture = recognizers[client, default: GestureRecognizer()].take(touch, at: moment)
        if withGestures, let gesture { kinds.append(gesture) }
        // A client that comes back is a new client, so an idle recognizer is not needed any more.
        if recognizers[client]?.isIdle == true { recognizers[client] = nil }
        return kinds
    }

    /// Keeps the finger `finger` of a client from becoming part of a gesture, until it is up.
    mutating func claim(_ finger: Int, of client: Client) { recognizers[client]?.forget(finger) }

    /// Forgets a client that has disconnected, and its fingers.
    mutating func forget(_ client: Client) {
        recognizers[client] = nil
        lastMoves = lastMoves.filter { $0.key.client != client }
    }

    private mutating func isWorthTelling(_ touch: Touch, of client: Client, at moment: Int64) -> Bool {
        let finger = Finger(client: client, finger: touch.finger)
        let last = lastMoves[finger]
        switch touch.phase {
        case .ended: lastMoves[finger] = nil
        case .began where last == nil && lastMoves.count >= Self.mostFingers: break
        case .began: lastMoves[finger] = moment
        case .moved:
            // A finger whose beginning was not recorded is not recorded by a move.
            guard let last else { return true }
            guard moment - last >= Self.moveInterval else { return false }
            lastMoves[finger] = moment
        }
        return true
    }
}

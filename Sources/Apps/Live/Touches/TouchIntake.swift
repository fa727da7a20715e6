import Evdev
import Gestures
import Signals

/// Turns touches into events: each finger down and up, at most 60 moves a second, and gestures. Our own touchscreens, and pages that report
/// what happens on them, lead to the same events.
struct TouchIntake {
    /// The time from one move of a finger to the next that is told, in nanoseconds: 60 a second, as a screen shows them.
    private static let moveInterval: Int64 = 16_000_000

    /// How many fingers are remembered at once, of all clients. All moves of others are told, and then refused.
    private static let mostFingers = 1_024

    private var recognizers: [Client: GestureRecognizer] = [:]
    private var lastMoves: [Finger: Int64] = [:]

    private struct Finger: Hashable {
        var client: Client
        var finger: Int
    }

    /// Returns the events that a touchscreen's report leads to, in the order in which they happened.
    mutating func kinds(_ report: TouchReport, withGestures: Bool) -> [EventKind] {
        report.touches.flatMap { kinds($0, of: .screen(report.screen), at: report.moment, withGestures: withGestures && !report.isLast) }
    }

    /// Returns the events that one touch leads to: none for a move that comes soon after another. Such a move is not counted: the next one
    /// says where the finger is. Touches are lost, and counted, before this (`TouchScreen.drops`) and after it (`TouchDesk.take`).
    mutating func kinds(_ touch: Touch, of client: Client, at moment: Int64, withGestures: Bool = true) -> [EventKind] {
        var kinds: [EventKind] = []
        if isWorthTelling(touch, of: client, at: moment) { kinds.append(.touch(touch)) }
        let gesture = recognizers[client, default: GestureRecognizer()].take(touch, at: moment)
        if withGestures, let gesture { kinds.append(gesture) }
        // A client that comes back is another one.
        if recognizers[client]?.isIdle == true { recognizers[client] = nil }
        return kinds
    }

    /// Has no gesture come of a finger.
    mutating func claim(_ finger: Int, of client: Client) { recognizers[client]?.forget(finger) }

    /// Forgets a client that is gone, and its fingers.
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
            // A finger that has not begun, or was not remembered, is not remembered now.
            guard let last else { return true }
            guard moment - last >= Self.moveInterval else { return false }
            lastMoves[finger] = moment
        }
        return true
    }
}

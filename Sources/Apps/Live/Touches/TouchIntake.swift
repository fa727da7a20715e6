import Evdev
import Gestures
import Signals

/// Turns touches into events: each finger down and up, at most 60 moves a second, and gestures. The same for our own touchscreens and for
/// pages that report what happens on them, so that both lead to the same.
struct TouchIntake {
    /// From one move of a finger to the next that is told: 60 a second, as a screen shows them.
    private static let moveInterval: Int64 = 16_000_000

    /// Fingers that are remembered at once, of all clients. Of others all moves are told, and then refused.
    private static let mostFingers = 1_024

    private var recognizers: [Client: GestureRecognizer] = [:]
    private var lastMoves: [Finger: Int64] = [:]

    private struct Finger: Hashable {
        var client: Client
        var finger: Int
    }

    /// In the order in which they happened.
    mutating func kinds(_ report: TouchReport, withGestures: Bool) -> [EventKind] {
        report.touches.flatMap { kinds($0, of: .screen(report.screen), at: report.moment, withGestures: withGestures && !report.isLast) }
    }

    /// Of one touch: none for a move that comes soon after another.
    mutating func kinds(_ touch: Touch, of client: Client, at moment: Int64, withGestures: Bool = true) -> [EventKind] {
        var kinds: [EventKind] = []
        if isWorthTelling(touch, of: client, at: moment) { kinds.append(.touch(touch)) }
        let gesture = recognizers[client, default: GestureRecognizer()].take(touch, at: moment)
        if withGestures, let gesture { kinds.append(gesture) }
        // Who comes back is another client.
        if recognizers[client]?.isIdle == true { recognizers[client] = nil }
        return kinds
    }

    /// No gesture comes of this finger.
    mutating func claim(_ finger: Int, of client: Client) { recognizers[client]?.forget(finger) }

    /// It is gone, and its fingers with it.
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
            // One that has not begun, or was not remembered, is nothing to remember now.
            guard let last else { return true }
            guard moment - last >= Self.moveInterval else { return false }
            lastMoves[finger] = moment
        }
        return true
    }
}

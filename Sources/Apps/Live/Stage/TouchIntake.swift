import Evdev
import Gestures
import Signals

/// Turns the reports of our own touchscreens into events: each finger down and up, at most 60 moves a second, and gestures.
struct TouchIntake {
    /// From one move of a finger to the next that is told: 60 a second, as a screen shows them.
    private static let moveInterval: Int64 = 16_000_000

    private var recognizers: [Int: GestureRecognizer] = [:]
    private var lastMoves: [Finger: Int64] = [:]

    private struct Finger: Hashable {
        var screen: Int
        var finger: Int
    }

    /// In the order in which they happened.
    mutating func kinds(_ report: TouchReport, withGestures: Bool) -> [EventKind] {
        var kinds: [EventKind] = []
        for touch in report.touches {
            if isWorthTelling(touch, report) { kinds.append(.touch(touch)) }
            let gesture = recognizers[report.screen, default: GestureRecognizer()].take(touch, at: report.moment)
            if withGestures, !report.isLast, let gesture { kinds.append(gesture) }
        }
        // A screen that comes back is a new one.
        if recognizers[report.screen]?.isIdle == true { recognizers[report.screen] = nil }
        return kinds
    }

    private mutating func isWorthTelling(_ touch: Touch, _ report: TouchReport) -> Bool {
        let finger = Finger(screen: report.screen, finger: touch.finger)
        guard touch.phase == .moved else {
            lastMoves[finger] = touch.phase == .began ? report.moment : nil
            return true
        }
        guard report.moment - (lastMoves[finger] ?? .min / 2) >= Self.moveInterval else { return false }
        lastMoves[finger] = report.moment
        return true
    }
}

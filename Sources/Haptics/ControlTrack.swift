import Signals
import Units

/// One parameter's controls of a pattern, as straight pieces from one change to the next.
struct ControlTrack {
    private struct Piece {
        var start: Double
        var value: Double
        /// Per second.
        var slope: Double
    }

    private var pieces: [Piece]

    init(_ pattern: HapticPattern, _ parameter: HapticControl.Parameter) {
        let changes = pattern.controls.filter { $0.parameter == parameter }.flatMap { control in
            switch control.shape {
            case .jump: [control.time.rawValue]
            case .curve(let points): points.map { control.time.rawValue + $0.time.rawValue }
            }
        }
        let starts = Set(changes + [0]).sorted()
        pieces = starts.indices.map { index in
            let start = starts[index]
            let value = pattern.control(parameter, at: Seconds(start))
            guard index + 1 < starts.count else { return Piece(start: start, value: value, slope: 0) }
            // At the end the next piece has taken over; half-way there this one still counts.
            let half = (starts[index + 1] - start) / 2
            guard half > 1e-9 else { return Piece(start: start, value: value, slope: 0) }
            return Piece(start: start, value: value, slope: (pattern.control(parameter, at: Seconds(start + half)) - value) / half)
        }
    }

    /// From `time` on, in seconds from the pattern's start.
    func cursor(at time: Double) -> Cursor {
        Cursor(track: self, index: max(0, (pieces.firstIndex { $0.start > time } ?? pieces.count) - 1))
    }

    /// Reads a track forward.
    struct Cursor {
        fileprivate let track: ControlTrack
        fileprivate var index: Int

        /// When a straight piece begins, in seconds from the pattern's start.
        var changes: [Double] { track.pieces.map(\.start) }

        /// `time` no earlier than last time.
        mutating func value(at time: Double) -> Double {
            while index + 1 < track.pieces.count, track.pieces[index + 1].start <= time { index += 1 }
            let piece = track.pieces[index]
            return piece.value + (time - piece.start) * piece.slope
        }
    }
}

import Synth
import Units

/// A stretch of frames to be written: rendered by `Player.render`, and placed `offset` frames after the end of what was written last.
struct Stretch {
    var offset: Int64
    var count: Int64
}

/// The parts in which a change is written, so that what is due first need not wait until the rest is rendered. Each part is four times as
/// long as the one before, as its sound is due later.
struct ChangeParts: Sequence, IteratorProtocol {
    /// The number of frames that were not written yet.
    private(set) var left: Int64
    private var length: Int64

    /// Divides `count` frames into parts, the first of which has `first` frames.
    init(of count: Int64, first: Int64) {
        left = count
        length = first
    }

    mutating func next() -> Int64? {
        guard left > 0 else { return nil }
        let count = Swift.min(left, length)
        left -= count
        length *= 4
        return count
    }
}

/// Limits how often changes are written. Each change makes the server process the whole queue again, so a flood of events is combined into
/// few changes.
struct RewriteLimit {
    /// The period, in nanoseconds, in which at most 16 changes are written.
    static let period: Int64 = 50_000_000

    private var moments = InlineArray<16, Int64>(repeating: -period)
    private var oldest = 0
    /// Whether a change was held back.
    private(set) var isHolding = false

    mutating func allows(_ now: Int64) -> Bool {
        isHolding = now - moments[oldest] < Self.period
        return !isHolding
    }

    mutating func count(_ now: Int64) {
        moments[oldest] = now
        oldest = (oldest + 1) % moments.count
    }
}

/// A fade without a click, with which sound returns after silence, or ends when the server stands still.
enum Fade {
    case none
    case `in`(from: Frame)
    case out(from: Frame)

    /// Applies the fade to the samples in `span`, the first of which belongs to frame `start`. The fade begins at the frame that its case
    /// contains and takes `length` frames, along x²(3 − 2x), whose slope is zero at both ends.
    func apply(to span: inout MutableSpan<Float>, from start: Frame, length: Int64, channels: Int) {
        let (origin, isIn) = switch self {
        case .none: (Frame.zero, true)
        case .in(let frame): (frame, true)
        case .out(let frame): (frame, false)
        }
        if case .none = self { return }
        for index in 0..<span.count {
            let distance = (start - origin).rawValue + Int64(index / channels)
            guard distance < length else { return }
            let x = Float(max(0, distance)) / Float(length)
            let gain = x * x * (3 - 2 * x)
            span[index] *= isIn ? gain : 1 - gain
        }
    }
}

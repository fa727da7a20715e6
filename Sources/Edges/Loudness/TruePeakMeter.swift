import Glibc
import Units

/// The largest magnitude of sound between its samples, as libebur128 finds it (ITU-R BS.1770-4, annex 2), to the last bit. What is too
/// quiet to have a larger one than was found before is not interpolated.
///
/// Thread: any; a plain value.
struct TruePeakMeter {
    /// How one of the interpolated samples between two frames follows from frames: from each so many before with its coefficient.
    private struct Branch {
        var coefficients: [(value: Double, before: Int)] = []
    }

    private static let taps = 49
    /// Frames that are interpolated together, or not.
    private static let share = 64
    /// What is less in libebur128 is no coefficient.
    private static let least = 0.000_001

    private let branches: [Branch]
    /// Frames before a frame that its interpolation needs.
    private let reach: Int
    /// No interpolated sample is larger than the largest of the samples by more than this.
    private let gain: Float
    /// Of each channel, `reach` frames and then a share.
    private var windows: [[Float]]
    private(set) var peak: Float = 0
    /// Of all channels.
    private(set) var interpolatedFrames = 0

    init(rate: SampleRate, channels: Int) {
        let factor = rate.hertz < 96_000 ? 4 : rate.hertz < 192_000 ? 2 : 1
        var branches = [Branch](repeating: Branch(), count: factor)
        // Above, its samples are the peaks.
        for tap in 0..<(factor > 1 ? Self.taps : 0) {
            let place = Double(tap) - Double(Self.taps - 1) / 2
            var value = 1.0
            if place.magnitude > Self.least { value = sin(place * .pi / Double(factor)) / (place * .pi / Double(factor)) }
            value *= 0.5 * (1 - cos(2 * .pi * Double(tap) / Double(Self.taps - 1)))
            guard value.magnitude > Self.least else { continue }
            branches[tap % factor].coefficients.append((value, tap / factor))
        }
        self.branches = factor > 1 ? branches : []
        reach = factor > 1 ? (Self.taps - 1) / factor : 0
        let sums = branches.map { $0.coefficients.reduce(0) { $0 + $1.value.magnitude } }
        // More than what rounding may add.
        gain = Float(max(1, sums.max() ?? 1) * 1.001)
        windows = Array(repeating: [Float](repeating: 0, count: reach + Self.share), count: channels)
    }

    /// The next frames, interleaved.
    mutating func add(_ samples: Span<Float>) {
        let channels = windows.count
        let frames = samples.count / channels
        for start in stride(from: 0, to: frames, by: Self.share) {
            let count = min(Self.share, frames - start)
            for channel in windows.indices {
                windows[channel].withUnsafeMutableBufferPointer { [reach] window in
                    for frame in 0..<count { window[reach + frame] = samples[(start + frame) * channels + channel] }
                }
                look(channel, count)
                // The last frames are those before the next share.
                windows[channel].withUnsafeMutableBufferPointer { [reach] window in
                    for frame in 0..<reach { window[frame] = window[frame + count] }
                }
            }
        }
    }

    private mutating func look(_ channel: Int, _ count: Int) {
        let reach = reach
        var largest: Float = 0
        windows[channel].withUnsafeBufferPointer { window in
            for place in 0..<(reach + count) { largest = max(largest, window[place].magnitude) }
        }
        guard largest * gain > peak else { return }
        interpolatedFrames += count
        var found = peak
        windows[channel].withUnsafeBufferPointer { window in
            for place in reach..<(reach + count) where window[place].magnitude > found { found = window[place].magnitude }
            withUnsafeTemporaryAllocation(of: Double.self, capacity: count) { sums in
                for branch in branches {
                    sums.initialize(repeating: 0)
                    // In libebur128's order, several frames at a time.
                    for (value, before) in branch.coefficients {
                        for frame in 0..<count { sums[frame] += Double(window[reach + frame - before]) * value }
                    }
                    for frame in 0..<count {
                        let magnitude = Float(sums[frame]).magnitude
                        if magnitude > found { found = magnitude }
                    }
                }
            }
        }
        peak = found
    }
}

import Glibc
import Units

/// Sound by bands of a third of an octave, from 25 Hz to 20 kHz (IEC 61260-1, base ten), gathered front to back.
struct ThirdOctaves {
    /// The bands' nominal middles, in Hz (IEC 61260-1, annex E).
    static let middles = [
        25.0, 31.5, 40, 50, 63, 80, 100, 125, 160, 200, 250, 315, 400, 500, 630, 800, 1_000, 1_250, 1_600, 2_000, 2_500, 3_150, 4_000,
        5_000, 6_300, 8_000, 10_000, 12_500, 16_000, 20_000,
    ]

    private let rate: SampleRate
    private var transform: FourierTransform
    /// What has not been transformed yet. It begins with half a window of silence, so that the first samples count as the others.
    private var pending: [Float]
    /// Samples at its end that are silence: of windows of nothing else there is nothing to transform.
    private var quiet: Int
    /// Sums of mean squares over all windows, by bins.
    private var sums: [Double]
    private var frames: Int64 = 0

    init(rate: SampleRate) {
        self.rate = rate
        // A third of a second as a rule, which tells the lowest bands apart.
        transform = FourierTransform(size: rate.hertz > 96_000 ? 65_536 : rate.hertz > 24_000 ? 16_384 : 4_096)
        pending = [Float](repeating: 0, count: transform.size / 2)
        quiet = transform.size / 2
        sums = [Double](repeating: 0, count: transform.size / 2 + 1)
    }

    mutating func add(_ samples: [Float]) {
        pending += samples
        quiet = samples.span.isSilent ? quiet + samples.count : 0
        frames += Int64(samples.count)
        transformPending()
    }

    /// Mean squares by the band's nominal middle, in Hz, from low to high; those above half of the rate are left out.
    func bands() -> [(middle: Double, meanSquare: Double)] {
        var whole = self
        whole.pending += [Float](repeating: 0, count: transform.size)
        whole.quiet += transform.size
        whole.transformPending()
        // Windows overlap by half: each frame is in two.
        let share = frames > 0 ? Double(transform.size / 2) / Double(frames) : 0
        let width = Double(rate.hertz) / Double(transform.size)
        return Self.middles.enumerated().compactMap { place, nominal in
            // 25 Hz is 10^1.4.
            let middle = pow(10, Double(14 + place) / 10)
            let (low, high) = (middle * pow(10, -0.05), middle * pow(10, 0.05))
            guard high <= Double(rate.hertz) / 2 else { return nil }
            var sum = 0.0
            // Each bin is half a bin wide to both sides.
            for bin in Int(low / width)...Int(high / width + 1) where bin < whole.sums.count {
                let part = min(high, (Double(bin) + 0.5) * width) - max(low, (Double(bin) - 0.5) * width)
                sum += whole.sums[bin] * min(1, max(0, part / width))
            }
            return (nominal, sum * share)
        }
    }

    private mutating func transformPending() {
        var start = 0
        while pending.count - start >= transform.size {
            defer { start += transform.size / 2 }
            guard quiet < pending.count - start else { continue }
            for (bin, meanSquare) in transform.meanSquares(of: pending[start..<(start + transform.size)]).enumerated() {
                sums[bin] += meanSquare
            }
        }
        pending.removeFirst(start)
    }
}

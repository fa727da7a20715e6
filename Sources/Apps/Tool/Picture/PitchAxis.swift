import Glibc
import Offline

/// A logarithmic axis of pitches, from one round number to another, that has room for all it is to show.
struct PitchAxis: Equatable {
    /// Round numbers, 1, 2 and 5 times a power of ten, in Hz, ascending: at least three.
    let ticks: [Double]

    /// What hearing and synth have: 20 Hz to 20 kHz.
    private static let round = [20.0, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000]
    /// Where there is nothing to show, in Hz: the tone's usual range.
    private static let usual = [240.0, 5_000]

    /// For these pitches, in Hz, within 20…20,000.
    init(_ pitches: [Double]) {
        let shown = pitches.isEmpty ? Self.usual : pitches
        var first = Self.round.lastIndex { $0 <= (shown.min() ?? 0) } ?? 0
        var last = Self.round.firstIndex { $0 >= (shown.max() ?? 0) } ?? Self.round.count - 1
        // One pitch alone is in the middle, where there are pitches on both sides of it.
        while last - first < 2 {
            if first > 0 { first -= 1 }
            if last - first < 2, last < Self.round.count - 1 { last += 1 }
        }
        ticks = Array(Self.round[first...last])
    }

    /// For the tones of all these sessions.
    init(of outlines: [SessionOutline]) { self.init(outlines.flatMap { $0.columns.compactMap { $0.pitch?.rawValue } }) }

    /// 0 at the lower end, 1 at the upper.
    func part(of hertz: Double) -> Double {
        log2(hertz / ticks[0]) / log2(ticks[ticks.count - 1] / ticks[0])
    }
}

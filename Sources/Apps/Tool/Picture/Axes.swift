import Glibc
import Offline
import Units

/// The horizontal axis of time, in seconds since a session's start.
struct TimeAxis {
    let start: Double
    /// The length of time that the axis shows, in seconds; more than 0.
    let duration: Double
    let left: Double
    let width: Double

    /// The possible distances between labels, in seconds.
    private static let steps = [
        0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200, 86_400,
    ]
    /// The largest number of labels that fit on the axis.
    private static let mostLabels = 13.0

    func x(_ second: Double) -> Double { left + min(1, max(0, (second - start) / duration)) * width }

    /// The labelled times, which are round numbers of seconds. Labels are `0:10`; they have tenths where they are closer together, and are
    /// h:mm from an hour on.
    var ticks: [(second: Double, label: String)] {
        let step = Self.steps.first { duration / $0 <= Self.mostLabels } ?? 172_800
        let first = Int((start / step).rounded(.up))
        let last = Int(((start + duration) / step).rounded(.down))
        guard first <= last else { return [] }
        let hours = step >= 60 && start + duration >= 3_600
        return (first...last).map { index in
            let second = Double(index) * step
            let minutes = Int(second) / 60
            guard hours else { return (second, Seconds(second).clock(step < 1 ? 1 : 0)) }
            return (second, "\(minutes / 60):" + (minutes % 60 < 10 ? "0" : "") + "\(minutes % 60)")
        }
    }

    /// The format of the axis's labels, as people write it: `m:ss`, `h:mm` or `h:mm:ss`.
    var unit: String {
        let labels = ticks
        guard labels.count > 1, start + duration >= 3_600, labels[1].second - labels[0].second >= 60 else {
            return start + duration >= 3_600 ? "h:mm:ss" : "m:ss"
        }
        return "h:mm"
    }
}

/// A logarithmic axis of pitches. It begins and ends at a round number, and spans all pitches that are shown.
struct PitchAxis: Equatable {
    /// The ticks, in Hz and ascending: 1, 2 and 5 times a power of ten, at least three.
    let ticks: [Double]

    /// The possible ticks in Hz: from 20 Hz to 20 kHz, the range of hearing and of the synth.
    private static let round = [20.0, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000]
    /// The tone's usual range in Hz, for an axis without pitches.
    private static let usual = [240.0, 5_000]

    /// Makes an axis for `pitches`, in Hz, from 20 to 20,000.
    init(_ pitches: [Double]) {
        let shown = pitches.isEmpty ? Self.usual : pitches
        var first = Self.round.lastIndex { $0 <= (shown.min() ?? 0) } ?? 0
        var last = Self.round.firstIndex { $0 >= (shown.max() ?? 0) } ?? Self.round.count - 1
        // The axis is widened to both sides, so that a single pitch is not at its end.
        while last - first < 2 {
            if first > 0 { first -= 1 }
            if last - first < 2, last < Self.round.count - 1 { last += 1 }
        }
        ticks = Array(Self.round[first...last])
    }

    /// Makes an axis for the tones of all these sessions.
    init(of outlines: [SessionOutline]) { self.init(outlines.flatMap { $0.columns.compactMap { $0.pitch?.rawValue } }) }

    /// Returns where a pitch is on the axis: 0 at the lower end, 1 at the upper. `hertz` is the pitch.
    func part(of hertz: Double) -> Double {
        Glibc.log2(hertz / ticks[0]) / Glibc.log2(ticks[ticks.count - 1] / ticks[0])
    }
}

import Units

/// Time to the right, in seconds since a session's start.
struct TimeAxis {
    let start: Double
    /// More than 0.
    let duration: Double
    let left: Double
    let width: Double

    /// In seconds.
    private static let steps = [
        0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200, 86_400,
    ]
    /// The labels that there is room for.
    private static let mostLabels = 13.0

    func x(_ second: Double) -> Double { left + min(1, max(0, (second - start) / duration)) * width }

    /// Round moments, and what they are called: `0:10`, tenths where they are closer, and h:mm from an hour on.
    var ticks: [(second: Double, label: String)] {
        let step = Self.steps.first { duration / $0 <= Self.mostLabels } ?? 172_800
        let first = Int((start / step).rounded(.up))
        let last = Int(((start + duration) / step).rounded(.down))
        guard first <= last else { return [] }
        let hours = step >= 60 && start + duration >= 3_600
        return (first...last).map { place in
            let second = Double(place) * step
            let minutes = Int(second) / 60
            guard hours else { return (second, Seconds(second).clock(step < 1 ? 1 : 0)) }
            return (second, "\(minutes / 60):" + (minutes % 60 < 10 ? "0" : "") + "\(minutes % 60)")
        }
    }

    /// What the labels are, for people.
    var unit: String {
        let labels = ticks
        guard labels.count > 1, start + duration >= 3_600, labels[1].second - labels[0].second >= 60 else {
            return start + duration >= 3_600 ? "h:mm:ss" : "m:ss"
        }
        return "h:mm"
    }
}

import Experience
import Offline
import Units

/// A rendered session in a few lines for people.
enum Report {
    static func lines(_ result: Rendering.Result, name: String) -> [String] {
        let summary = result.summary
        var lines = [
            name,
            "  duration  \(result.rate.seconds(in: summary.frames).clock(3)), \(summary.frames.rawValue) frames "
                + "at \(result.rate.hertz) Hz",
            "  peak      " + (summary.peak.decibels.map { "\(fixed($0.rawValue, 1)) dBFS" } ?? "silent"),
        ]
        if let start = summary.startPitch, let end = summary.endPitch {
            lines.append("  tone      \(fixed(start.rawValue, 1)) Hz at first, \(fixed(end.rawValue, 1)) Hz at last, "
                + "sounded \(summary.touches) \(summary.touches == 1 ? "time" : "times")")
        }
        if !summary.chimes.isEmpty {
            let chimes = summary.chimes.sorted { $0.key < $1.key }.map { "\($0.key) × \($0.value)" }
            lines.append("  chimes    " + chimes.joined(separator: ", "))
        }
        if result.limitedFrames > 0 { lines.append("  limited   \(result.limitedFrames) samples held under the ceiling") }
        return lines
    }

    /// The same in one line.
    static func line(_ result: Rendering.Result, name: String) -> String {
        "\(name)  \(result.rate.seconds(in: result.summary.frames).clock(1)), "
            + (result.summary.peak.decibels.map { "peak \(fixed($0.rawValue, 1)) dBFS" } ?? "silent")
    }

    /// With `digits` after the point.
    static func fixed(_ value: Double, _ digits: Int) -> String { value.fixed(digits) }
}

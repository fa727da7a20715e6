import Experience
import Glibc

/// An area with two axes of numbers from 0 up, each with round ticks and the name of what it counts.
struct Chart {
    let left: Double
    let top: Double
    let width: Double
    let across: NumberAxis
    let upwards: NumberAxis

    static let height = 170.0
    /// Of the heading, above the area.
    static let heading = 30.0
    /// Of the ticks and the axis's name, below it.
    static let footing = 48.0

    /// `top` is where its heading begins.
    init(left: Double, top: Double, width: Double, across: NumberAxis, upwards: NumberAxis) {
        self.left = left
        self.top = top + Self.heading
        self.width = width
        self.across = across
        self.upwards = upwards
    }

    var bottom: Double { top + Self.height }

    func x(_ value: Double) -> Double { left + min(1, max(0, value / across.end)) * width }

    func y(_ value: Double) -> Double { bottom - min(1, max(0, value / upwards.end)) * Self.height }

    /// The empty area with its heading and its axes.
    func frame(_ heading: String) -> [String] {
        [svgLabel(left, top - 11, heading, "ink", bold: true), svgBox(left, top, width, Self.height, "panel")]
            + upwards.ticks.flatMap { tick in
                [svgLine(left, y(tick), left + width, y(tick), "grid"),
                 svgLabel(left - 8, y(tick) + 4, upwards.label(tick), "ink", anchor: "end")]
            }
            + across.ticks.flatMap { tick in
                [svgLine(x(tick), bottom, x(tick), bottom + 5, "soft"),
                 svgLabel(x(tick), bottom + 19, across.label(tick), "ink", anchor: "middle")]
            }
            + [svgLabel(left + width / 2, bottom + 37, across.title, "soft", anchor: "middle"),
               svgLabel(left + width, top - 11, "upwards: " + upwards.title, "soft", anchor: "end")]
    }
}

/// An axis from 0 to a number.
struct NumberAxis: Equatable {
    /// More than 0.
    let end: Double
    /// From one tick to the next: 1, 2 or 5 times a power of ten.
    let step: Double
    /// What it counts, with its unit.
    let title: String

    /// There are no more ticks, beside that of 0.
    private static let mostTicks = 6.0

    /// `isRounded`: it ends with a tick, at `end` or above. `isWhole`: of whole numbers.
    init(to end: Double, _ title: String, isRounded: Bool = false, isWhole: Bool = false) {
        let wanted = max(end, isWhole ? 1 : 1e-6) / Self.mostTicks
        let power = pow(10, floor(log10(wanted)))
        let step = [1, 2, 5].map { $0 * power }.first { $0 >= wanted * (1 - 1e-9) } ?? 10 * power
        self.step = isWhole ? max(1, step) : step
        self.end = isRounded ? (max(end, self.step) / self.step - 1e-9).rounded(.up) * self.step : max(end, 1e-6)
        self.title = title
    }

    var ticks: [Double] { (0...Int(end / step + 1e-9)).map { Double($0) * step } }

    /// With as many digits as its ticks need.
    func label(_ value: Double) -> String { value.fixed(step < 1 ? Int((-log10(step) - 1e-9).rounded(.up)) : 0) }
}

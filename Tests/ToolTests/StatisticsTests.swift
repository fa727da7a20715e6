import Experience
import Testing
@testable import Tool

@Suite struct StatisticsTests {
    /// The values 1 to 100, once each: their mean is 50.5, and so many percent do not pass their own number.
    private var hundred: Distribution {
        var distribution = Distribution()
        for value in 1...100 { distribution.record(Double(value)) }
        return distribution
    }

    @Test func `a report is its lines, then its tables, then a row of figures for each quantity`() {
        let report = StatisticsReport(
            lines: [StatisticsReport.Line("beats", "100, in pairs: 50")],
            tables: [StatisticsReport.Table(columns: ["first"], rows: [("ding", ["4"]), ("swipe", [""])])],
            quantities: [StatisticsReport.Quantity("seconds", hundred, digits: 1, limit: 100),
                         StatisticsReport.Quantity("none", Distribution(), digits: 1, limit: 1)])
        #expect(StatisticsText(report: report, name: "s.jsonl").lines == [
            "s.jsonl",
            "  beats          100, in pairs: 50",
            "",
            "                               first",
            "  ding                             4",
            "  swipe",
            "",
            "                               count          mean           5 %        median          95 %          most",
            "  seconds                        100          50.5           5.0          50.0          95.0         100.0",
            "  none                             0",
        ])
        #expect(StatisticsText(report: StatisticsReport(), name: "s.jsonl").lines == ["s.jsonl"])
    }

    @Test func `a drawing has a histogram for each quantity, two in a row, and below them what grew`() {
        let quantity = StatisticsReport.Quantity("seconds", hundred, digits: 1, caption: "a < b", limit: 80, marks: [40])
        let growth = StatisticsReport.Growth(caption: "beats", counts: [("even", [2, 4]), ("odd", [1, 3])], end: 4)
        let report = StatisticsReport(quantities: [quantity, quantity, quantity], growths: [growth])
        let svg = StatisticsDrawing(report: report, title: "t").svg
        // Three rows of 170 and a margin of 60 below each, and one above.
        #expect(svg.contains("viewBox=\"0 0 1220 750\""))
        #expect(svg.matches(of: /a &lt; b/).count == 3 && svg.contains("80 and more"))
        // A mark in the middle of a panel that begins at 60 and is 520 wide.
        #expect(svg.matches(of: /<line x1="320" x2="320"/).count == 2)
        // The last of 40 bars has what lies beyond the limit, too: 78 to 100.
        #expect(svg.matches(of: />23</).count == 3)
        // From (0, 0) to (4, 2) over a width of 1100 and a height of 170, a step at each place.
        #expect(svg.contains("points=\"60,700 610,700 610,615 1160,615 1160,530 1160,530\""), "\(svg)")
    }

    @Test func `a curve's points are joined in their order, and named`() {
        let curve = StatisticsReport.Curve(caption: "c", points: [(0, 0, "first"), (2, 50, "second"), (4, 100, "third")])
        let svg = StatisticsDrawing(report: StatisticsReport(curves: [curve]), title: "t").svg
        #expect(svg.contains("viewBox=\"0 0 1220 290\"") && svg.contains("points=\"60,240 610,155 1160,70\"") && svg.contains(">second<"), "\(svg)")
    }

    @Test(arguments: [(1.25, 1, "1.3"), (-0.04, 1, "0.0"), (-2.5, 0, "-3"), (12, 2, "12.00"), (0.999, 2, "1.00")])
    func `a number has so many digits after its point`(number: Double, digits: Int, text: String) {
        #expect(number.fixed(digits) == text)
    }
}

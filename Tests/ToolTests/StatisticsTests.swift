import Experience
import Foundation
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

    @Test func `as JSON a report has the same titles, and figures that are numbers`() throws {
        struct Report: Decodable {
            struct Quantity: Decodable { var title: String; var count: Int; var mean: Double?; var median: Double? }
            struct Line: Decodable { var title: String; var text: String }
            var name: String
            var lines: [Line]
            var quantities: [Quantity]
        }
        let report = StatisticsReport(lines: [StatisticsReport.Line("beats", "100, in pairs: 50")],
                                      quantities: [StatisticsReport.Quantity("seconds", hundred, digits: 1, limit: 100),
                                                   StatisticsReport.Quantity("none", Distribution(), digits: 1, limit: 1)])
        let text = try JSONReport.text(StatisticsObject(report: report, name: "s.jsonl"))
        let read = try JSONDecoder().decode(Report.self, from: Data(text.utf8))
        #expect(read.name == "s.jsonl" && read.lines.map(\.text) == ["100, in pairs: 50"])
        #expect(read.quantities.map(\.count) == [100, 0] && read.quantities.map(\.title) == ["seconds", "none"])
        #expect(try abs(#require(read.quantities[0].mean) - 50.5) < 0.05 && read.quantities[0].median == 50)
        #expect(read.quantities[1].mean == nil)
    }

    @Test func `a legend has a ground of its own over the lines, so that none crosses its words`() throws {
        let growth = StatisticsReport.Growth(caption: "beats", x: "bars", y: "beats", counts: [("even", [2, 4])], end: 4)
        let svg = StatisticsDrawing(report: StatisticsReport(growths: [growth]), title: "t").svg()
        func start(_ part: String) throws -> String.Index { try #require(svg.range(of: part)).lowerBound }
        // What comes later is drawn above.
        #expect(try start("<polyline") < start("<rect class=\"page\" x=") && start("<rect class=\"page\" x=") < start(">even: 2<"))
    }

    @Test func `a drawing has a histogram for each quantity, two in a row, and below them what grew`() throws {
        let quantity = StatisticsReport.Quantity("seconds", hundred, digits: 1, caption: "a < b", limit: 80, marks: [40])
        let growth = StatisticsReport.Growth(caption: "beats", x: "bars played", y: "beats heard",
                                             counts: [("even", [2, 4]), ("odd", [1, 3])], end: 4)
        let report = StatisticsReport(quantities: [quantity, quantity, quantity], growths: [growth])
        let svg = StatisticsDrawing(report: report, title: "t & u").svg()
        #expect(svg.contains(">t &amp; u<") && svg.matches(of: /a &lt; b/).count == 3)
        // What the axes count.
        #expect(svg.matches(of: />seconds; the last bar has all beyond 80, too</).count == 3 && svg.matches(of: /how often</).count == 3)
        #expect(svg.contains(">bars played<") && svg.contains("beats heard<"))
        // The last of 40 bars has what lies beyond the limit, too: 78 to 100.
        #expect(svg.matches(of: /<title>78.0 to 80.0: 23</).count == 3)
        // A mark in the middle of panels that begin at 112 and 706 and are 506 wide.
        #expect(svg.matches(of: /<line class="gap" x1="365"/).count == 2 && svg.matches(of: /<line class="gap" x1="959"/).count == 1)
        // From (0, 0) to (4, 2) over a width of 1100 and a height of 170, a step at each place.
        let points = try #require(svg.firstMatch(of: /points="(112,[^"]*)"/)).1.split { " ,".contains($0) }.map { Int($0) ?? -1 }
        let (places, heights) = (stride(from: 0, to: 12, by: 2).map { points[$0] }, stride(from: 1, to: 12, by: 2).map { points[$0] })
        #expect(places == [112, 662, 662, 1212, 1212, 1212])
        #expect(heights.map { heights[0] - $0 } == [0, 0, 85, 85, 170, 170])
    }

    @Test func `a curve's points are joined in their order, and named`() throws {
        let curve = StatisticsReport.Curve(caption: "c", x: "cost, EUR", y: "use, h",
                                           points: [(0, 0, "first"), (2, 50, "second"), (4, 100, "third")])
        let svg = StatisticsDrawing(report: StatisticsReport(curves: [curve]), title: "t").svg()
        let path = try #require(svg.firstMatch(of: /points="112,([0-9]+) 662,([0-9]+) 1212,([0-9]+)"/))
        let heights = try [path.1, path.2, path.3].map { try #require(Int($0)) }
        #expect(heights[0] - heights[1] == 85 && heights[1] - heights[2] == 85)
        #expect([">second<", ">cost, EUR<", "use, h<"].allSatisfy(svg.contains), "\(svg)")
    }

    @Test func `an axis has round ticks with the digits that they need, and ends with one where it is asked to`() {
        func labels(_ axis: NumberAxis) -> [String] { axis.ticks.map(axis.label) }
        #expect(labels(NumberAxis(to: 1, "")) == ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"])
        #expect(labels(NumberAxis(to: 0.3, "")) == ["0.00", "0.05", "0.10", "0.15", "0.20", "0.25", "0.30"])
        #expect(labels(NumberAxis(to: 60, "")) == ["0", "10", "20", "30", "40", "50", "60"])
        #expect(labels(NumberAxis(to: 2, "", isRounded: true, isWhole: true)) == ["0", "1", "2"])
        #expect(labels(NumberAxis(to: 0, "", isRounded: true, isWhole: true)) == ["0", "1"])
        let counts = NumberAxis(to: 1_234, "", isRounded: true, isWhole: true)
        #expect(labels(counts) == ["0", "500", "1000", "1500"] && counts.end == 1_500)
    }

    @Test(arguments: [(1.25, 1, "1.3"), (-0.04, 1, "0.0"), (-2.5, 0, "-3"), (12, 2, "12.00"), (0.999, 2, "1.00")])
    func `a number has so many digits after its point`(number: Double, digits: Int, text: String) {
        #expect(number.fixed(digits) == text)
    }
}

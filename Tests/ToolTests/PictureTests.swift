import Testing

@testable import Tool

@Suite struct ShapesTests {
    /// A polyline of one point draws nothing (SVG 1.1, 9.6 and 11.4); of two equal points with round ends a dot.
    @Test func `a path of one point is a dot`() {
        #expect(svgPath([(x: 1, y: 2)], "tone", width: 3).contains(#"stroke-linecap="round" points="1,2 1,2""#))
        #expect(svgPath([(x: 1, y: 2), (x: 3, y: 4)], "tone", width: 3).contains(#"points="1,2 3,4""#))
    }
}

@Suite struct PitchAxisTests {
    /// The round numbers around the pitches, by hand.
    @Test(arguments: [([110.0, 1_760], [100.0, 200, 500, 1_000, 2_000]), ([240, 5_000], [200, 500, 1_000, 2_000, 5_000]),
                      ([440], [100, 200, 500]), ([20], [20, 50, 100]), ([20_000], [5_000, 10_000, 20_000]),
                      ([], [200, 500, 1_000, 2_000, 5_000])])
    func `the axis has room for the lowest and the highest pitch, and no more than it must`(pitches: [Double], ticks: [Double]) {
        #expect(PitchAxis(pitches).ticks == ticks)
    }

    @Test func `octaves are equally far apart`() {
        let axis = PitchAxis([100, 1_600])
        #expect(axis.part(of: 100) == 0 && axis.part(of: 2_000) == 1)
        #expect(abs(axis.part(of: 400) - axis.part(of: 200) - (axis.part(of: 200) - axis.part(of: 100))) < 1e-12)
    }
}

@Suite struct TimeAxisTests {
    private func labels(_ start: Double, _ duration: Double) -> [String] {
        TimeAxis(start: start, duration: duration, left: 0, width: 1_000).ticks.map(\.label)
    }

    /// Round moments, by hand.
    @Test func `ticks are round moments, as people tell the time`() {
        #expect(labels(0, 60) == ["0:00", "0:05", "0:10", "0:15", "0:20", "0:25", "0:30", "0:35", "0:40", "0:45", "0:50", "0:55", "1:00"])
        #expect(labels(90, 30.5) == ["1:30", "1:35", "1:40", "1:45", "1:50", "1:55", "2:00"])
        #expect(labels(0, 1).prefix(3) == ["0:00.0", "0:00.1", "0:00.2"])
        #expect(labels(0, 3_700).prefix(3) == ["0:00", "0:05", "0:10"] && labels(0, 3_700).last == "1:00")
        #expect(labels(3_600, 60).prefix(2) == ["1:00:00", "1:00:05"])
        #expect(labels(0, 7 * 86_400).last == "168:00")
    }

    @Test(arguments: [0.001, 0.7, 3, 59.9, 61, 599, 3_600, 40_000, 604_800]) func `no session has more labels than there is room for`(duration: Double) {
        #expect(labels(0, duration).count <= 15 && !labels(0, duration).isEmpty)
    }

    @Test func `moments before and after are at the edges`() {
        let axis = TimeAxis(start: 10, duration: 10, left: 100, width: 1_000)
        #expect(axis.x(9) == 100 && axis.x(15) == 600 && axis.x(21) == 1_100)
    }
}

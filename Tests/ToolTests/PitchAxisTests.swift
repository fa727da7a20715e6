import Testing
@testable import Tool

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

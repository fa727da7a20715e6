import Testing
import Units

@testable import AudioOutput

@Suite struct StaircaseTests {
    private func climbed(_ positions: [Int64], least: Int64 = 128) -> Staircase {
        var staircase = Staircase(least: FrameCount(least))
        for position in positions { staircase.observe(position) }
        return staircase
    }

    @Test func `a step is what all positions are multiples of, apart, and no less than was asked for`() {
        #expect(climbed([]).step == 2_048, "nothing is known: careful")
        #expect(climbed([4_096, 4_096]).step == 2_048)
        #expect(climbed([5_000, 5_000 + 3 * 1_024]).step == 3_072)
        #expect(climbed([5_000, 5_000 + 3 * 1_024, 5_000 + 7 * 1_024]).step == 1_024)
        #expect(climbed([5_000, 5_064, 5_192]).step == 128)
    }

    @Test func `a step has been taken when the line is past its beginning`() {
        let staircase = climbed([1_280, 1_408])
        #expect(staircase.taken(by: 1_400, seen: 1_408) == 1_408)
        #expect(staircase.taken(by: 1_408, seen: 1_408) == 1_408)
        #expect(staircase.taken(by: 1_408.5, seen: 1_408) == 1_536)
        #expect(staircase.taken(by: 1_408.5, seen: 1_280) == 1_536)
    }

    @Test func `slack is counted to the beginning of the step that holds a frame`() {
        let staircase = climbed([1_280, 1_408])
        #expect(staircase.slack(to: 1_536, at: 1_500, seen: 1_408) == 36)
        #expect(staircase.slack(to: 1_600, at: 1_500, seen: 1_408) == 36)
        #expect(staircase.slack(to: 1_400, at: 1_250, seen: 1_408) == -1, "seen is seen")
        #expect(staircase.slack(to: 1_450, at: 1_410, seen: 1_408) == -2)
        #expect(staircase.slack(to: 1_400, at: 1_300, seen: 1_408) == -20)
    }

    @Test func `steps that came before the line are expected to do so again`() {
        var staircase = climbed([1_280, 1_408])
        staircase.observe(ahead: 131.5)
        #expect(staircase.unsteadiness == 4)
        #expect(staircase.taken(by: 1_405, seen: 1_408) == 1_536)
        #expect(staircase.slack(to: 1_536, at: 1_500, seen: 1_408) == 32)
    }
}

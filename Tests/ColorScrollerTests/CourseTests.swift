@testable import ColorScroller
import Experience
import Fields
import Signals
import Testing
import Units

@Suite struct CourseTests {
    private func course(_ knob: Double, after visits: [Int] = []) -> Course {
        Course(Tuning(KnobSettings([ColorScroller.course.name: .number(knob)])), after: visits)
    }

    @Test func `the authors' course leaves everything as it is`() {
        let course = course(500)
        #expect(course == .authors && Course(Tuning(), after: [30, 40]) == .authors, "by itself it is the authors'")
        #expect([1, 10, 55, 85, 100, 900].map { course.cards($0) } == [1, 10, 55, 85, 100, 900])
        #expect([0, 0.08, 0.2, 1].map { course.chance($0) } == [0, 0.08, 0.2, 1])
        #expect(course.curve(.standard) == .standard)
    }

    /// A course of 100 is a fifth of the authors': cards a fifth, chances fivefold, at most three in four.
    @Test func `a shorter course keeps the authors' proportions`() {
        let course = course(100)
        #expect([10, 55, 85, 100].map { course.cards($0) } == [2, 11, 17, 20] && course.cards(1) == 1)
        #expect(abs(course.chance(0.08) - 0.4) < 1e-12 && course.chance(0.2) == 0.75 && course.chance(0.9) == 0.9)
        #expect(course.curve(.standard).points.map(\.views) == [0, 100])
        let close = ToneCurve(points: (0..<5).map { ToneCurve.Point(views: $0, frequency: Hertz(300), level: Decibels(-30)) })
        #expect(course.curve(close).points.map(\.views) == [0, 1, 2, 3, 4], "points stay apart")
        #expect(self.course(3).views == 20)
    }

    /// 1.6 times the middle visit; five of 90 cards stand in for visits that are not there yet.
    @Test func `a course fits the visit in the middle of the last ones`() {
        #expect(course(0).views == 144)
        #expect(course(0, after: [50, 60, 70, 80, 90]).views == 112)
        #expect(course(0, after: [5, 5, 5]).views == 60 && course(0, after: [50, 50, 50]).views == 80, "two visits of 90 are missing")
        #expect(course(0, after: Array(repeating: 900, count: 30)).views == 500)
        #expect(course(0, after: Array(repeating: 900, count: 30) + Array(repeating: 100, count: 25)).views == 160, "25 are looked back on")
    }

    /// Visits of 60 to 120 cards, 90 in the middle, one after the other in one house.
    @Test func `half of all visits hear the tone beside the chime and meet a rare, a quarter a special`() throws {
        var draws = SplitMix64(seed: 5)
        var memory: JSONValue?
        var (loud, rare, special) = (0, 0, 0)
        let visits = 60
        // The chime's fundamental sounds at -16 dBFS in the theme `standard`.
        for number in 0..<visits {
            var viewer = Viewer(seed: UInt64(number), knobs: KnobSettings([ColorScroller.course.name: .number(0)]), memory: memory)
            let length = 60 + draws.below(61)
            while viewer.state.blocksViewed < length { viewer.swipe(after: 1.5) }
            if viewer.scroller.state.tone.level >= Decibels(-28) { loud += 1 }
            let rarities = Set(viewer.scroller.inventory.entries.map(\.skin.rarity))
            if rarities.contains(.rare) { rare += 1 }
            if rarities.contains(.special) { special += 1 }
            memory = viewer.scroller.memory?.json
        }
        #expect(loud * 2 >= visits && rare * 2 >= visits && special * 4 >= visits, "\(loud), \(rare), \(special) of \(visits)")
        #expect(try memory?.read { try ColorScroller.Memory($0) }.visits.count == 25)
    }

    @Test func `a course that is turned is heard at once, and the next visit begins with it`() throws {
        var viewer = Viewer(seed: 3)
        for _ in 0..<50 { viewer.swipe() }
        let before = viewer.scroller.state.tone.level
        try viewer.set(ColorScroller.course, "100")
        #expect(viewer.cues.contains(.toneLevel(viewer.scroller.state.tone.level)) && viewer.scroller.state.tone.level > before)
        viewer.act(.action(Action(UncheckedAction(name: "feed.reset", fields: [:]))))
        viewer.swipe()
        #expect(viewer.scroller.state.tone.curve.views == 100)
    }

    @Test func `in an exhibition each unlock is named at once, however quickly somebody swipes`() {
        var values = ColorScroller.declaration.exhibition.values
        values[ColorScroller.holdout.name] = .number(1)
        var viewer = Viewer(seed: 4, knobs: KnobSettings(values))
        var unlocks = 0
        for _ in 0..<90 {
            viewer.swipe(after: 0.2)
            guard let unlock = viewer.unlock else { continue }
            unlocks += 1
            #expect(viewer.toast == Toast(rarity: unlock.skin.rarity, name: unlock.skin.name))
        }
        #expect(unlocks > 10)
    }

    @Test func `what is kept of visits is read back, and what cannot be so is refused`() throws {
        let memory = ColorScroller.Memory(last: LastVisit(cards: 40), visits: [30, 40])
        #expect(try memory.json.read { try ColorScroller.Memory($0) } == memory)
        let old = try JSONValue.object(["cards": .integer(40)]).read { try ColorScroller.Memory($0) }
        #expect(old.visits == [40], "it was kept before visits were")
        for wrong in [JSONValue.list([.integer(2)]), .list(Array(repeating: .integer(30), count: 26))] {
            let memory = JSONValue.object(["cards": .integer(40), "visits": wrong])
            #expect(throws: Fault.self) { try memory.read { try ColorScroller.Memory($0) } }
        }
    }
}

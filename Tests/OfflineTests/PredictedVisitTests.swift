import ColorScroller
import Experience
import Fields
import Journal
import Offline
import Signals
import SystemPackage
import Testing
import TestSupport
import Units

/// Recorded sessions as they were predicted, and as another model would have predicted them.
@Suite struct PredictedVisitTests {
    private let scratch: Scratch
    private let practice: PredictionPractice

    init() throws {
        scratch = try Scratch()
        practice = try #require(ColorScroller.declaration.prediction?.practice)
    }

    /// A session of a visitor with motives, and the visit that it is.
    private func session(_ seed: UInt64, explore: Double = 0, holdout: Double = 0, cut: Bool = false) throws -> FilePath {
        let declaration = ColorScroller.declaration
        let visitor = try #require(declaration.visitors.first { $0.name == practice.visitor })
        var knobs = KnobSettings.standard
        knobs[try #require(declaration.knobs.first { $0.name == practice.exploration })] = .number(explore)
        knobs[try #require(declaration.knobs.first { $0.name == practice.holdout })] = .number(holdout)
        var simulation = Simulation(ColorScroller.self, visitor, seed: seed, turns: 600, idle: Seconds(45), knobs: knobs)
        var lines: [String] = []
        while let step = simulation.next() { lines.append(String(decoding: JournalLine.encode(step.entry), as: UTF8.self)) }
        if cut { lines.removeLast() }
        return FilePath(try scratch.write(lines.joined(), to: "s\(seed).jsonl"))
    }

    private func trial() throws -> PredictionTrial {
        let visitor = try #require(ColorScroller.declaration.visitors.first { $0.name == practice.visitor })
        return try PredictionTrial(of: ColorScroller.self, on: visitor, turns: 600, idle: Seconds(45))
    }

    @Test func `a session's journal has the margins and the steps that its visit had`() throws {
        for seed in UInt64(1)...5 {
            let journal = try session(seed)
            let read = try #require(PredictedVisit.recorded(in: journal, by: .same, practice, [ColorScroller.self]).first)
            let made = try trial().visit(seed: seed, by: .own("handTuned"), mayStep: true)
            #expect(read.hasLeft && made.hasLeft && read.moments.count > 5)
            #expect(read.moments.map(\.logOdds) == made.moments.map(\.logOdds) && read.moments.map(\.isStep) == made.moments.map(\.isStep))
            #expect(abs(read.seconds - made.seconds) < 1e-6)
            // The same model once more.
            #expect(try PredictedVisit.recorded(in: journal, predictedBy: .own("handTuned"), practice, ColorScroller.self) == [read])
        }
    }

    /// Nothing is given in either, so what the visitor did is what they would have done.
    @Test func `what another model would have said of a visit that was held out is what it says of that visit`() throws {
        for seed in UInt64(1)...5 {
            let read = try #require(PredictedVisit.recorded(in: session(seed, holdout: 1), predictedBy: .own("calibrated"), practice,
                                                            ColorScroller.self).first)
            let made = try trial().visit(seed: seed, by: .own("calibrated"), mayStep: false)
            #expect(read.moments.map(\.logOdds) == made.moments.map(\.logOdds) && read.steps == 0)
        }
    }

    /// The interventions of a session's replay, by whether chance has drawn them.
    private func interventions(_ journal: FilePath) throws -> [Bool: Int] {
        var counts = [true: 0, false: 0]
        var replay = try Replay(journal, by: .same, [ColorScroller.self])
        while try replay.step() != nil {
            for announcement in replay.announcements {
                if let intervention = announcement.body as? Intervention { counts[intervention.explored, default: 0] += 1 }
            }
        }
        return counts
    }

    @Test func `a step that chance has drawn is none of the model's, in the record and under another model`() throws {
        var drawn = 0
        for seed in UInt64(1)...5 {
            let journal = try session(seed, explore: 0.5)
            let counts = try interventions(journal)
            let read = try #require(PredictedVisit.recorded(in: journal, by: .same, practice, [ColorScroller.self]).first)
            #expect(read.steps == counts[false] && !read.isHeldOut)
            #expect(try PredictedVisit.recorded(in: journal, predictedBy: .own("handTuned"), practice, ColorScroller.self) == [read])
            drawn += counts[true] ?? 0
        }
        #expect(drawn > 5)
    }

    @Test func `sessions that were held out say nothing of steps, and all of how well the model knew`() throws {
        func visits(_ holdout: Double) throws -> [PredictedVisit] {
            try (UInt64(1)...5).flatMap { seed in
                try PredictedVisit.recorded(in: session(seed, holdout: holdout), by: .same, practice, [ColorScroller.self])
            }
        }
        let (decided, heldOut) = (try visits(0), try visits(1))
        #expect(decided.count(where: \.isHeldOut) == 0 && heldOut.count(where: \.isHeldOut) == 5)
        let (alone, both) = (RecordedFigures(decided, reach: 5), RecordedFigures(decided + heldOut, reach: 5))
        #expect(both.visits == 10 && both.heldOut == 5 && alone.heldOut == 0)
        #expect(both.steps == alone.steps && both.leadOfFirst == alone.leadOfFirst && both.felt == alone.felt)
        #expect((both.steps?.value ?? 0) > 0)
        #expect(both.skill == PredictionSkill(decided + heldOut, reach: 5) && both.moments > alone.moments)
    }

    @Test func `of a session that was cut off nobody knows whether the visitor left`() throws {
        let visit = try #require(PredictedVisit.recorded(in: session(9, cut: true), by: .same, practice, [ColorScroller.self]).first)
        #expect(!visit.hasLeft && visit.labelled(reach: 5).count == visit.moments.count - 5)
        #expect(visit.labelled(reach: 5).count { $0.isLeaving } == 0)
    }
}

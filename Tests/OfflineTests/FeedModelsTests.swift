import Classifier
@testable import ColorScroller
import Experience
import Foundation
import Offline
import Signals
import Testing
import Units

/// What ColorScroller's models do for visitors who are about to leave, and to those who are not. THRUMDEV_VISITS says how many visits of 500
/// cards: 40 by default, in whose name the bounds are stated.
@Suite struct FeedModelsTests {
    private static let visits = ProcessInfo.processInfo.environment["THRUMDEV_VISITS"].flatMap { Int($0) } ?? 40
    /// The values of P(churn) from which on the machine would step in, one after the other.
    private static let thresholds = [0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.55, 0.6, 0.7, 0.8]

    /// The authors' course, as long as it is let, and an exhibition's, whose visits have 110 cards.
    enum House: String, CaseIterable {
        case authors, exhibition

        var turns: Int { self == .authors ? 500 : 110 }
        /// More visits where they are shorter.
        var visits: Int { self == .authors ? FeedModelsTests.visits : 4 * FeedModelsTests.visits }
        /// Nothing is drawn, so that what is seen is the model's.
        var decided: KnobSettings {
            var knobs = self.knobs
            (knobs[ColorScroller.explore], knobs[ColorScroller.holdout]) = (.number(0), .number(0))
            return knobs
        }
        var knobs: KnobSettings { self == .authors ? .standard : ColorScroller.declaration.exhibition }
    }

    private func visits(of visitor: VisitorDeclaration, in house: House, _ knobs: KnobSettings, _ model: PredictionModel? = nil)
        -> [FeedSurvey.Visit] {
        var survey = FeedSurvey()
        for visit in 0..<house.visits {
            survey.begin(visitor.name)
            var simulation = Simulation(ColorScroller.self, visitor, seed: UInt64(40_000 + visit), turns: house.turns, idle: Seconds(45),
                                        knobs: knobs, model: model)
            while let step = simulation.next() { step.announcements.forEach { survey.add($0) } }
        }
        return survey.visits
    }

    private func declared(_ name: String) throws -> VisitorDeclaration {
        try #require(ColorScroller.declaration.visitors.first { $0.name == name })
    }

    /// Looks at cards as the curious do, and is kept by rewards: leaves by chance only when there has been none for fifteen cards.
    private static let kept = VisitorDeclaration("kept", about: "Stays while there are rewards.") { Kept(draws: $0) }

    @Test(arguments: House.allCases) func `an engaged visitor gets at most one intervention in forty cards, those of chance included`(house: House) throws {
        for visitor in [try declared("curious"), Self.kept] {
            let visits = visits(of: visitor, in: house, house.knobs)
            let rate = 40 * Double(visits.reduce(0) { $0 + $1.interventions.count }) / Double(visits.reduce(0) { $0 + $1.churn.count })
            print("\(house), \(visitor.name): \(rate) in 40 cards")
            #expect(rate <= 1 && rate > 0.4)
        }
    }

    /// Without chance.
    @Test(arguments: House.allCases) func `of visitors that fade or are bored half feel an intervention at least five cards before the end`(house: House) throws {
        for names in [["bored"], ["fading", "fading-unmeasured"]] {
            let visits = try names.flatMap { name in try self.visits(of: declared(name), in: house, house.decided) }
            let felt = visits.count { visit in visit.interventions.contains { visit.churn.count - $0.viewed >= 5 } }
            print("\(house), \(names): \(felt) of \(visits.count) feel one five cards before the end or earlier")
            #expect(2 * felt >= visits.count)
        }
    }

    @Test func `an engaged visitor gets hardly a high intervention but by chance`() throws {
        for house in House.allCases {
            let interventions = visits(of: try declared("curious"), in: house, house.decided).flatMap(\.interventions)
            #expect(20 * interventions.count { $0.strength == .high } <= interventions.count && !interventions.isEmpty)
        }
    }

    /// The models' margins are those of held-out visits, so that all three are judged on the same ones. At the thresholds of today the
    /// figures of the first forty visits are expected as Python counts them in the visits' tables, with formulas and rests of its own: how
    /// many of the fading feel an intervention, and how many interventions all of the engaged get.
    @Test func `the curve of felt before leaving against disturbed while engaged is told of each model`() throws {
        let names = ChurnInputs.names
        var weights = [Double](repeating: 0, count: names.count)
        (weights[0], weights[1], weights[2]) = (-0.3, -4, 0.08)
        let learned = Classifier(name: "linear.mlmodel", digest: "00", inputs: names, form: .linear(LinearForm(weights: weights, offset: -2)))
        let expected: [(model: PredictionModel, felt: Int, steps: Int)] = [
            (.own("handTuned"), 27, 276), (.own("calibrated"), 17, 0), (.learned(learned), 19, 172),
        ]
        for (model, expectedFelt, expectedSteps) in expected {
            let knobs = KnobSettings(["holdout": .number(1)])
            let fading = visits(of: try declared("fading"), in: .authors, knobs, model)
            let engaged = visits(of: try declared("curious"), in: .authors, knobs, model)
            #expect(fading.allSatisfy { $0.interventions.isEmpty })
            for threshold in Self.thresholds {
                let felt = felt(fading, from: threshold)
                let disturbed = 40 * Double(steps(engaged, from: threshold)) / Double(engaged.reduce(0) { $0 + $1.logOdds.count })
                print("\(model.name) from P \(threshold): \(Double(felt) / Double(fading.count)) felt before leaving, \(disturbed) in 40 cards while engaged")
            }
            guard Self.visits >= 40 else { continue }
            #expect(felt(Array(fading.prefix(40)), from: 0.55) == expectedFelt, "\(model.name)")
            #expect(steps(Array(engaged.prefix(40)), from: 0.55) == expectedSteps, "\(model.name)")
        }
    }

    /// How many of `visits` would feel a step five cards before their end or earlier, were the weakest called for from a P(churn) on.
    private func felt(_ visits: [FeedSurvey.Visit], from threshold: Double) -> Int {
        visits.count { visit in
            let steps = ColorScroller.practice.steps(by: visit.logOdds, from: LogOdds.logit(of: threshold))
            return steps.contains { visit.logOdds.count - ($0.moment + 1) >= 5 }
        }
    }

    /// How often the machine would step in, in all of `visits`.
    private func steps(_ visits: [FeedSurvey.Visit], from threshold: Double) -> Int {
        visits.reduce(0) { $0 + ColorScroller.practice.steps(by: $1.logOdds, from: LogOdds.logit(of: threshold)).count }
    }
}

private struct Kept: SimulatedVisitor {
    var draws: SplitMix64

    mutating func next(in run: Run, at seconds: Double) -> [VisitorStep] {
        guard let scroller = run.piece as? ColorScroller else { return [] }
        let now = scroller.feedState(at: seconds)
        if now.rewardDrought > 15, draws.unit() < 0.02 { return [] }
        let isColored = scroller.cards(now.index..<now.index + 1).first?.rarity != nil
        let dwell = max((isColored ? 1.4 : 0.8) * (0.5 + draws.unit()), (now.pausedUntil ?? 0) - now.time)
        return [VisitorStep(after: dwell, .swipe(Swipe(.up, velocity: 1.5 + 2 * draws.unit())))]
    }
}

import Classifier
@testable import ColorScroller
import Experience
import Fields
import Signals
import Testing
import Units

@Suite struct InterventionsTests {
    @Test func `a model calls for an intervention exactly from its thresholds on`() {
        let thresholds = Interventions.Thresholds.logOdds
        #expect(thresholds.action(for: thresholds.moderate.nextDown) == .none && thresholds.action(for: thresholds.moderate) == .moderate)
        #expect(thresholds.action(for: thresholds.high.nextDown) == .moderate && thresholds.action(for: thresholds.high) == .high)
        #expect(thresholds.action(for: -.infinity) == .none && thresholds.action(for: .nan) == .none)
    }

    @Test func `there is none before the fifth card, on eight after a moderate one, and on forty after a high one`() {
        func views(_ strength: Intervention.Strength) -> [Int] {
            var interventions = Interventions()
            return (1...100).filter { viewed in
                guard interventions.mayStepIn(at: viewed) else { return false }
                interventions.stepIn(strength, at: viewed)
                return true
            }
        }
        #expect(views(.moderate) == [5, 14, 23, 32, 41, 50, 59, 68, 77, 86, 95])
        #expect(views(.high) == [5, 46, 87])
    }

    @Test func `in the middle of a drought a reward is put ahead, and the visitor is told of it`() throws {
        var viewer = Viewer(seed: 9, knobs: .decided)
        for knob in [ColorScroller.chanceEarly, ColorScroller.chanceMiddle, ColorScroller.chanceLate] { try viewer.set(knob, "0") }
        // Those that had been generated before keep theirs.
        while viewer.state.index < 14 { viewer.swipe(velocity: 2) }
        let drought = viewer.state.rewardDrought
        var views = 0
        while viewer.intervention == nil {
            viewer.swipe(velocity: 2)
            views += 1
        }
        #expect((26...30).contains(drought + views), "\(drought + views)")
        #expect(viewer.intervention?.strength == .moderate && viewer.intervention?.explored == false && viewer.intervention?.reward != nil)
        let logOdds = try #require(viewer.effects.logOdds)
        #expect(viewer.decision == Decision(model: "handTuned", margin: logOdds, isEligible: true, isHeldOut: false, action: .moderate,
                                            propensity: 1, chosen: .moderate))
        #expect(viewer.intervention?.pChurn == viewer.record?.pChurn && viewer.state.interventions == 1)
        #expect(viewer.scroll?.state.interventions == 0, "a card is told of before what it sets off")
        viewer.swipe(velocity: 2)
        #expect(viewer.decision?.isEligible == false && viewer.decision?.chosen == .moderate && viewer.decision?.propensity == 1)
    }

    @Test func `each card that is shown has its margin, and nothing else has`() {
        var viewer = Viewer(seed: 9)
        viewer.swipe(velocity: 2)
        #expect(viewer.effects.logOdds == viewer.decision?.margin && viewer.effects.logOdds != nil)
        viewer.act(.touch(Touch(.began)))
        #expect(viewer.effects.logOdds == nil)
    }

    // MARK: Chance

    @Test func `now and then an action is drawn, each of the three as often, and its propensity is told`() {
        var counts: [MachineAction: Int] = [:]
        let seeds = 30_000
        for seed in 0..<seeds {
            let (action, propensity) = Exploration(seed: UInt64(seed), holdout: 0).action(insteadOf: .moderate, at: 7, rate: 0.3)
            counts[action, default: 0] += 1
            #expect(abs(propensity - (action == .moderate ? 0.8 : 0.1)) < 1e-12)
        }
        // The standard error of a part of 0.1 of 30,000 is 0.0017.
        for (action, part) in [(MachineAction.none, 0.1), (.moderate, 0.8), (.high, 0.1)] {
            #expect(abs(Double(counts[action] ?? 0) / Double(seeds) - part) < 0.008, "\(action)")
        }
    }

    @Test func `without exploration the model's action is taken for certain`() {
        for viewed in 5..<2_000 {
            let (action, propensity) = Exploration(seed: 3, holdout: 0).action(insteadOf: .none, at: viewed, rate: 0)
            #expect(action == .none && propensity == 1)
        }
    }

    @Test func `a draw is of a card, whatever the model calls for`() {
        let exploration = Exploration(seed: 5, holdout: 0)
        for viewed in 5..<500 {
            let none = exploration.action(insteadOf: .none, at: viewed, rate: 0.5)
            let high = exploration.action(insteadOf: .high, at: viewed, rate: 0.5)
            #expect(none.0 == high.0 || none.0 == .none && high.0 == .high)
        }
    }

    @Test func `what was drawn and not called for is told as explored`() throws {
        var explored = 0
        for seed in 0..<40 {
            var viewer = Viewer(seed: UInt64(seed), knobs: KnobSettings(["explore": .number(0.5), "holdout": .number(0)]))
            for _ in 0..<12 {
                viewer.swipe(velocity: 2)
                guard let intervention = viewer.intervention, let decision = viewer.decision else { continue }
                #expect(decision.chosen == .none && intervention.explored && decision.action.strength == intervention.strength)
                #expect(abs(decision.propensity - 0.5 / 3) < 1e-12)
                explored += 1
            }
        }
        #expect(explored > 20)
    }

    @Test func `a part of visits is held out, and in them the machine never steps in`() {
        let parts = [0, 0.1, 0.5, 1].map { part in
            Double((0..<10_000).count { Exploration(seed: UInt64($0), holdout: part).isHeldOut }) / 10_000
        }
        // The standard error of a part of 0.5 of 10,000 is 0.005.
        #expect(parts[0] == 0 && abs(parts[1] - 0.1) < 0.015 && abs(parts[2] - 0.5) < 0.02 && parts[3] == 1)
        var viewer = Viewer(seed: 9, knobs: KnobSettings(["explore": .number(0.5), "holdout": .number(1), "chance-early": .number(0),
                                                          "chance-middle": .number(0), "chance-late": .number(0)]))
        var called = 0
        for _ in 0..<60 {
            viewer.swipe(velocity: 2)
            #expect(viewer.intervention == nil && viewer.decision?.isHeldOut == true && viewer.decision?.isEligible == false)
            #expect(viewer.decision?.action == MachineAction.none && viewer.decision?.propensity == 1)
            if viewer.decision?.chosen != MachineAction.none { called += 1 }
        }
        #expect(called > 0, "what the model calls for is told all the same")
    }

    @Test func `whether a visit is held out is drawn when the feed begins anew, and a knob that was turned counts then`() throws {
        var viewer = Viewer(seed: 9, knobs: .decided)
        try viewer.set(ColorScroller.holdout, "1")
        viewer.swipe()
        #expect(viewer.decision?.isHeldOut == false)
        viewer.act(.action(Action(FeedMove.reset)))
        viewer.swipe()
        #expect(viewer.decision?.isHeldOut == true)
    }

    // MARK: The run's model

    @Test func `the run's model decides, also after the feed has begun anew and where a state goes on`() throws {
        let weights = [Double](repeating: 0, count: ChurnInputs.names.count)
        let form = Classifier.Form.linear(LinearForm(weights: weights, offset: 3))
        let sure = Classifier(name: "sure.mlmodel", digest: "00", inputs: ChurnInputs.names, form: form)
        var viewer = Viewer(seed: 9, knobs: .decided, model: .learned(sure))
        #expect(viewer.state.model == "sure.mlmodel")
        while viewer.intervention == nil { viewer.swipe() }
        #expect(viewer.state.blocksViewed == 5 && viewer.intervention?.strength == .high && viewer.effects.logOdds == 3)
        let bytes = try Coded.bytes(viewer.scroller.state)
        var other = ColorScroller(rate: .standard, model: .learned(sure), state: try Coded.read(ColorScroller.State.self, bytes))
        let now = viewer.run.now(at: viewer.time + SampleRate.standard.frames(in: Seconds(2)))
        #expect(other.reduce(.swipe(Swipe()), at: now).logOdds == 3)
        viewer.act(.action(Action(FeedMove.reset)))
        viewer.swipe()
        #expect(viewer.decision?.model == "sure.mlmodel" && viewer.effects.logOdds == 3)
    }

    @Test func `after the feed has begun anew, the length of the visit counts from there`() {
        var viewer = Viewer(seed: 9)
        for _ in 0..<8 { viewer.swipe() }
        viewer.act(.action(Action(FeedMove.reset)))
        viewer.swipe(after: 2)
        #expect(viewer.record?.sessionLength == 2 && viewer.record?.activeScrollSeconds == 2)
    }

    @Test func `seconds on a card are counted from where the feed has begun anew`() {
        var (viewer, statistics) = (Viewer(seed: 9), FeedStatistics())
        for card in 0..<9 {
            if card == 8 { viewer.act(.action(Action(FeedMove.reset))) }
            viewer.swipe(after: 2, velocity: 1)
            viewer.told.forEach { statistics.add($0) }
        }
        let dwell = statistics.report.quantities.first { $0.title == "seconds on a card" }?.distribution
        #expect(dwell?.count == 9 && abs((dwell?.mean ?? 0) - 2) < 0.02, "\(dwell?.mean ?? 0)")
    }

    @Test func `the columns of what was decided stand before the label`() throws {
        let columns = ColorScroller.scrolls.columns
        #expect(columns.map(\.name).suffix(8) == ["p_churn", "model", "margin", "eligible", "held_out", "action", "propensity", "chosen"])
        var viewer = Viewer(seed: 9)
        viewer.swipe(velocity: 2)
        let told = viewer.told.first { $0.topic == "scroll" }
        let values = told.map { announcement in columns.suffix(7).map { $0.value(of: announcement) } }
        let logOdds = try #require(viewer.decision?.margin)
        #expect(values == [.word("handTuned"), .number(logOdds), .flag(false), .flag(true), .word("none"), .number(1), .word("none")])
    }
}

import Classifier
@testable import ColorScroller
import Experience
import Signals
import Testing

private func inputs(velocity: Double = 1.5, trend: Double = 0, drought: Int = 10, seconds: Double = 120, depth: Double = 0.6,
                    on course: Course = .authors) -> ChurnInputs {
    ChurnInputs(velocity: velocity, velocityTrend: trend, rewardDrought: drought, sessionLength: seconds, activeScrollSeconds: depth * seconds,
                blocksViewed: 40, uniqueBlocksSeen: 38, unlockCount: 4, timeOfDayBucket: 2, rarityShown: .rare,
                longDrought: HandTunedChurn.longDrought(on: course))
}

/// What the thresholds make of a model's margin.
private func action(_ model: ChurnModel, _ inputs: ChurnInputs) -> MachineAction {
    Interventions.Thresholds.logOdds.action(for: model.logOdds(inputs))
}

@Suite struct ChurnTests {
    private static let own = ChurnModel.Own.allCases.map(ChurnModel.own)
    private let handTuned = ChurnModel(nil)

    private func logOdds(_ model: ChurnModel, _ values: StrideThrough<Double>, _ input: (Double) -> ChurnInputs) -> [Double] {
        values.map { model.logOdds(input($0)) }
    }

    @Test(arguments: own) func `the margin is monotonic in each of its five signals`(model: ChurnModel) {
        let falling = [logOdds(model, stride(from: 0, through: 60, by: 0.1)) { inputs(velocity: $0) },
                       logOdds(model, stride(from: -20, through: 20, by: 0.05)) { inputs(trend: $0) },
                       logOdds(model, stride(from: 0, through: 1, by: 0.01)) { inputs(depth: $0) }]
        let rising = [logOdds(model, stride(from: 0, through: 200, by: 1)) { inputs(drought: Int($0)) },
                      logOdds(model, stride(from: 1, through: 7200, by: 5)) { inputs(seconds: $0) }]
        for values in rising + falling.map({ $0.reversed() }) {
            #expect(zip(values, values.dropFirst()).allSatisfy { $0 <= $1 + 1e-12 })
            #expect(values[0] < values[values.count - 1])
        }
    }

    @Test(arguments: own) func `the ends of all signals lie near the ends of the scale`(model: ChurnModel) {
        let gone = inputs(velocity: 0, trend: -50, drought: 1000, seconds: 1e9, depth: 0)
        let caught = inputs(velocity: 1e9, trend: 50, drought: 0, seconds: 1, depth: 1)
        #expect(LogOdds.probability(of: model.logOdds(gone)) > 0.9 && LogOdds.probability(of: model.logOdds(caught)) < 0.05)
    }

    // MARK: handTuned

    @Test func `thirty cards without an unlock are enough for a moderate intervention at any steady pace, and for no high one`() {
        for velocity in [0.6, 1.2, 2, 3.5, 9, 50] {
            for seconds in [20.0, 60, 300, 1200] {
                #expect(action(handTuned, inputs(velocity: velocity, drought: 30, seconds: seconds, depth: 1)) == .moderate)
                #expect(action(handTuned, inputs(velocity: velocity, drought: 200, seconds: seconds, depth: 1)) == .moderate)
                #expect(action(handTuned, inputs(velocity: velocity, drought: 20, seconds: seconds, depth: 1)) == .none)
            }
        }
    }

    @Test func `drought with slowing is enough for a high one, and slowing alone for none until the visitor has all but stopped`() {
        #expect(action(handTuned, inputs(velocity: 1.2, trend: -0.3, drought: 30, seconds: 60, depth: 0.9)) == .high)
        #expect(action(handTuned, inputs(velocity: 1.2, trend: -0.3, drought: 2, seconds: 60, depth: 0.9)) == .none)
        #expect(action(handTuned, inputs(velocity: 0.2, trend: -0.4, drought: 0, seconds: 60, depth: 0.9)) == .high)
        #expect(action(handTuned, inputs(velocity: 0.2, trend: 0, drought: 0, seconds: 3600, depth: 0.2)) == .none, "slow by nature, but steady")
    }

    /// From the formula in docs/colorscroller.md, in Python.
    @Test(arguments: [(2.0, 0.0, 0, -2.7483333333333335), (2, 0, 30, 0.46166666666666667), (1.2, -0.3, 30, 1.574103641456583),
                      (0.2, -0.4, 0, 0.9630952380952379)])
    func `the hand-tuned margin is the sum of its weights`(velocity: Double, trend: Double, drought: Int, logOdds: Double) {
        #expect(abs(handTuned.logOdds(inputs(velocity: velocity, trend: trend, drought: drought, seconds: 60, depth: 0.9)) - logOdds) < 1e-12)
    }

    /// Unlocks come 500 / 144 times as often on the course of visits of 90 cards.
    @Test func `a drought is long by the course, and never shorter than twelve cards`() {
        func course(_ views: Double) -> Course { Course(Tuning(KnobSettings([ColorScroller.course.name: .number(views)])), after: []) }
        #expect([course(500), course(250), course(0), course(20), course(1000)].map(HandTunedChurn.longDrought) == [30, 15, 12, 12, 60])
        #expect(action(handTuned, inputs(drought: 12, on: course(0))) == .moderate && action(handTuned, inputs(drought: 12)) == .none)
    }

    // MARK: calibrated

    /// From the table and the formulas, in Python.
    @Test(arguments: [(1.5, 0.0, 10, 120.0, 0.6, 0.011968913210445468), (0.4, -0.15, 12, 200, 0.5, 0.5492839766081871),
                      (0.2, -0.3, 20, 240, 0.3, 0.8197589731514968), (2.5, 0.1, 0, 30, 1, 0.004398559364133133),
                      (0, -2, 60, 3600, 0, 0.969783958130477)])
    func `the calibrated model says what it said under version 2`(velocity: Double, trend: Double, drought: Int, seconds: Double, depth: Double,
                                                                churn: Double) {
        let snapshot = inputs(velocity: velocity, trend: trend, drought: drought, seconds: seconds, depth: depth)
        #expect(abs(CalibratedChurn.probability(snapshot) - churn) < 1e-12)
        #expect(abs(LogOdds.probability(of: ChurnModel.own(.calibrated).logOdds(snapshot)) - churn) < 1e-12)
    }

    @Test func `the calibrated model's margin decides exactly as its probability does`() {
        let (logOdds, probabilities) = (Interventions.Thresholds.logOdds, Interventions.Thresholds.probabilities)
        for threshold in [probabilities.moderate, probabilities.high] {
            var (below, above) = (threshold.nextDown, threshold)
            for _ in 0..<2_000 {
                for churn in [below, above] {
                    #expect(logOdds.action(for: CalibratedChurn.logOdds(of: churn)) == probabilities.action(for: churn))
                }
                (below, above) = (below.nextDown, above.nextUp)
            }
        }
        for churn in stride(from: 0.0, through: 1, by: 0.0001) {
            #expect(logOdds.action(for: CalibratedChurn.logOdds(of: churn)) == probabilities.action(for: churn))
            #expect(CalibratedChurn.logOdds(of: churn).isFinite)
        }
    }

    /// 1 / (1 + math.exp(-2.5)) and math.log(0.9 / 0.1), in Python.
    @Test func `log-odds become probabilities, and back`() {
        #expect(abs(LogOdds.probability(of: 2.5) - 0.9241418199787566) < 1e-15 && LogOdds.probability(of: 0) == 0.5)
        #expect(abs(LogOdds.logit(of: 0.9) - 2.1972245773362196) < 1e-14)
        #expect(LogOdds.probability(of: -2_000) == 0 && LogOdds.probability(of: 2_000) == 1)
        #expect(abs(LogOdds.probability(of: Interventions.Thresholds.logOdds.moderate) - 0.55) < 4e-15)
        #expect(abs(LogOdds.probability(of: Interventions.Thresholds.logOdds.high) - 0.70) < 4e-15)
    }

    // MARK: learned

    private func linear(_ weights: [Double]) -> Classifier {
        Classifier(name: "churn.mlmodel", digest: "00", inputs: ChurnInputs.names, form: .linear(LinearForm(weights: weights, offset: 0.5)))
    }

    @Test func `a classifier gets the inputs that the piece declares, in their order`() {
        let snapshot = inputs(velocity: 0.1, trend: -0.25, drought: 7, seconds: 50, depth: 0.8)
        #expect(ColorScroller.declaration.prediction?.inputs == ChurnInputs.names)
        let expected: [Float] = [0.1, -0.25, 7, 50, 40, 0.8, 40, 38, 4, 2, 2]
        for (index, value) in expected.enumerated() {
            var weights = [Double](repeating: 0, count: expected.count)
            weights[index] = 2
            let model = ChurnModel(.learned(linear(weights)))
            #expect(model.logOdds(snapshot) == 2 * Double(value) + 0.5, "\(ChurnInputs.names[index])")
        }
    }

    @Test func `all inputs but the depth are columns of the telemetry, and the depth follows from two of them`() {
        let columns = ColorScroller.scrolls.columns.map(\.name)
        #expect(ChurnInputs.names.filter { !columns.contains($0) } == ["engagement_depth"])
        #expect(inputs(seconds: 50, depth: 0.8).engagementDepth == 0.8 && inputs(seconds: 0, depth: 0).engagementDepth == 1)
    }

    @Test func `a run goes by the model that it is given, under its name`() {
        #expect(ColorScroller.declaration.prediction?.models == ["handTuned", "calibrated"])
        #expect(ChurnModel(nil) == .own(.handTuned))
        for name in ["handTuned", "calibrated"] { #expect(ChurnModel(.own(name)).name == name) }
        let classifier = linear([Double](repeating: 1, count: 11))
        #expect(ChurnModel(.learned(classifier)) == .learned(classifier) && ChurnModel(.learned(classifier)).name == "churn.mlmodel")
    }
}

@testable import ColorScroller
import Experience
import Signals
import Testing

private let middling = ChurnSnapshot(velocity: 1.5, velocityTrend: 0, rewardDrought: 10, sessionFatigue: 120, engagementDepth: 0.6)

@Suite struct ChurnTests {
    private let churn = CalibratedChurn()

    private func probabilities(_ values: StrideThrough<Double>, _ change: (inout ChurnSnapshot, Double) -> Void) -> [Double] {
        values.map { value in
            var snapshot = middling
            change(&snapshot, value)
            return churn.probability(snapshot)
        }
    }

    @Test func `P(churn) is monotonic in each of its five signals`() {
        let falling = [probabilities(stride(from: 0, through: 60, by: 0.1)) { $0.velocity = $1 },
                       probabilities(stride(from: -20, through: 20, by: 0.05)) { $0.velocityTrend = $1 },
                       probabilities(stride(from: 0, through: 1, by: 0.01)) { $0.engagementDepth = $1 }]
        let rising = [probabilities(stride(from: 0, through: 200, by: 1)) { $0.rewardDrought = Int($1) },
                      probabilities(stride(from: 0, through: 7200, by: 5)) { $0.sessionFatigue = $1 }]
        for values in rising + falling.map({ $0.reversed() }) {
            #expect(zip(values, values.dropFirst()).allSatisfy { $0 <= $1 })
            #expect(values[0] < values[values.count - 1])
            #expect(values.allSatisfy { (0...1).contains($0) })
        }
    }

    @Test func `the ends of all signals lie near the ends of the scale`() {
        let gone = ChurnSnapshot(velocity: 0, velocityTrend: -50, rewardDrought: 1000, sessionFatigue: 1e9, engagementDepth: 0)
        let caught = ChurnSnapshot(velocity: 1e9, velocityTrend: 50, rewardDrought: 0, sessionFatigue: 0, engagementDepth: 1)
        #expect(churn.probability(gone) > 0.9 && churn.probability(caught) < 0.02)
    }

    @Test(arguments: [(0.5499999, nil), (0.55, .moderate), (0.6999999, .moderate), (0.70, .high), (1, .high)]
        as [(Double, Intervention.Strength?)])
    func `the machine steps in exactly at its thresholds`(churn: Double, strength: Intervention.Strength?) {
        var interventions = Interventions()
        #expect(interventions.decide(churn, viewed: 1) == strength)
    }

    @Test func `after an intervention twelve cards go by without one`() {
        var interventions = Interventions()
        let views = (1...50).filter { interventions.decide(0.9, viewed: $0) != nil }
        #expect(views == [1, 14, 27, 40])
        #expect(interventions.count == 4)
        var mild = Interventions()
        #expect((1...50).filter { mild.decide(0.6, viewed: $0) != nil } == [1, 14, 27, 40])
    }

    @Test func `a high one comes through the cooldown of a moderate one, and nothing through that of a high one`() {
        var interventions = Interventions()
        let strengths = [0.6, 0.6, 0.8, 0.6, 0.8].enumerated().map { interventions.decide($0.element, viewed: $0.offset + 1) }
        #expect(strengths == [.moderate, nil, .high, nil, nil])
        #expect(interventions.decide(0.6, viewed: 15) == nil && interventions.decide(0.6, viewed: 16) == .moderate)
    }

    /// Slopes from numpy.polyfit(range(5), …, 1), and of the last eight of ten.
    @Test func `the velocity's trend is the slope of a line through the last eight`() {
        var pace = Pace()
        for (second, velocity) in [1.0, 2.5, 2.0, 4.0, 3.5].enumerated() { pace.scroll(at: Double(second), velocity: velocity) }
        #expect(abs(pace.trend - 0.65) < 1e-12)
        pace = Pace()
        for (second, velocity) in [9.0, 8, 1, 2, 3, 4, 5, 6, 7, 3.5].enumerated() { pace.scroll(at: Double(second), velocity: velocity) }
        #expect(abs(pace.trend - 0.625) < 1e-12)
    }

    @Test func `a pause counts as scrolling for two seconds`() {
        var pace = Pace()
        for time in [1.0, 2.5, 10.0] { pace.scroll(at: time, velocity: nil) }
        #expect(pace.activeSeconds == 1 + 1.5 + 2)
        #expect(!pace.isScrolling)
        pace.scroll(at: 11, velocity: nil)
        #expect(pace.isScrolling && pace.velocity == 1)
    }
}

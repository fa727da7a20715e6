import Experience
@testable import Offline
import Testing

/// Expected values are numpy 2.4's, of the formulas in the names, or counted by hand.
@Suite struct PredictionFiguresTests {
    private func isNear(_ a: Double?, _ b: Double) -> Bool { a.map { abs($0 - b) < 1e-9 } ?? false }

    @Test func `a mean has an interval of 1.96 standard errors`() throws {
        let estimate = try #require(Estimate.mean([1, 2, 4, 7, 11]))
        #expect(isNear(estimate.value, 5) && isNear(estimate.low, 5 - 3.5604514191710015) && isNear(estimate.high, 5 + 3.5604514191710015))
        #expect(Estimate.mean([3]) == Estimate(3) && Estimate.mean([]) == nil)
    }

    @Test func `a share has Wilson's interval, which stays within 0 and 1`() throws {
        let estimate = try #require(Estimate.share(8, of: 20))
        #expect(isNear(estimate.value, 0.4) && isNear(estimate.low, 0.21880653127178018) && isNear(estimate.high, 0.6134185007652458))
        let none = try #require(Estimate.share(0, of: 5))
        #expect(none.value == 0 && (none.low ?? 1) < 1e-12 && (none.high ?? 0) > 0.3)
        #expect(Estimate.share(0, of: 0) == nil)
    }

    @Test func `a ratio of sums counts the parts of one visit as one`() throws {
        let estimate = try #require(Estimate.ratio([(1, 10), (0, 5), (2, 20), (1, 5)]))
        #expect(isNear(estimate.value, 0.1) && isNear(estimate.high, 0.1 + 0.04000759761853574))
        #expect(Estimate.ratio([(1, 0)]) == nil)
        #expect(isNear((estimate * 40).value, 4))
    }

    @Test func `the area under the ROC curve is the share of pairs in the right order, and a tie counts half`() throws {
        let logOdds = [0.1, 0.4, 0.4, 0.8, -1, 0.4, 2, 0.1]
        let leaving = [false, true, false, true, false, false, true, true]
        let moments = zip(logOdds, leaving).map { (logOdds: $0, isLeaving: $1) }
        #expect(isNear(RankArea([moments]).area, 0.78125))
        // However they are dealt out to visits.
        #expect(isNear(RankArea(moments.map { [$0] }).area, 0.78125))
        #expect(RankArea([[(1, true), (2, true)]]).area == nil)
    }

    @Test func `the area's interval is about it, the same each time, and smaller the more visits there are`() throws {
        // Uniform margins, those of who leaves moved up by 0.5: the area is 1 - 0.5²/2 = 0.875.
        func area(_ visits: Int) -> RankArea {
            var draws = SplitMix64(seed: 7)
            return RankArea((0..<visits).map { _ in (0..<10).map { index in (draws.unit() + (index == 9 ? 0.5 : 0), index == 9) } })
        }
        let (few, many) = (try #require(area(50).estimate()), try #require(area(800).estimate()))
        #expect(abs(many.value - 0.875) < 0.02)
        #expect(try #require(many.low) < many.value && many.value < #require(many.high))
        #expect(try #require(many.high) - #require(many.low) < #require(few.high) - #require(few.low))
        #expect(area(50).estimate() == few)
        #expect(try #require(RankArea([[(1, true), (0, false)]]).estimate()) == Estimate(1))
    }

    @Test func `Brier's score is the mean square of what the probability is off by`() {
        #expect(isNear(PredictionSkill.brier([(-2, false), (0, true), (1.5, true)]), 0.09916280278487817))
        #expect(PredictionSkill.brier([]) == nil)
    }

    @Test(arguments: [([3.0, 1, 2], 2.0), ([4.0, 1, 2, 3], 2.5), ([7.0], 7.0)])
    func `a median is the middle`(values: [Double], middle: Double) { #expect(PredictionFigures.median(values) == middle) }

    /// Moments from words: a capital letter is one at which the piece steps in, `e` one at which the visitor likes being there.
    private func visit(_ words: String, left: Bool = true, logOdds: [Double]? = nil) -> PredictedVisit {
        var visit = PredictedVisit()
        visit.moments = words.enumerated().map { index, letter in
            PredictedVisit.Moment(logOdds: logOdds?[index] ?? 0, isStep: letter.isUppercase, isEngaged: letter.lowercased() == "e")
        }
        visit.hasLeft = left
        return visit
    }

    @Test func `felt is what comes when somebody wants to leave, early enough before they do`() {
        #expect(visit("eeeeWwwwww").isFelt(reach: 5))
        // Too late, and too early.
        #expect(!visit("eeeewWwwww").isFelt(reach: 5))
        #expect(!visit("eEeewwwwww").isFelt(reach: 5))
        #expect(visit("eEeewwwwww").momentsAfterFirstStep == 8 && visit("ee").momentsAfterFirstStep == nil)
        #expect(visit("ew").hadEnough && !visit("we").hadEnough && !visit("ew", left: false).hadEnough)
    }

    @Test func `figures are of all visits, and what is felt of those who had enough`() {
        let visits = [visit("eEeeWwwwww"), visit("eEeeeeeeee"), visit("eeeewwwwww"), visit("EeeeWwwwww", left: false)]
        let figures = PredictionFigures(visits, reach: 5)
        #expect(figures.visits == 4 && figures.steps?.value == 1.25)
        #expect(figures.felt?.value == 0.5)
        // 3 steps in 4 + 10 + 4 + 4 moments.
        #expect(isNear(figures.disturbed?.value, 40 * 3.0 / 22))
        // Nobody knows how far from the end the last one's was: with it the median would be 8.5 below.
        #expect(figures.leadOfFirst == 8 && figures.moments?.value == 10)
        #expect(PredictionFigures([visits[0], visits[3]], reach: 5).leadOfFirst == 8)
        #expect(PredictionFigures([visits[3]], reach: 5).leadOfFirst == nil)
    }

    @Test func `the last moments of a visit that was cut short are of no kind`() {
        let cut = visit("eeeeeee", left: false).labelled(reach: 5), left = visit("eeeeeee").labelled(reach: 5)
        #expect(cut.map(\.isLeaving) == [false, false])
        #expect(left.map(\.isLeaving) == [false, false, true, true, true, true, true])
    }

    private func practice(_ grades: [PredictionPractice.Grade]) -> PredictionPractice {
        PredictionPractice(words: [:], visitor: "", exploration: "", holdout: "", first: 2, grades: grades, reach: 5,
                           isStep: { _ in false })
    }

    private func tradeOff(_ visits: [PredictedVisit], _ grades: [PredictionPractice.Grade]) -> [TradeOff.Point] {
        TradeOff(visits, practice(grades)).points
    }

    @Test func `a piece would step in from its first moment on and outside the rest of how it stepped in last`() {
        let practice = practice([.init(from: 0.5, rest: 1), .init(from: 1.5, rest: 3)])
        let logOdds = [9.0, 1, 9, 0, 1, 2, 9, 9, 9, 1, 0.9]
        let now = practice.steps(by: logOdds, from: 0.5)
        #expect(now.map(\.moment) == [1, 4, 6, 10] && now.map(\.grade) == [0, 0, 1, 0])
        // The stronger one's threshold is 1.9 then.
        let eager = practice.steps(by: logOdds, from: 0.9)
        #expect(eager.map(\.moment) == [1, 4, 6, 10] && eager.map(\.grade) == [0, 0, 1, 0])
        let shy = practice.steps(by: logOdds, from: 2)
        #expect(shy.map(\.moment) == [2, 6] && shy.map(\.grade) == [1, 1])
        #expect(practice.steps(by: [], from: 0).isEmpty && practice.steps(by: logOdds, from: 10).isEmpty)
    }

    @Test func `in a trade-off the stronger threshold moves with the weaker, and has its own rest`() throws {
        let visits = [visit("eeeeeeeeeew", logOdds: [0, 1, 1, 1, 1, 1, 2, 1, 1, 1, 0])]
        let points = tradeOff(visits, [.init(from: 0.2, rest: 1), .init(from: 1.2, rest: 9)])
        // Weak ones at every second moment, the second to the tenth: what calls for a strong one comes within a rest.
        #expect(isNear(points.first { $0.threshold == 1 }?.disturbed, 40 * 5.0 / 10))
        let strong = tradeOff([visit("eeeeeeeeeew", logOdds: [0, 0, 2, 1, 1, 1, 1, 1, 1, 1, 0])],
                              [.init(from: 0.2, rest: 1), .init(from: 1.2, rest: 9)])
        #expect(isNear(strong.first { $0.threshold == 1 }?.disturbed, 40 * 1.0 / 10))
    }

    @Test func `a trade-off keeps to the first moment, to the rest and to the reach`() throws {
        let visits = [
            visit("eeewwwwwww", logOdds: [5, 0, 0, 1, 3, 0, 0, 0, 4, 0]),
            visit("eeeeeeeeee", logOdds: [0, 2, 0, 2, 0, 0, 0, 0, 0, 0]),
        ]
        let points = tradeOff(visits, [.init(from: 0.2, rest: 3)])
        func point(_ threshold: Double) -> TradeOff.Point? { points.first { $0.threshold == threshold } }
        // 5 comes before the second moment, and 4 too late.
        #expect(point(5)?.felt == 0 && point(4)?.felt == 0)
        #expect(point(3)?.felt == 1 && point(3)?.disturbed == 0)
        // The second 2 comes within the rest of the first; 13 moments are of somebody who likes being there.
        #expect(isNear(point(2)?.disturbed, 40 * 1.0 / 13))
        #expect(points.map(\.threshold) == points.map(\.threshold).sorted(by: >))
        // From 0 on the rest after one that comes too early lasts until it is too late.
        #expect(point(1)?.felt == 1 && point(0)?.felt == 0)
        #expect(isNear(point(1)?.disturbed, 40 * 1.0 / 13) && isNear(point(0)?.disturbed, 40 * 4.0 / 13))
        // Without rests a lower threshold takes nothing back.
        let restless = tradeOff(visits, [.init(from: 0.2, rest: 0)])
        #expect(zip(restless, restless.dropFirst()).allSatisfy { $0.threshold > $1.threshold })
        #expect(zip(restless, restless.dropFirst()).allSatisfy { $0.felt <= $1.felt && $0.disturbed <= $1.disturbed })
        #expect(restless.last?.felt == 1 && isNear(restless.last?.disturbed, 40 * 11.0 / 13))
    }
}

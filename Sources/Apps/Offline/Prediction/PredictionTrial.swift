import Experience
import Fields
import Signals
import Units

/// Tries the models by which a piece predicts. The same simulated visitors, with the same seeds, visit under each model.
///
/// A visitor draws the same random numbers under every model, and the piece's feed for a seed is the same until the piece steps in. So any
/// difference between two visits of one seed comes from the models. Exploration is off: the piece does what each model calls for.
public struct PredictionTrial: Sendable {
    private let piece: any Experience.Type
    private let visitor: VisitorDeclaration
    private let turns: Int
    private let idle: Seconds
    public let practice: PredictionPractice
    private let exploration: Knob
    private let holdout: Knob

    /// Prepares a trial of a piece with visitors of one kind, who stay for at most `turns` turns. Throws a `Fault` where the piece does not
    /// predict, or lacks the knobs that a trial needs.
    public init(of piece: any Experience.Type, on visitor: VisitorDeclaration, turns: Int, idle: Seconds) throws(Fault) {
        let declaration = piece.declaration
        guard let practice = declaration.prediction?.practice else {
            throw Fault(field: "experience", expected: "a piece that predicts", found: "\"\(declaration.name)\"")
        }
        func knob(_ name: String) throws(Fault) -> Knob {
            guard let knob = declaration.knobs.first(where: { $0.name == name }) else {
                throw Fault(field: "experience", expected: "a piece with the knob \(name)", found: "\"\(declaration.name)\"")
            }
            return knob
        }
        exploration = try knob(practice.exploration)
        holdout = try knob(practice.holdout)
        self.piece = piece
        self.visitor = visitor
        self.turns = turns
        self.idle = idle
        self.practice = practice
    }

    /// Simulates one visit: that of the visitor who is drawn by `seed`, with the predictions of `model`. Where `mayStep` is false, the
    /// piece never acts on the predictions, which are only recorded.
    public func visit(seed: UInt64, by model: PredictionModel, mayStep: Bool) -> PredictedVisit {
        var knobs = KnobSettings.standard
        knobs[exploration] = .number(0)
        knobs[holdout] = .number(mayStep ? 0 : 1)
        var simulation = Simulation(piece, visitor, seed: seed, turns: turns, idle: idle, knobs: knobs, model: model)
        var visit = PredictedVisit()
        while let step = simulation.next() {
            // Afterwards comes the idle time, in which nobody is there.
            guard case .event(let event, _, _, _) = step.entry, event.client != .engine else { continue }
            visit.seconds = simulation.seconds
            guard let logOdds = step.logOdds else { continue }
            visit.moments.append(PredictedVisit.Moment(logOdds: logOdds, isStep: step.announcements.contains(where: practice.isStep),
                                                       isEngaged: simulation.isEngaged))
        }
        visit.hasLeft = simulation.hasLeft
        return visit
    }
}

/// The effect of a model: how much longer its visits are than visits of the same visitors in which the piece never steps in.
public struct PredictionEffect: Equatable, Encodable, Sendable {
    public var moments: Estimate?
    public var minutes: Estimate?

    /// Compares `visits` with `nothing`: visits with the same seeds in the same order, in which the piece never stepped in.
    public init(of visits: [PredictedVisit], beside nothing: [PredictedVisit]) {
        precondition(visits.count == nothing.count, "each visit has one beside it")
        let pairs = zip(visits, nothing)
        moments = .mean(pairs.map { Double($0.moments.count - $1.moments.count) })
        minutes = .mean(pairs.map { ($0.seconds - $1.seconds) / 60 })
    }
}

/// An estimate from a sample of visits, with its 95 % confidence interval.
public struct Estimate: Equatable, Encodable, Sendable {
    public var value: Double
    /// The lower and the upper end of the 95 % confidence interval; both nil where the sample is too small for one, such as a single visit.
    public var low: Double?
    public var high: Double?

    public init(_ value: Double, low: Double? = nil, high: Double? = nil) {
        self.value = value
        self.low = low
        self.high = high
    }

    /// The number of standard deviations to each side of the mean between which a normal distribution has 95 % of its values.
    static let deviate = 1.959964

    /// Returns the mean of `values`; nil where there are none. The confidence interval assumes that the mean is normally distributed, as
    /// means of many values are.
    public static func mean(_ values: [Double]) -> Estimate? {
        guard !values.isEmpty else { return nil }
        let count = Double(values.count)
        let mean = values.reduce(0, +) / count
        guard values.count > 1 else { return Estimate(mean) }
        let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        let half = deviate * (squares / (count - 1) / count).squareRoot()
        return Estimate(mean, low: mean - half, high: mean + half)
    }

    /// Returns the fraction `part` / `whole`; nil where `whole` is 0. The confidence interval is E. B. Wilson's (Journal of the American
    /// Statistical Association 22, 1927).
    public static func share(_ part: Int, of whole: Int) -> Estimate? {
        guard whole > 0 else { return nil }
        let (count, share, square) = (Double(whole), Double(part) / Double(whole), deviate * deviate)
        let middle = (share + square / (2 * count)) / (1 + square / count)
        let half = deviate / (1 + square / count) * (share * (1 - share) / count + square / (4 * count * count)).squareRoot()
        return Estimate(share, low: max(0, middle - half), high: min(1, middle + half))
    }

    /// Returns the sum of all parts divided by the sum of all wholes; nil where the wholes add up to 0. Each pair is from one visit. The
    /// confidence interval is by the delta method over visits, because the moments of one visit are not independent.
    public static func ratio(_ pairs: [(part: Double, whole: Double)]) -> Estimate? {
        let whole = pairs.reduce(0) { $0 + $1.whole }
        guard whole > 0 else { return nil }
        let ratio = pairs.reduce(0) { $0 + $1.part } / whole
        guard pairs.count > 1 else { return Estimate(ratio) }
        let count = Double(pairs.count)
        let squares = pairs.reduce(0) { $0 + ($1.part - ratio * $1.whole) * ($1.part - ratio * $1.whole) }
        let half = deviate * (squares * count / (count - 1)).squareRoot() / whole
        return Estimate(ratio, low: ratio - half, high: ratio + half)
    }

    public static func * (estimate: Estimate, factor: Double) -> Estimate {
        Estimate(estimate.value * factor, low: estimate.low.map { $0 * factor }, high: estimate.high.map { $0 * factor })
    }
}

/// The consequences that different thresholds for a model's log-odds would have. With a lower threshold, more visitors who are about to
/// leave would have felt the piece step in, but visitors who like being there would have been disturbed more often.
///
/// The log-odds are from visits in which the piece never stepped in, so that no model is judged by its own effects.
public struct TradeOff: Sendable {
    public struct Point: Equatable, Encodable, Sendable {
        /// The log-odds that the visitor is about to leave from which on the piece would step in.
        public var threshold: Double
        /// Among the visitors who left because they had enough, the fraction who would have felt the piece step in, 0…1.
        public var felt: Double
        /// How often the piece would have stepped in, for every forty moments (predictions) at which the visitor liked being there.
        public var disturbed: Double
    }

    /// The points, from the highest threshold to the lowest.
    public let points: [Point]

    /// The largest number of points.
    private static let most = 80

    /// Computes what each threshold would have led to in `visits`, by the rule `practice` that says when the piece steps in.
    public init(_ visits: [PredictedVisit], _ practice: PredictionPractice) {
        let whole = visits.count { $0.hadEnough }
        let engaged = visits.reduce(0) { $0 + $1.engaged.moments }
        let logOdds = visits.map { $0.moments.map(\.logOdds) }
        points = Self.thresholds(visits).map { threshold in
            var (felt, steps) = (0, 0)
            for (visit, logOdds) in zip(visits, logOdds) {
                var isFelt = false
                for (index, _) in practice.steps(by: logOdds, from: threshold) {
                    if visit.moments[index].isEngaged { steps += 1 } else if index < logOdds.count - practice.reach { isFelt = true }
                }
                if isFelt, visit.hadEnough { felt += 1 }
            }
            return Point(threshold: threshold, felt: Double(felt) / Double(max(1, whole)),
                         disturbed: 40 * Double(steps) / Double(max(1, engaged)))
        }
    }

    /// Returns the thresholds to try, the highest first. They are taken from the log-odds of all predictions in `visits`. Each is exceeded
    /// by about a fifth more predictions than the one before, so high thresholds are close together.
    private static func thresholds(_ visits: [PredictedVisit]) -> [Double] {
        let sorted = visits.flatMap { $0.moments.map(\.logOdds) }.sorted(by: >)
        var (thresholds, index): ([Double], Int) = ([], 0)
        while index < sorted.count, thresholds.count < most {
            if sorted[index] != thresholds.last { thresholds.append(sorted[index]) }
            index += max(1, index / 5)
        }
        return thresholds
    }
}

/// How well a model's log-odds of leaving separate predictions before somebody left from all others: the area under the ROC
/// curve. It is the chance that a random prediction before leaving has higher log-odds than a random other one. A tie counts half (H. B.
/// Mann and D. R. Whitney, The Annals of Mathematical Statistics 18, 1947).
public struct RankArea: Sendable {
    /// One prediction during a visit. `RankArea.moments` has all predictions, those with the lowest log-odds first.
    private struct Moment {
        var logOdds: Double
        var isLeaving: Bool
        /// The index of the visit to which the prediction belongs, from 0.
        var visit: Int
    }

    private let moments: [Moment]
    private let visits: Int

    /// Takes all predictions by visit: `logOdds` is the log-odds that the visitor is about to leave, and `isLeaving` says whether the
    /// visitor did leave soon. No log-odds may be NaN.
    public init(_ visits: [[(logOdds: Double, isLeaving: Bool)]]) {
        self.visits = visits.count
        moments = visits.enumerated().flatMap { visit, moments in
            moments.map { Moment(logOdds: $0.logOdds, isLeaving: $0.isLeaving, visit: visit) }
        }.sorted { $0.logOdds < $1.logOdds }
    }

    /// The area under the ROC curve, 0…1; nil unless some predictions were before leaving and some were not.
    public var area: Double? { area(weights: [Int](repeating: 1, count: visits)) }

    /// Returns the area under the ROC curve with a 95 % confidence interval by bootstrap. Each of the `samples` samples draws as many
    /// visits as there are, with repetition. Visits are drawn and not predictions, because those of one visit are alike. The same seed
    /// gives the same interval. Nil unless some predictions were before leaving and some were not.
    public func estimate(samples: Int = 200, seed: UInt64 = 1) -> Estimate? {
        guard let area else { return nil }
        var draws = SplitMix64(seed: seed)
        var areas: [Double] = []
        for _ in 0..<samples {
            var weights = [Int](repeating: 0, count: visits)
            for _ in 0..<visits { weights[draws.below(visits)] += 1 }
            if let sample = self.area(weights: weights) { areas.append(sample) }
        }
        areas.sort()
        guard visits > 1, areas.count >= 40 else { return Estimate(area) }
        let outside = Int((0.025 * Double(areas.count)).rounded(.down))
        return Estimate(area, low: areas[outside], high: areas[areas.count - 1 - outside])
    }

    /// Returns the area under the ROC curve, with the predictions of each visit counted as often as its weight says.
    private func area(weights: [Int]) -> Double? {
        var (staying, leaving, pairs) = (0.0, 0.0, 0.0)
        var index = 0
        while index < moments.count {
            let logOdds = moments[index].logOdds
            var (stayingHere, leavingHere) = (0.0, 0.0)
            while index < moments.count, moments[index].logOdds == logOdds {
                let weight = Double(weights[moments[index].visit])
                if moments[index].isLeaving { leavingHere += weight } else { stayingHere += weight }
                index += 1
            }
            pairs += leavingHere * (staying + stayingHere / 2)
            staying += stayingHere
            leaving += leavingHere
        }
        return staying > 0 && leaving > 0 ? pairs / (staying * leaving) : nil
    }
}

import Glibc

/// A visit, with the model's predictions during it.
public struct PredictedVisit: Equatable, Sendable {
    /// A moment of a visit: an event for which the model made a prediction.
    public struct Moment: Equatable, Sendable {
        /// The model's prediction: the log-odds that the visitor is about to leave.
        public var logOdds: Double
        /// Whether the piece stepped in because its model called for it. Steps by chance do not count.
        public var isStep: Bool
        /// Whether the visitor liked being there. Only a simulation knows that.
        public var isEngaged: Bool

        public init(logOdds: Double, isStep: Bool, isEngaged: Bool = true) {
            self.logOdds = logOdds
            self.isStep = isStep
            self.isEngaged = isEngaged
        }
    }

    public var moments: [Moment] = []
    /// The seconds from the visit's start to the visitor's last event.
    public var seconds = 0.0
    /// Whether the visit ended because the visitor left, and not because it was cut short.
    public var hasLeft = false
    /// Whether the visit, or a part of it, was held out: drawn by chance as one in which the piece must not act on its model's predictions.
    public var isHeldOut = false

    public init() {}

    public var steps: Int { moments.count { $0.isStep } }

    /// The number of moments (predictions) from the first time that the piece stepped in to the end of the visit; nil where it never did.
    public var momentsAfterFirstStep: Int? { moments.firstIndex { $0.isStep }.map { moments.count - 1 - $0 } }

    /// Whether the visitor left because they had enough. False for a visitor who was called away, or whose visit the simulation cut short.
    public var hadEnough: Bool { hasLeft && moments.last?.isEngaged == false }

    /// Whether the piece stepped in when the visitor had had enough, and `reach` or more moments (predictions) were still to come.
    public func isFelt(reach: Int) -> Bool { moments.dropLast(reach).contains { $0.isStep && !$0.isEngaged } }

    /// The number of moments (predictions) at which the visitor liked being there, and at how many of them the piece stepped in.
    public var engaged: (steps: Int, moments: Int) {
        moments.reduce((0, 0)) { $1.isEngaged ? ($0.0 + ($1.isStep ? 1 : 0), $0.1 + 1) : $0 }
    }

    /// Returns the moments (predictions) for which it is known whether the visitor left within `reach` further ones. For the last `reach`
    /// moments of a visit that was cut short, that is not known.
    public func labelled(reach: Int) -> [(logOdds: Double, isLeaving: Bool)] {
        let last = moments.count - reach
        return (hasLeft ? moments[...] : moments.dropLast(reach)).enumerated().map { ($1.logOdds, hasLeft && $0 >= last) }
    }
}

/// The results of many visits under one model.
public struct PredictionFigures: Equatable, Encodable, Sendable {
    public var visits: Int
    /// The mean number of times in a visit that the piece stepped in.
    public var steps: Estimate?
    /// The number of moments (predictions) from the first time that the piece stepped in to the end of the visit. It is the median over
    /// those visitors who left and in whose visit the piece stepped in.
    public var leadOfFirst: Double?
    /// The fraction of visitors who felt that the piece stepped in: it did so after they had had enough, and `reach` or more moments before
    /// they left. Only visitors who left because they had enough are counted.
    public var felt: Estimate?
    /// How often the piece stepped in, for every forty moments (predictions) at which the visitor liked being there.
    public var disturbed: Estimate?
    public var moments: Estimate?
    public var minutes: Estimate?

    public init(_ visits: [PredictedVisit], reach: Int) {
        self.visits = visits.count
        steps = .mean(visits.map { Double($0.steps) })
        leadOfFirst = Self.median(visits.filter(\.hasLeft).compactMap(\.momentsAfterFirstStep).map(Double.init))
        let whole = visits.filter(\.hadEnough)
        felt = .share(whole.count { $0.isFelt(reach: reach) }, of: whole.count)
        disturbed = Estimate.ratio(visits.map { visit in
            let engaged = visit.engaged
            return (Double(engaged.steps), Double(engaged.moments))
        }).map { $0 * 40 }
        moments = .mean(visits.map { Double($0.moments.count) })
        minutes = .mean(visits.map { $0.seconds / 60 })
    }

    /// Returns the median of `values`, which is the mean of the middle two where their number is even; nil where there are none.
    static func median(_ values: [Double]) -> Double? {
        let sorted = values.sorted()
        guard !sorted.isEmpty else { return nil }
        return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
    }
}

/// How well a model's log-odds of leaving tell which visitors were about to leave.
public struct PredictionSkill: Equatable, Encodable, Sendable {
    /// The area under the ROC curve for log-odds as predictors of leaving within `reach` further predictions; nil unless some
    /// visitors left and some stayed.
    public var area: Estimate?
    /// The mean squared error of the predicted probabilities (G. W. Brier's score); nil where there are no predictions.
    public var brier: Double?

    /// Evaluates the predictions for which it is known whether the visitor left within `reach` further ones.
    public init(_ visits: [PredictedVisit], reach: Int) {
        let labelled = visits.map { $0.labelled(reach: reach) }
        area = RankArea(labelled).estimate()
        brier = Self.brier(labelled.flatMap(\.self))
    }

    static func brier(_ moments: [(logOdds: Double, isLeaving: Bool)]) -> Double? {
        guard !moments.isEmpty else { return nil }
        let squares = moments.reduce(0.0) { sum, moment in
            let error = 1 / (1 + exp(-moment.logOdds)) - (moment.isLeaving ? 1 : 0)
            return sum + error * error
        }
        return squares / Double(moments.count)
    }
}

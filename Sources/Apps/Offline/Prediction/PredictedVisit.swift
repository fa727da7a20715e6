import Glibc

/// A visit as its predictions have it.
public struct PredictedVisit: Equatable, Sendable {
    /// An event at which the piece predicted.
    public struct Moment: Equatable, Sendable {
        /// The log-odds that the visitor is about to leave.
        public var margin: Double
        /// Whether the piece stepped in because its model called for it; what chance did is none.
        public var isStep: Bool
        /// Whether the visitor liked being there, as only a simulation knows.
        public var isEngaged: Bool

        public init(margin: Double, isStep: Bool, isEngaged: Bool = true) {
            self.margin = margin
            self.isStep = isStep
            self.isEngaged = isEngaged
        }
    }

    public var moments: [Moment] = []
    /// The seconds from the visit's start to the visitor's last event.
    public var seconds = 0.0
    /// Whether the visit ended because the visitor left, and not because it was cut short.
    public var hasLeft = false
    /// Whether the visit, or a part of it, was held out, so that the piece could not do what its model called for.
    public var isHeldOut = false

    public init() {}

    public var steps: Int { moments.count { $0.isStep } }

    /// The moments from the first at which the piece stepped in to the end; nil where it never did.
    public var leadOfFirst: Int? { moments.firstIndex { $0.isStep }.map { moments.count - 1 - $0 } }

    /// The visitor had enough, and left: not one who was called away, nor one whom the simulation cut short.
    public var hadEnough: Bool { hasLeft && moments.last?.isEngaged == false }

    /// Whether the piece stepped in when the visitor wanted to leave already, and at least `reach` moments before the end.
    public func isFelt(reach: Int) -> Bool { moments.dropLast(reach).contains { $0.isStep && !$0.isEngaged } }

    /// The moments at which the visitor liked being there, and at how many of them the piece stepped in.
    public var engaged: (steps: Int, moments: Int) {
        moments.reduce((0, 0)) { $1.isEngaged ? ($0.0 + ($1.isStep ? 1 : 0), $0.1 + 1) : $0 }
    }

    /// Returns the moments of which is known whether the visitor left within `reach` of them: of a visit that was cut short the last ones
    /// are not.
    public func labelled(reach: Int) -> [(margin: Double, isLeaving: Bool)] {
        let last = moments.count - reach
        return (hasLeft ? moments[...] : moments.dropLast(reach)).enumerated().map { ($1.margin, hasLeft && $0 >= last) }
    }
}

/// The results of many visits under one model.
public struct PredictionFigures: Equatable, Encodable, Sendable {
    public var visits: Int
    /// How often the piece stepped in, in a visit.
    public var steps: Estimate?
    /// The moments from the first time that it stepped in to the end; the median of the visitors who left and had one.
    public var leadOfFirst: Double?
    /// The share of those who had enough that felt the piece step in at least `reach` moments before they left.
    public var felt: Estimate?
    /// How often the piece stepped in on forty moments at which the visitor liked being there.
    public var disturbed: Estimate?
    public var moments: Estimate?
    public var minutes: Estimate?

    public init(_ visits: [PredictedVisit], reach: Int) {
        self.visits = visits.count
        steps = .mean(visits.map { Double($0.steps) })
        leadOfFirst = Self.median(visits.filter(\.hasLeft).compactMap(\.leadOfFirst).map(Double.init))
        let whole = visits.filter(\.hadEnough)
        felt = .share(whole.count { $0.isFelt(reach: reach) }, of: whole.count)
        disturbed = Estimate.ratio(visits.map { visit in
            let engaged = visit.engaged
            return (Double(engaged.steps), Double(engaged.moments))
        }).map { $0 * 40 }
        moments = .mean(visits.map { Double($0.moments.count) })
        minutes = .mean(visits.map { $0.seconds / 60 })
    }

    /// Returns the middle of `values`, between two where they are even; nil for none.
    static func median(_ values: [Double]) -> Double? {
        let sorted = values.sorted()
        guard !sorted.isEmpty else { return nil }
        return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
    }
}

/// How well margins knew who was about to leave.
public struct PredictionSkill: Equatable, Encodable, Sendable {
    /// The area under the ROC curve, for leaving within the reach; nil where nobody left, or nobody stayed.
    public var area: Estimate?
    /// The mean square of what the probability was off by, by G. W. Brier; nil for no moments.
    public var brier: Double?

    /// Judges the moments of which is known whether the visitor left within `reach` of them.
    public init(_ visits: [PredictedVisit], reach: Int) {
        let labelled = visits.map { $0.labelled(reach: reach) }
        area = RankArea(labelled).estimate()
        brier = Self.brier(labelled.flatMap(\.self))
    }

    static func brier(_ moments: [(margin: Double, isLeaving: Bool)]) -> Double? {
        guard !moments.isEmpty else { return nil }
        let squares = moments.reduce(0.0) { sum, moment in
            let error = 1 / (1 + exp(-moment.margin)) - (moment.isLeaving ? 1 : 0)
            return sum + error * error
        }
        return squares / Double(moments.count)
    }
}

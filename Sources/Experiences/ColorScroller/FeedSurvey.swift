import Experience
import Signals
import Units

/// Gathers statistics of many visits: when each tier was reached, how often the machine stepped in and how long before the end, how loud
/// the tone became, how well P(churn) predicted who would leave, and which results other thresholds would have had.
public struct FeedSurvey: Survey {
    /// The figures of one visit.
    struct Visit {
        let visitor: String
        /// P(churn), the probability that the visitor is about to leave, at each view of a card.
        var churn: [Double] = []
        /// The model's log-odds, at each view of a card, that the visitor is about to leave.
        var logOdds: [Double] = []
        /// The number of cards that had been viewed when each tier was first reached.
        var reached: [Tier: Int] = [:]
        /// The interventions (gifts of the machine), each with the number of cards that had been viewed and its strength.
        var interventions: [(viewed: Int, strength: Intervention.Strength)] = []
        /// The number of the catalogue's rares found so far.
        var rares = 0
        /// The number of interventions (gifts of the machine) that could give no skin.
        var emptyGifts = 0
        /// The tone's level at the last card, in dBFS.
        var level = -Double.infinity

        /// Whether the visitor is of a kind that stays until the simulation ends the visit, and does not slow down.
        var isEngaged: Bool { visitor == VisitorProfile.curious.rawValue || visitor == VisitorProfile.frantic.rawValue }
        var fades: Bool { visitor.hasPrefix(Leaver.Manner.fading.rawValue) }
        var leaves: Bool { (Leaver.declarations + [MotivatedVisitor.declaration]).contains { $0.name == visitor } }
        func hasHigh(inLast cards: Int) -> Bool { interventions.contains { $0.strength == .high && churn.count - $0.viewed < cards } }
    }

    enum Tier: String, CaseIterable {
        case common = "first common", rare = "first rare", made = "first palette", palette = "first of a palette"
        case allRares = "all static rares", special = "first special"
    }

    private(set) var visits: [Visit] = []

    public init() {}

    public mutating func begin(_ visitor: String) { visits.append(Visit(visitor: visitor)) }

    public mutating func add(_ announcement: Announcement) {
        guard !visits.isEmpty else { return }
        visits[visits.count - 1].add(announcement)
    }

    public var report: StatisticsReport {
        StatisticsReport(
            lines: [
                StatisticsReport.Line("visits", "\(visits.count), cards viewed: \(visits.reduce(0) { $0 + $1.churn.count })"),
                StatisticsReport.Line("gifts", "\(visits.reduce(0) { $0 + $1.interventions.count }), of them empty: "
                    + "\(visits.reduce(0) { $0 + $1.emptyGifts })"),
            ],
            tables: [tiers, profiles, calibration, tradeOffTable],
            quantities: quantities, curves: [tradeOffCurve])
    }

    // MARK: Parts

    private var quantities: [StatisticsReport.Quantity] {
        let thresholds = Interventions.Thresholds.probabilities
        return [
            StatisticsReport.Quantity("moderate, to end", distances(.moderate), digits: 0,
                                      caption: "cards from a moderate intervention to the visit's end", limit: 200),
            StatisticsReport.Quantity("high, to end", distances(.high), digits: 0,
                                      caption: "cards from a high intervention to the visit's end", limit: 200),
            StatisticsReport.Quantity("dB above the start", loudness, digits: 1,
                                      caption: "how loud it got, in dB above the level at the start", limit: 60),
            StatisticsReport.Quantity("P(churn)", churn, digits: 3, limit: 1, marks: [thresholds.moderate, thresholds.high]),
        ]
    }

    private var tiers: StatisticsReport.Table {
        StatisticsReport.Table(columns: ["of visits", "5 %", "median", "95 %"], rows: Tier.allCases.map { tier in
            (tier.rawValue, Self.quantiles(visits.map { $0.reached[tier] }))
        })
    }

    private var profiles: StatisticsReport.Table {
        StatisticsReport.Table(
            columns: ["visits", "cards", "moderate", "high", "in 40 cards", "high in last 10"],
            rows: Dictionary(grouping: visits, by: \.visitor).sorted { $0.key < $1.key }.map { name, visits in
                let cards = visits.reduce(0) { $0 + $1.churn.count }
                let all = visits.flatMap(\.interventions)
                let highs = all.count { $0.strength == .high }
                return (name, ["\(visits.count)", "\(cards)", "\(all.count - highs)", "\(highs)",
                               (40 * Double(all.count) / Double(max(1, cards))).fixed(2),
                               Self.percent(visits.count { $0.hasHigh(inLast: 10) }, of: visits.count)])
            })
    }

    private var calibration: StatisticsReport.Table {
        let bins = bins().enumerated().filter { $1.cards > 0 }
        return StatisticsReport.Table(columns: ["cards", "mean P", "left within 5"], rows: bins.map { index, bin in
            ("P \((Double(index) / 10).fixed(1)) to \((Double(index + 1) / 10).fixed(1))",
             ["\(bin.cards)", (bin.sum / Double(bin.cards)).fixed(3), Self.percent(bin.left, of: bin.cards)])
        })
    }

    private var tradeOffTable: StatisticsReport.Table {
        StatisticsReport.Table(columns: ["fading, high in 10", "engaged, in 40"], rows: tradeOff.map { point in
            ("high from P \(point.threshold.fixed(2))", [(100 * point.heard).fixed(1) + " %", point.rate.fixed(3)])
        })
    }

    private var tradeOffCurve: StatisticsReport.Curve {
        StatisticsReport.Curve(
            caption: "what a high intervention's threshold does for fading visitors, and to engaged ones",
            x: "high ones that engaged visitors get in 40 cards", y: "fading visitors that hear one in their last ten cards, %",
            points: tradeOff.map { (x: $0.rate, y: 100 * $0.heard, name: $0.threshold.fixed(2)) })
    }

    // MARK: Figures

    /// Sorts cards by P(churn) into ten equal parts of 0…1. Returns for each part the number of cards, the sum of their P(churn), and the
    /// number of cards within 5 of a visitor's leaving. The last cards of visits whose visitors did not leave are not counted.
    func bins() -> [(cards: Int, sum: Double, left: Int)] {
        var bins = [(cards: Int, sum: Double, left: Int)](repeating: (0, 0, 0), count: 10)
        for visit in visits {
            for (index, churn) in (visit.leaves ? visit.churn[...] : visit.churn.dropLast(ColorScroller.churnReach)).enumerated() {
                let bin = min(9, Int(churn * 10))
                bins[bin].cards += 1
                bins[bin].sum += churn
                if visit.leaves, index >= visit.churn.count - ColorScroller.churnReach { bins[bin].left += 1 }
            }
        }
        return bins
    }

    /// The results that other thresholds for a high intervention (a strong gift) would have had, by the rule of `practice`. `threshold` is
    /// a probability. `heard` is the fraction of fading visitors who would have heard a high intervention within their last ten cards.
    /// `rate` is the number of interventions that an engaged visitor would have got in 40 cards.
    var tradeOff: [(threshold: Double, heard: Double, rate: Double)] {
        let practice = ColorScroller.practice
        let strongest = practice.grades.count - 1
        let above = practice.grades[strongest].threshold - practice.grades[0].threshold
        return [0.01, 0.02, 0.03, 0.05, 0.10, 0.30, 0.50, 0.60, 0.70, 0.80, 0.90].map { high in
            let moderate = LogOdds.logit(of: high) - above
            var fading = 0, heard = 0, cards = 0, steps = 0
            for visit in visits where visit.fades || visit.isEngaged {
                let found = practice.steps(by: visit.logOdds, from: moderate)
                if visit.fades {
                    fading += 1
                    if found.contains(where: { $0.grade == strongest && visit.logOdds.count - $0.moment <= 10 }) { heard += 1 }
                } else {
                    cards += visit.logOdds.count
                    steps += found.count
                }
            }
            return (high, Double(heard) / Double(max(1, fading)), 40 * Double(steps) / Double(max(1, cards)))
        }
    }

    private func distances(_ strength: Intervention.Strength) -> Distribution {
        var distribution = Distribution()
        for visit in visits {
            for intervention in visit.interventions where intervention.strength == strength {
                distribution.record(Double(visit.churn.count - intervention.viewed))
            }
        }
        return distribution
    }

    private var loudness: Distribution {
        var distribution = Distribution()
        for visit in visits where visit.level.isFinite { distribution.record(visit.level - ToneCurve.standard.quietest.rawValue) }
        return distribution
    }

    private var churn: Distribution {
        var distribution = Distribution()
        for visit in visits { visit.churn.forEach { distribution.record($0) } }
        return distribution
    }

    /// Returns four texts on a tier: the percentage of visits that reached it, and the numbers of views within which 5 %, 50 % and 95 % of
    /// all visits had reached it. A number is empty where fewer visits ever reached the tier.
    static func quantiles(_ reached: [Int?]) -> [String] {
        let found = reached.compactMap(\.self).sorted()
        return [percent(found.count, of: reached.count)] + [0.05, 0.5, 0.95].map { part in
            quantile(reached, part).map { "\($0)" } ?? ""
        }
    }

    /// Returns the number of views within which the fraction `part` of all visits had reached a tier; nil where fewer visits reached it.
    static func quantile(_ reached: [Int?], _ part: Double) -> Int? {
        let found = reached.compactMap(\.self).sorted()
        let index = max(0, Int((part * Double(reached.count)).rounded(.up)) - 1)
        return index < found.count ? found[index] : nil
    }

    private static func percent(_ count: Int, of all: Int) -> String { (100 * Double(count) / Double(max(1, all))).fixed(1) + " %" }
}

extension FeedSurvey.Visit {
    fileprivate mutating func add(_ announcement: Announcement) {
        switch announcement.body {
        case let scroll as Scroll:
            churn.append(scroll.pChurn)
            logOdds.append(scroll.decision.margin)
        case let unlock as Unlocked:
            let isOfPalette = unlock.skin.id.hasPrefix("palette-")
            switch unlock.skin.rarity {
            case .common: reach(.common)
            case .rare:
                reach(.rare)
                if !isOfPalette { rares += 1 }
                if rares == Catalog.count(.rare) { reach(.allRares) }
            case .special: reach(.special)
            }
            if isOfPalette { reach(.palette) }
        case is PaletteMade: reach(.made)
        case let intervention as Intervention:
            interventions.append((churn.count, intervention.strength))
            if intervention.reward == nil { emptyGifts += 1 }
        case let counters as Counters: level = counters.toneLevel
        default: break
        }
    }

    private mutating func reach(_ tier: FeedSurvey.Tier) { reached[tier] = reached[tier] ?? churn.count }
}

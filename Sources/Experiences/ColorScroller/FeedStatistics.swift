import Experience
import Signals

/// What a session was like, gathered from what it told.
public struct FeedStatistics: Statistics {
    /// The seconds on a card.
    private var dwell = Distribution()
    /// The velocities, in screen heights per second.
    private var velocity = Distribution()
    /// The cards from one unlock to the next.
    private var drought = Distribution()
    /// The values of P(churn).
    private var churn = Distribution()
    /// The views of cards by the rarity that they carry; nil for grey and the leaderboard.
    private var views: [Rarity?: Int] = [:]
    /// The cards that had been viewed at each unlock.
    private var unlocks: [Rarity: [Int]] = [:]
    private var lastUnlock = 0
    private var interventions: [Intervention.Strength] = []
    private var palettes = 0
    private var toasts = 0
    /// The record of the last scroll.
    private var last: ScrollRecord?

    public init() {}

    public mutating func add(_ announcement: Announcement) {
        switch announcement.body {
        case let scroll as Scroll: add(scroll.record)
        case let unlock as Unlocked:
            let views = last?.blocksViewed ?? 0
            drought.record(Double(views - lastUnlock))
            lastUnlock = views
            unlocks[unlock.skin.rarity, default: []].append(views)
        case let intervention as Intervention: interventions.append(intervention.strength)
        case is PaletteMade: palettes += 1
        case is Toast: toasts += 1
        default: break
        }
    }

    private mutating func add(_ record: ScrollRecord) {
        dwell.record(record.sessionLength - (last?.sessionLength ?? 0))
        velocity.record(record.velocity)
        churn.record(record.pChurn)
        views[record.rarityShown, default: 0] += 1
        last = record
    }

    public var report: StatisticsReport {
        guard let last else { return StatisticsReport(lines: [StatisticsReport.Line("session", "no card was viewed")]) }
        return StatisticsReport(lines: lines(last), tables: [rarities], quantities: quantities, growths: [
            StatisticsReport.Growth(caption: "skins unlocked, by cards viewed", x: "cards viewed", y: "skins unlocked",
                                    counts: Rarity.allCases.map { ($0.rawValue, unlocks[$0] ?? []) }, end: last.blocksViewed),
        ])
    }

    private func lines(_ last: ScrollRecord) -> [StatisticsReport.Line] {
        [
            StatisticsReport.Line("session", "\(last.sessionLength.fixed(1)) s, cards viewed: \(last.blocksViewed), of them unique: "
                + "\(last.uniqueBlocksSeen)"),
            StatisticsReport.Line("interventions", "\(interventions.count), of them high: \(interventions.count { $0 == .high })"),
            StatisticsReport.Line("toasts", "\(toasts), palettes: \(palettes)"),
        ]
    }

    private var rarities: StatisticsReport.Table {
        let kinds: [Rarity?] = [nil] + Rarity.allCases
        return StatisticsReport.Table(columns: ["views", "unlocked", "first at view", "last at view"], rows: kinds.map { rarity in
            let places = rarity.map { unlocks[$0] ?? [] } ?? []
            let cells = [views[rarity] ?? 0, rarity == nil ? nil : places.count, places.first, places.last]
            return (rarity?.rawValue ?? "grey", cells.map { $0.map { "\($0)" } ?? "" })
        })
    }

    private var quantities: [StatisticsReport.Quantity] {
        [
            StatisticsReport.Quantity("P(churn)", churn, digits: 3, caption: "P(churn); at 0.55 and 0.70 the machine steps in",
                                      limit: 1, marks: [0.55, 0.70]),
            StatisticsReport.Quantity("cards to an unlock", drought, digits: 0, caption: "cards from one unlock to the next", limit: 60),
            StatisticsReport.Quantity("seconds on a card", dwell, digits: 2, limit: 6),
            StatisticsReport.Quantity("velocity, heights/s", velocity, digits: 2, caption: "velocity in screen heights per second",
                                      limit: 12),
        ]
    }
}

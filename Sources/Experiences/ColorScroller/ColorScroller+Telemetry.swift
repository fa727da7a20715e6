import Experience
import Signals

// The tables of what is to be learned from sessions; docs/colorscroller.md explains the columns.
extension ColorScroller {
    /// The number of a visitor's last scrolls at which the visitor counts as about to leave.
    static let churnReach = 5

    static let scrolls = TelemetryTable(
        "scrolls", of: "scroll",
        columns: [
            TelemetryColumn("timestamp") { (record: Scroll) in .number(record.timestamp) },
            TelemetryColumn("card_index") { (record: Scroll) in .integer(record.cardIndex) },
            TelemetryColumn("blocks_viewed") { (record: Scroll) in .integer(record.blocksViewed) },
            TelemetryColumn("unique_blocks_seen") { (record: Scroll) in .integer(record.uniqueBlocksSeen) },
            TelemetryColumn("unlock_count") { (record: Scroll) in .integer(record.unlockCount) },
            TelemetryColumn("reward_drought") { (record: Scroll) in .integer(record.rewardDrought) },
            TelemetryColumn("velocity") { (record: Scroll) in .number(record.velocity) },
            TelemetryColumn("velocity_trend") { (record: Scroll) in .number(record.velocityTrend) },
            TelemetryColumn("session_length") { (record: Scroll) in .number(record.sessionLength) },
            TelemetryColumn("active_scroll_seconds") { (record: Scroll) in .number(record.activeScrollSeconds) },
            TelemetryColumn("time_of_day_bucket") { (record: Scroll) in .integer(record.timeOfDayBucket) },
            TelemetryColumn("rarity_shown") { (record: Scroll) in TelemetryValue(record.rarityShown?.rawValue) },
            TelemetryColumn("p_churn") { (record: Scroll) in .number(record.pChurn) },
            TelemetryColumn("model") { (scroll: Scroll) in .word(scroll.decision.model) },
            TelemetryColumn("margin") { (scroll: Scroll) in .number(scroll.decision.margin) },
            TelemetryColumn("eligible") { (scroll: Scroll) in .flag(scroll.decision.isEligible) },
            TelemetryColumn("held_out") { (scroll: Scroll) in .flag(scroll.decision.isHeldOut) },
            TelemetryColumn("action") { (scroll: Scroll) in .word(scroll.decision.action.rawValue) },
            TelemetryColumn("propensity") { (scroll: Scroll) in .number(scroll.decision.propensity) },
            TelemetryColumn("chosen") { (scroll: Scroll) in .word(scroll.decision.chosen.rawValue) },
        ],
        lastRows: TelemetryTable.LastRows(column: "churn", count: churnReach, reset: "reset"))

    static let unlocks = TelemetryTable(
        "unlocks", of: "unlock", saysWhen: true,
        columns: [
            TelemetryColumn("card_index") { (unlocked: Unlocked) in .integer(unlocked.index) },
            TelemetryColumn("skin") { (unlocked: Unlocked) in .word(unlocked.skin.id) },
            TelemetryColumn("name") { (unlocked: Unlocked) in .word(unlocked.skin.name) },
            TelemetryColumn("rarity") { (unlocked: Unlocked) in .word(unlocked.skin.rarity.rawValue) },
            TelemetryColumn("pause_seconds") { (unlocked: Unlocked) in .number(unlocked.pausedFor) },
        ])

    static let sessions = TelemetryTable(
        "sessions", of: nil,
        columns: [
            TelemetryColumn("timestamp") { (record: SessionRecord) in .number(record.timestamp) },
            TelemetryColumn("session_length") { (record: SessionRecord) in .number(record.sessionLength) },
            TelemetryColumn("active_scroll_seconds") { (record: SessionRecord) in .number(record.activeScrollSeconds) },
            TelemetryColumn("blocks_viewed") { (record: SessionRecord) in .integer(record.blocksViewed) },
            TelemetryColumn("unique_blocks_seen") { (record: SessionRecord) in .integer(record.uniqueBlocksSeen) },
            TelemetryColumn("total_swipes") { (record: SessionRecord) in .integer(record.totalSwipes) },
            TelemetryColumn("unlock_count") { (record: SessionRecord) in .integer(record.unlockCount) },
            TelemetryColumn("interventions") { (record: SessionRecord) in .integer(record.interventions) },
            TelemetryColumn("p_churn") { (record: SessionRecord) in TelemetryValue(record.pChurn) },
        ])
}

/// Gathers the statistics of a session from its announcements.
public struct FeedStatistics: Statistics {
    /// The distribution of the seconds that a card is shown.
    private var dwell = Distribution()
    /// The distribution of the velocities, in screen heights per second.
    private var velocity = Distribution()
    /// The distribution of the numbers of cards from one unlock to the next.
    private var drought = Distribution()
    /// The distribution of P(churn), the probabilities that the visitor is about to leave.
    private var churn = Distribution()
    /// The numbers of views of cards, by the rarity of the skin on the card; nil stands for grey cards and the leaderboard.
    private var views: [Rarity?: Int] = [:]
    /// The numbers of cards that had been viewed at each unlock, by the rarity of the skin.
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
        // Where the feed has begun anew, seconds and views count from there.
        if let visit = last, record.blocksViewed <= visit.blocksViewed { (last, lastUnlock) = (nil, 0) }
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
            let cards = rarity.map { unlocks[$0] ?? [] } ?? []
            let cells = [views[rarity] ?? 0, rarity == nil ? nil : cards.count, cards.first, cards.last]
            return (rarity?.rawValue ?? "grey", cells.map { $0.map { "\($0)" } ?? "" })
        })
    }

    private var quantities: [StatisticsReport.Quantity] {
        let thresholds = Interventions.Thresholds.probabilities
        return [
            StatisticsReport.Quantity("P(churn)", churn, digits: 3, caption: "P(churn); at 0.55 and 0.70 the machine steps in",
                                      limit: 1, marks: [thresholds.moderate, thresholds.high]),
            StatisticsReport.Quantity("cards to an unlock", drought, digits: 0, caption: "cards from one unlock to the next", limit: 60),
            StatisticsReport.Quantity("seconds on a card", dwell, digits: 2, limit: 6),
            StatisticsReport.Quantity("velocity, heights/s", velocity, digits: 2, caption: "velocity in screen heights per second",
                                      limit: 12),
        ]
    }
}

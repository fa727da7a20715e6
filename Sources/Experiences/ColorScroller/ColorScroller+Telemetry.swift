import Experience

// The tables of what is to be learned from sessions; docs/colorscroller.md explains the columns.
extension ColorScroller {
    /// The number of scrolls before a session's end that count as leaving.
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
        ],
        lastRows: TelemetryTable.LastRows(column: "churn", count: churnReach))

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

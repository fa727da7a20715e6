import Experience
import Fields
import Signals
import Units

extension ColorScroller {
    /// Returns the cards with these indices, as far as they have been generated.
    public func cards(_ indices: Range<Int>) -> [Card] {
        indices.clamped(to: 0..<state.feed.generated).map { state.feed.card(at: $0, state.collection) }
    }

    public var inventory: Inventory { state.collection.inventory }
    public var palettes: [Palette] { state.collection.palettes }

    public func leaderboard(at frame: Frame) -> Leaderboard {
        state.rivals.board(hour: state.timeOfDay.hour(at: seconds(frame)))
    }

    public func feedState(at frame: Frame) -> FeedState { feedState(at: seconds(frame)) }

    /// Returns the answer to `feed.state`. `time` is in seconds since the session's start.
    func feedState(at time: Double) -> FeedState {
        let pausedUntil = state.pause.holds(at: time) ? state.pause.end : nil
        return FeedState(
            time: time, index: state.feed.index, generated: state.feed.generated, blocksViewed: state.blocksViewed,
            uniqueBlocksSeen: state.seen.count, totalSwipes: state.totalSwipes, unlockCount: state.collection.unlocked.count,
            rewardDrought: rewardDrought, pausedUntil: pausedUntil, pausedFor: pausedUntil.map { Pause.remaining(until: $0, at: time) },
            pChurn: state.pChurn, model: model.name, interventions: state.interventions.count, palettes: palettes.count, rank: state.rank,
            toneFrequency: state.tone.pitch.rawValue, toneLevel: state.tone.level.rawValue)
    }

    /// The present counts of the session.
    var counters: Counters {
        Counters(blocksViewed: state.blocksViewed, uniqueBlocksSeen: state.seen.count, totalSwipes: state.totalSwipes,
                 unlockCount: state.collection.unlocked.count, rewardDrought: rewardDrought, interventions: state.interventions.count,
                 palettes: palettes.count, rank: state.rank, pChurn: state.pChurn,
                 toneLevel: state.tone.level.rawValue)
    }

    public func record(at now: Now) -> Announcement? { Announcement(sessionRecord(at: now.frame)) }

    func sessionRecord(at frame: Frame) -> SessionRecord {
        SessionRecord(
            timestamp: state.timeOfDay.start, sessionLength: seconds(frame), activeScrollSeconds: state.pace.activeSeconds,
            blocksViewed: state.blocksViewed, uniqueBlocksSeen: state.seen.count, totalSwipes: state.totalSwipes,
            unlockCount: state.collection.unlocked.count, interventions: state.interventions.count, pChurn: state.pChurn)
    }
}

extension ColorScroller {
    /// The queries of the piece.
    public enum Query: QueryBody {
        /// The generated cards among the `count` cards that begin with card `from`.
        case cards(from: Int, count: Int)
        case state
        case inventory
        case leaderboard
        case palettes

        /// The largest number of cards in an answer. It keeps the answer well below the length of a line that clients must be able to read.
        public static let mostCards = 256
    }

    public func answer(_ query: Query, at now: Now) throws(Fault) -> any Encodable & Sendable {
        switch query {
        case .cards(let first, let count): CardList(cards: cards(first..<first + count))
        case .state: feedState(at: now.frame)
        case .inventory: inventory
        case .leaderboard: leaderboard(at: now.frame)
        case .palettes: PaletteList(palettes: palettes)
        }
    }

    public func counters(at now: Now) -> [Counter] {
        let state = feedState(at: now.frame)
        return [
            Counter("blocks-viewed", Double(state.blocksViewed), unit: "cards"),
            Counter("unique-blocks-seen", Double(state.uniqueBlocksSeen), unit: "cards"),
            Counter("total-swipes", Double(state.totalSwipes), unit: "swipes"),
            Counter("unlock-count", Double(state.unlockCount), unit: "skins"),
            Counter("reward-drought", Double(state.rewardDrought), unit: "cards"),
            Counter("interventions", Double(state.interventions)),
            Counter("palettes", Double(state.palettes)),
            Counter("rank", Double(state.rank), unit: "1 for the best of \(Rivals.lastRank)"),
            Counter("p-churn", state.pChurn, unit: "probability at the last scroll"),
        ]
    }
}

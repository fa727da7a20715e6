import Signals

/// What a session was like, gathered from its cues.
public struct SessionStatistics: Sendable {
    public struct Unlock: Sendable {
        /// Cards viewed by then.
        public var blocksViewed: Int
        public var rarity: Rarity
    }

    /// Seconds on a card.
    public private(set) var dwell = Distribution()
    /// Screen heights per second.
    public private(set) var velocity = Distribution()
    /// Cards from one unlock to the next.
    public private(set) var drought = Distribution()
    /// P(churn).
    public private(set) var churn = Distribution()
    /// Views of cards, by what they carry; nil for grey and the leaderboard.
    public private(set) var views: [Rarity?: Int] = [:]
    public private(set) var unlocks: [Unlock] = []
    public private(set) var interventions: [Announcement.Intervention] = []
    public private(set) var palettes = 0
    public private(set) var toasts = 0
    /// Of the last scroll.
    public private(set) var last: ScrollRecord?

    public init() {}

    /// In the order in which they come.
    public mutating func add(_ cues: [Cue]) {
        for case .tell(let announcement) in cues {
            switch announcement {
            case .scroll(let record): add(record)
            case .unlock(let unlock):
                let views = last?.blocksViewed ?? 0
                drought.record(Double(views - (unlocks.last?.blocksViewed ?? 0)))
                unlocks.append(Unlock(blocksViewed: views, rarity: unlock.skin.rarity))
            case .intervention(let intervention): interventions.append(intervention)
            case .palette: palettes += 1
            case .toast: toasts += 1
            case .session, .leaderboard: break
            }
        }
    }

    private mutating func add(_ record: ScrollRecord) {
        dwell.record(record.sessionLength - (last?.sessionLength ?? 0))
        velocity.record(record.velocity)
        churn.record(record.pChurn)
        views[record.rarityShown, default: 0] += 1
        last = record
    }
}

import ColorScroller
import Signals

/// What a session of ColorScroller was like, gathered from what it told.
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
    public private(set) var interventions: [Intervention] = []
    public private(set) var palettes = 0
    public private(set) var toasts = 0
    /// Of the last scroll.
    public private(set) var last: ScrollRecord?

    public init() {}

    /// In the order in which they come.
    public mutating func add(_ announcements: [Announcement]) {
        for announcement in announcements {
            switch announcement.body {
            case let record as ScrollRecord: add(record)
            case let unlock as Unlocked:
                let views = last?.blocksViewed ?? 0
                drought.record(Double(views - (unlocks.last?.blocksViewed ?? 0)))
                unlocks.append(Unlock(blocksViewed: views, rarity: unlock.skin.rarity))
            case let intervention as Intervention: interventions.append(intervention)
            case is PaletteMade: palettes += 1
            case is Toast: toasts += 1
            default: break
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

import Signals
import Units

/// The feed of coloured cards that rewards and punishes. Beside what is common to all (`Hands`):
///
/// | event | cues |
/// |---|---|
/// | arrival | the leaderboard |
/// | feed.swipe | `swipe`, and one card on or back |
/// | feed.scroll | that card |
/// | param.set | none: the rules are different from now on |
/// | a card is shown | pitch and level; with a new skin `unlock`, heard and felt; what there is to tell |
public struct ColorScroller: Experience {
    /// Whoever has learned a better one puts it here.
    private static let predictor: any ChurnPredictor = HeuristicChurn()
    /// The feed should stand still for so long when a skin is unlocked.
    private static let unlockPause = 0.8

    private let theme: Theme
    private let rate: SampleRate
    /// All that the events so far have come to.
    public private(set) var state: State

    public struct State: Codable, Equatable, Sendable {
        var tuning: Tuning
        var hands = Hands()
        var collection = Collection()
        var feed: Feed
        var seen = SeenBlocks()
        var tone: ToneSteps
        var pace = Pace()
        var toasts = Toasts()
        var interventions = Interventions()
        var rewards: Rewards
        var rivals: Rivals
        var timeOfDay: TimeOfDay
        let seed: UInt64
        /// Each view of a card counts.
        var blocksViewed = 0
        var totalSwipes = 0
        /// Views before the last unlock, and its own.
        var viewsAtUnlock = 0
        /// Seconds since the session's start.
        var pausedUntil = 0.0
        /// At the last scroll.
        var churn: Double?
        /// Of the leaderboard last told.
        var hour: Int?

        init(seed: UInt64, curve: ToneCurve, tuning: Tuning) {
            if tuning.forcesUnlocks { collection.unlockCatalog() }
            self.tuning = tuning
            self.seed = seed
            feed = Feed(seed: seed, collection, tuning)
            tone = ToneSteps(curve, seed: seed)
            rewards = Rewards(seed: seed)
            rivals = Rivals(seed: seed, lastScore: nil)
            timeOfDay = TimeOfDay(Arrival(time: 0, utcOffset: 0))
        }
    }

    public init(theme: Theme, seed: UInt64, rate: SampleRate, tuning: Tuning) {
        self.init(theme: theme, rate: rate, state: State(seed: seed, curve: theme.toneCurve, tuning: tuning))
    }

    /// Goes on from where `state` was.
    public init(theme: Theme, rate: SampleRate, state: State) {
        self.theme = theme
        self.rate = rate
        self.state = state
    }

    public var name: ExperienceName { .colorScroller }
    public var isHeld: Bool { state.hands.isHeld }
    public func isHeld(by client: Int) -> Bool { state.hands.isHeld(by: client) }

    public var opening: [Cue] { [.tonePitch(state.tone.pitch, glide: .zero), .toneLevel(state.tone.level)] }

    public func refusal(of event: Event) -> Fault? {
        switch event.happening {
        case .feedUpdate:
            Fault(field: "method", expected: "feed.swipe or feed.scroll: \(name.rawValue) counts the cards itself", found: "feed.update")
        case .feedScroll(let scroll) where scroll.index >= state.feed.generated:
            Fault(field: "index", expected: "a whole number from 0 to \(state.feed.generated - 1), the cards there are so far",
                  found: "\(scroll.index)")
        default: state.hands.refusal(of: event, in: theme)
        }
    }

    public mutating func reduce(_ event: Event, at frame: Frame) -> [Cue] {
        let time = seconds(frame)
        switch event.happening {
        case .arrival(let arrival):
            state.timeOfDay = TimeOfDay(arrival)
            state.rivals = Rivals(seed: state.seed, lastScore: arrival.lastScore)
            return tellHour(at: time)
        case .feedSwipe(let swipe):
            state.totalSwipes += 1
            let index = swipe.direction == .up ? state.feed.index + 1 : max(0, state.feed.index - 1)
            return [.haptic("swipe")] + show(index, velocity: swipe.velocity, at: time)
        case .feedScroll(let scroll):
            return show(scroll.index, velocity: scroll.velocity, at: time)
        case .parameter(let change):
            state.tuning.apply(change)
            if state.tuning.forcesUnlocks { unlockCatalog() }
            return []
        default:
            return state.hands.reduce(event, in: theme)
        }
    }

    /// Shows card `index`; nothing happens when it is shown already.
    private mutating func show(_ index: Int, velocity: Double?, at time: Double) -> [Cue] {
        guard index != state.feed.index else { return [] }
        state.feed.show(index)
        state.blocksViewed += 1
        state.seen.insert(index)
        state.pace.scroll(at: time, velocity: velocity)
        var cues = state.tone.cues(movingTo: state.blocksViewed)
        let shown = state.feed.skin(at: index, state.collection)
        if let shown {
            state.collection.see(shown)
            if state.collection.isLocked(shown) { cues += unlock(shown, at: time) }
        }
        state.feed.generate(state.collection, state.tuning)
        let snapshot = ChurnSnapshot(
            velocity: state.pace.velocity, velocityTrend: state.pace.trend, rewardDrought: rewardDrought, sessionFatigue: time,
            engagementDepth: time > 0 ? state.pace.activeSeconds / time : 1)
        let churn = Self.predictor.probability(snapshot)
        state.churn = churn
        cues.append(.tell(.scroll(ScrollRecord(
            timestamp: Double(state.timeOfDay.start) + time, cardIndex: index, blocksViewed: state.blocksViewed,
            uniqueBlocksSeen: state.seen.count, unlockCount: state.collection.unlocked.count, rewardDrought: rewardDrought,
            velocity: snapshot.velocity, velocityTrend: snapshot.velocityTrend, sessionLength: time,
            activeScrollSeconds: state.pace.activeSeconds, timeOfDayBucket: state.timeOfDay.bucket(at: time),
            rarityShown: shown.map { state.collection[$0].rarity }, churn: churn))))
        cues += tellHour(at: time)
        if let strength = state.interventions.decide(churn, viewed: state.blocksViewed) {
            cues += intervene(strength, churn, at: time)
        }
        return cues
    }

    // MARK: What a card can set off

    private mutating func unlock(_ number: Int, at time: Double) -> [Cue] {
        state.collection.unlock(number)
        state.feed.noteUnlocks(state.collection)
        state.viewsAtUnlock = state.blocksViewed
        state.pausedUntil = time + Self.unlockPause
        let skin = state.collection[number]
        var cues: [Cue] = [
            .chime("unlock"), .haptic("unlock"),
            .tell(.unlock(Announcement.Unlock(skin: skin, index: state.feed.index, pausedUntil: state.pausedUntil))),
        ]
        if state.toasts.admit(at: time, cooldown: state.tuning.toastCooldown) {
            cues.append(.tell(.toast(Announcement.Toast(rarity: skin.rarity, name: skin.name))))
        }
        if skin.rarity == .rare, state.collection.isOfCatalog(number) {
            let palette = Palette(behaviour(at: time, rare: skin.id), ordinal: state.collection.palettes.count + 1)
            state.collection.add(palette)
            cues.append(.tell(.palette(Announcement.Palette(seed: palette.seed, skins: palette.skins))))
        }
        return cues
    }

    private func behaviour(at time: Double, rare: String) -> Behaviour {
        let weights = RarityWeights(at: state.feed.index, after: state.collection)
        return Behaviour(
            blocksViewed: state.blocksViewed, uniqueBlocksSeen: state.seen.count,
            activeScrollMilliseconds: Int(state.pace.activeSeconds * 1000), isScrolling: state.pace.isScrolling,
            index: state.feed.index, timeOfDayBucket: state.timeOfDay.bucket(at: time), sessionMilliseconds: Int(time * 1000),
            rarityWeights: Rarity.allCases.map { Int(weights[$0] * 1_000_000 + 0.5) }, rare: rare)
    }

    /// Every skin of the catalogue, without a word: a palette mirrors somebody's behaviour, and there was none.
    private mutating func unlockCatalog() {
        state.collection.unlockCatalog()
        state.feed.noteUnlocks(state.collection)
    }

    private mutating func intervene(_ strength: Announcement.Intervention.Strength, _ churn: Double, at time: Double) -> [Cue] {
        let ordinal = state.interventions.count
        let index = state.rewards.card(after: state.feed.index, ordinal: ordinal)
        let skin = state.rewards.skin(among: state.feed.candidates(at: index, state.collection), state.collection, ordinal: ordinal)
        if let skin { state.feed.put(skin, on: index) }
        let hour = state.timeOfDay.hour(at: time)
        let taunt = strength == .high ? "You just passed \(state.rivals.passed(by: state.blocksViewed, hour: hour))!" : nil
        return [.haptic("surprise")] + (strength == .high ? [.chime("ding")] : []) + [
            .tell(.intervention(Announcement.Intervention(
                strength, churn: churn, reward: skin == nil ? nil : state.feed.card(at: index, state.collection), taunt: taunt))),
        ]
    }

    /// The leaderboard, when its hour has come.
    private mutating func tellHour(at time: Double) -> [Cue] {
        let hour = state.timeOfDay.hour(at: time)
        guard hour != state.hour else { return [] }
        state.hour = hour
        return [.tell(.leaderboard(state.rivals.board(hour: hour)))]
    }

    private var rewardDrought: Int { state.blocksViewed - state.viewsAtUnlock }

    private func seconds(_ frame: Frame) -> Double { rate.seconds(in: frame - .zero).rawValue }
}

// MARK: To look at

extension ColorScroller {
    /// Those of `indices` that have been generated.
    public func cards(_ indices: Range<Int>) -> [Card] {
        indices.clamped(to: 0..<state.feed.generated).map { state.feed.card(at: $0, state.collection) }
    }

    public var tuning: Tuning { state.tuning }
    public var inventory: Inventory { state.collection.inventory }
    public var palettes: [Palette] { state.collection.palettes }

    public func leaderboard(at frame: Frame) -> Leaderboard {
        state.rivals.board(hour: state.timeOfDay.hour(at: seconds(frame)))
    }

    public func feedState(at frame: Frame) -> FeedState {
        let time = seconds(frame)
        return FeedState(
            time: time, index: state.feed.index, generated: state.feed.generated, blocksViewed: state.blocksViewed,
            uniqueBlocksSeen: state.seen.count, totalSwipes: state.totalSwipes, unlockCount: state.collection.unlocked.count,
            rewardDrought: rewardDrought, pausedUntil: state.pausedUntil > time ? state.pausedUntil : nil, churn: state.churn,
            interventions: state.interventions.count, toneFrequency: state.tone.pitch.rawValue, toneLevel: state.tone.level.rawValue)
    }

    public func record(at frame: Frame) -> SessionRecord? {
        SessionRecord(
            timestamp: Double(state.timeOfDay.start), sessionLength: seconds(frame), activeScrollSeconds: state.pace.activeSeconds,
            blocksViewed: state.blocksViewed, uniqueBlocksSeen: state.seen.count, totalSwipes: state.totalSwipes,
            unlockCount: state.collection.unlocked.count, interventions: state.interventions.count, churn: state.churn)
    }
}

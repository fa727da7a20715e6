import Experience
import Fields
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
/// | theme | the same, and what changes of the tone |
/// | a card is shown | pitch and level; with a new skin `unlock`, heard and felt; what there is to tell |
public struct ColorScroller: Experience {
    /// Whoever has learned a better one puts it here.
    static let predictor: any ChurnPredictor = HeuristicChurn()

    private var theme: Theme
    private let rate: SampleRate
    /// All that the events so far have come to.
    public internal(set) var state: State

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
        /// P(churn) at the last scroll.
        var pChurn: Double?
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
    public var fingers: Int { state.hands.fingerCount }
    public var isHeld: Bool { state.hands.isHeld }
    public func isHeld(by client: Client) -> Bool { state.hands.isHeld(by: client) }

    public var opening: [Cue] { [.tonePitch(state.tone.pitch, glide: .zero), .toneLevel(state.tone.level)] }

    public func refusal(of event: Event) -> Fault? {
        switch event.kind {
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
        switch event.kind {
        case .arrival(let arrival):
            state.timeOfDay = TimeOfDay(arrival)
            state.rivals = Rivals(seed: state.seed, lastScore: arrival.lastScore)
            return tellHour(at: time)
        // It may come before the arrival, by which the hour is known.
        case .mute, .ceiling, .volume:
            return state.hands.reduce(event, in: theme)
        case .theme(let theme):
            self.theme = theme
            return [.theme(theme)] + state.tone.cues(changingTo: theme.toneCurve)
        default:
            return tellHour(at: time) + act(on: event, at: time)
        }
    }

    private mutating func act(on event: Event, at time: Double) -> [Cue] {
        switch event.kind {
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
        let shown = state.feed.skin(at: index, state.collection)
        var unlocking: [Cue] = []
        if let shown {
            state.collection.see(shown)
            if state.collection.isLocked(shown) { unlocking = unlock(shown, at: time) }
        }
        state.feed.generate(state.collection, state.tuning)
        let record = record(of: shown, at: time)
        // A card is told of before what it sets off.
        var cues = state.tone.cues(movingTo: state.blocksViewed) + [.tell(.scroll(record))] + unlocking
        if let strength = state.interventions.decide(record.pChurn, viewed: state.blocksViewed) {
            cues += intervene(strength, record.pChurn, at: time)
        }
        return cues
    }

    /// The leaderboard, when its hour has come.
    private mutating func tellHour(at time: Double) -> [Cue] {
        let hour = state.timeOfDay.hour(at: time)
        guard hour != state.hour else { return [] }
        state.hour = hour
        return [.tell(.leaderboard(state.rivals.board(hour: hour)))]
    }

    /// Views since the last unlock.
    var rewardDrought: Int { state.blocksViewed - state.viewsAtUnlock }

    func seconds(_ frame: Frame) -> Double { rate.seconds(in: frame - .zero).rawValue }
}

import Calendar
import Experience
import Fields
import Signals
import Units

/// The feed of coloured cards that rewards and punishes. Beside what hands do (`Hands`):
///
/// | event | effects |
/// |---|---|
/// | arrival, tick | the leaderboard, when its hour has come; a tick at the next full hour |
/// | swipe | `swipe`, and one card on or back |
/// | feed.scroll | that card |
/// | param.set | none: the rules are different from now on |
/// | theme | what changes of the tone |
/// | a card is shown | pitch and level; with a new skin `unlock`, heard and felt; what there is to tell |
public struct ColorScroller: Experience {
    /// Whoever has learned a better one puts it here.
    static let predictor: any ChurnPredictor = HeuristicChurn()

    private let rate: SampleRate
    /// All that the events so far have come to.
    public internal(set) var state: State

    public struct State: Codable, Equatable, Sendable {
        var tuning: Tuning
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
            timeOfDay = TimeOfDay(CivilTime(instant: 0, utcOffset: 0))
        }
    }

    public init(_ opening: Opening) {
        self.init(rate: opening.rate, state: State(seed: opening.seed, curve: opening.theme.toneCurve, tuning: Tuning(opening.knobs)))
    }

    /// Goes on from where `state` was.
    public init(rate: SampleRate, state: State) {
        self.rate = rate
        self.state = state
    }

    public var opening: [Cue] { [.tonePitch(state.tone.pitch, glide: .zero), .toneLevel(state.tone.level)] }

    public func refusal(of input: Input<FeedScroll>, at time: Frame) -> Fault? {
        guard case .move(let scroll) = input, scroll.index >= state.feed.generated else { return nil }
        return Fault(field: "index", expected: "a whole number from 0 to \(state.feed.generated - 1), the cards there are so far",
                     found: "\(scroll.index)")
    }

    public mutating func begin(at civilTime: CivilTime, _ memory: Memory?) -> Effects {
        state.timeOfDay = TimeOfDay(civilTime)
        state.rivals = Rivals(seed: state.seed, lastScore: memory?.lastScore)
        var effects = tellHour(at: 0)
        effects.wake = .instant(state.timeOfDay.nextHour(after: 0))
        return effects
    }

    public mutating func reduce(_ input: Input<FeedScroll>, at frame: Frame) -> Effects {
        let time = seconds(frame)
        switch input {
        case .theme(let theme): return Effects(cues: state.tone.cues(changingTo: theme.toneCurve))
        case .tick(let civilTime):
            state.timeOfDay.follow(civilTime, at: time)
            var effects = tellHour(at: time)
            effects.wake = .instant(state.timeOfDay.nextHour(after: time))
            return effects
        case .swipe(let swipe):
            var effects = tellHour(at: time)
            state.totalSwipes += 1
            effects.cues.append(.haptic("swipe"))
            show(swipe.direction == .up ? state.feed.index + 1 : max(0, state.feed.index - 1), velocity: swipe.velocity, at: time, &effects)
            return effects
        case .move(let scroll):
            var effects = tellHour(at: time)
            show(scroll.index, velocity: scroll.velocity, at: time, &effects)
            return effects
        case .knob(let knob, let value):
            let effects = tellHour(at: time)
            state.tuning.turn(knob, to: value)
            if state.tuning.forcesUnlocks { unlockCatalog() }
            return effects
        case .touch(_, let usual), .tone(_, let usual), .other(let usual):
            var effects = tellHour(at: time)
            effects.cues = usual
            return effects
        case .tap, .visit: return tellHour(at: time)
        }
    }

    public var memory: Memory? { Memory(lastScore: state.blocksViewed) }

    /// Shows card `index`; nothing happens when it is shown already.
    private mutating func show(_ index: Int, velocity: Double?, at time: Double, _ effects: inout Effects) {
        guard index != state.feed.index else { return }
        state.feed.show(index)
        state.blocksViewed += 1
        state.seen.insert(index)
        state.pace.scroll(at: time, velocity: velocity)
        let shown = state.feed.skin(at: index, state.collection)
        var unlocking: Effects?
        if let shown {
            state.collection.see(shown)
            if state.collection.isLocked(shown) { unlocking = unlock(shown, at: time) }
        }
        state.feed.generate(state.collection, state.tuning)
        let record = record(of: shown, at: time)
        effects.cues += state.tone.cues(movingTo: state.blocksViewed)
        // A card is told of before what it sets off.
        effects.tell(record)
        if let unlocking { effects += unlocking }
        if let strength = state.interventions.decide(record.pChurn, viewed: state.blocksViewed) {
            effects += intervene(strength, record.pChurn, at: time)
        }
    }

    /// The leaderboard, when its hour has come.
    private mutating func tellHour(at time: Double) -> Effects {
        let hour = state.timeOfDay.hour(at: time)
        guard hour != state.hour else { return Effects() }
        state.hour = hour
        return Effects(announcements: [Announcement(state.rivals.board(hour: hour))])
    }

    /// Views since the last unlock.
    var rewardDrought: Int { state.blocksViewed - state.viewsAtUnlock }

    func seconds(_ frame: Frame) -> Double { rate.seconds(in: frame - .zero).rawValue }
}

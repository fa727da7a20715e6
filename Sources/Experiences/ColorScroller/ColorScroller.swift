import Calendar
import Experience
import Fields
import Signals
import Units

/// A feed of coloured cards that rewards and punishes. What it does in addition to the common answers to touch (`Hands`):
///
/// | event | effects |
/// |---|---|
/// | arrival, tick | the leaderboard, if its hour has come; a toast that waited; the next tick, at the full hour or for the next toast |
/// | swipe | `swipe`, and one card forward or back; while the feed stands still, the haptic pattern of a touch, and nothing moves |
/// | feed.scroll | the card that was asked for; while the feed stands still, nothing moves |
/// | feed.reset | everything as new; the tone at its start |
/// | param.set | the tone's change if the course is another one; other rules from now on |
/// | theme | the tone's change |
/// | a card is shown | pitch and level; for a new skin `unlock`, heard and felt; announcements |
public struct ColorScroller: Experience {
    private let rate: SampleRate
    /// The model that computes how likely it is that the visitor is about to leave. It stays when the feed begins anew.
    let model: ChurnModel
    /// The state of the session after all events so far.
    public internal(set) var state: State

    public struct State: Codable, Equatable, Sendable {
        var tuning: Tuning
        /// The number of cards viewed in each of the house's visits before this one, the newest last. The course is computed from them.
        let visits: [Int]
        /// The theme's tone curve, not yet stretched to the visit's course.
        private(set) var curve: ToneCurve
        var collection: Collection
        var feed: Feed
        var seen = SeenBlocks()
        var tone: ToneSteps
        var pace = Pace()
        var toasts = Toasts()
        var interventions = Interventions()
        let exploration: Exploration
        var rewards: Rewards
        var rivals: Rivals
        var timeOfDay: TimeOfDay
        let seed: UInt64
        /// The number of views of cards. A card that is seen again counts again.
        var blocksViewed = 0
        var totalSwipes = 0
        /// The value of `blocksViewed` at the last unlock.
        var viewsAtUnlock = 0
        var pause = Pause()
        /// The time of the visitor's last event (the last sign of the visitor), in seconds since the session's start.
        var lastSign = 0.0
        /// The time at which the feed began, or last began anew, in seconds since the session's start.
        var began = 0.0
        /// The rank that was announced last.
        var rank = Rivals.lastRank
        /// P(churn), the probability that the visitor is about to leave, at the last scroll; nil before the first scroll.
        var pChurn: Double?
        /// The hour whose leaderboard was announced last, counted from 1970-01-01 in local time; nil before the first.
        var hour: Int?

        /// `rivals` is the seed of the rivals where the house has none in its memory; nil for `seed`.
        init(seed: UInt64, curve: ToneCurve, tuning: Tuning, _ memory: Memory? = nil, rivals: UInt64? = nil) {
            visits = memory?.visits ?? []
            let course = Course(tuning, after: visits)
            self.curve = curve
            collection = Collection(on: course)
            if tuning.forcesUnlocks { collection.unlockCatalog(at: 0) }
            self.tuning = tuning
            self.seed = seed
            feed = Feed(seed: seed, collection, tuning)
            tone = ToneSteps(course.curve(curve), seed: seed)
            exploration = Exploration(seed: seed, holdout: tuning.holdout)
            rewards = Rewards(seed: seed)
            self.rivals = Rivals(seed: memory?.rivals ?? rivals ?? seed, last: memory?.last, on: course)
            timeOfDay = TimeOfDay(CivilTime(instant: 0, utcOffset: 0))
        }

        /// Makes the tone follow another theme's curve from now on. Returns the cues that change the tone.
        mutating func follow(_ curve: ToneCurve) -> [Cue] {
            self.curve = curve
            return tone.cues(changingTo: collection.course.curve(curve))
        }

        /// Takes over the length of the course from the knob. Cards that were generated stay as they are. Returns the cues that change the
        /// tone.
        mutating func followCourse() -> [Cue] {
            let course = Course(tuning, after: visits)
            guard course != collection.course else { return [] }
            collection.course = course
            rivals.course = course
            return tone.cues(changingTo: course.curve(curve))
        }
    }

    public init(_ opening: Opening) {
        self.init(rate: opening.rate, model: opening.model,
                  state: State(seed: opening.seed, curve: opening.theme.toneCurve, tuning: Tuning(opening.knobs)))
    }

    /// Creates a piece that goes on from `state`, and predicts with the run's model `model`; nil stands for the standard model.
    public init(rate: SampleRate, model: PredictionModel? = nil, state: State) {
        self.rate = rate
        self.model = ChurnModel(model)
        self.state = state
    }

    public var opening: [Cue] { [.tonePitch(state.tone.pitch, glide: .zero), .toneLevel(state.tone.level)] }

    public func refusal(of input: Input<FeedMove>, at now: Now) -> Fault? {
        guard case .move(.scroll(let scroll)) = input, scroll.index >= state.feed.generated else { return nil }
        return Fault(field: "index", expected: "a whole number from 0 to \(state.feed.generated - 1), the cards there are so far",
                     found: "\(scroll.index)")
    }

    public mutating func begin(at now: Now, _ memory: Memory?) -> Effects {
        state = State(seed: state.seed, curve: state.curve, tuning: state.tuning, memory)
        state.timeOfDay = TimeOfDay(now.civilTime)
        var effects = tellHour(at: 0)
        effects.tell(counters)
        effects.wake = wake(after: 0)
        return effects
    }

    public mutating func reduce(_ input: Input<FeedMove>, at now: Now) -> Effects {
        let time = seconds(now.frame)
        switch input {
        case .theme(let theme): return Effects(cues: state.follow(theme.toneCurve))
        case .tick:
            state.timeOfDay.follow(now.civilTime, at: time)
            return tellHour(at: time) + tellToast(at: time)
        case .swipe(let swipe):
            state.lastSign = time
            state.totalSwipes += 1
            var effects = tellHour(at: time)
            if state.pause.holds(at: time) {
                effects.cues.append(.haptic("touch-down"))
                effects += held(at: time)
            } else {
                effects.cues.append(.haptic("swipe"))
                let next = swipe.direction == .up ? state.feed.index + 1 : max(0, state.feed.index - 1)
                show(next, velocity: swipe.velocity, at: time, &effects)
            }
            effects.tell(counters)
            return effects
        case .move(.reset): return reset(at: time)
        case .move(.scroll(let scroll)):
            state.lastSign = time
            var effects = tellHour(at: time)
            if state.pause.holds(at: time) {
                effects += held(at: time)
            } else if scroll.index != state.feed.index {
                show(scroll.index, velocity: scroll.velocity, at: time, &effects)
                effects.tell(counters)
            }
            return effects
        case .knob(let knob, let value):
            var effects = tellHour(at: time)
            state.tuning.turn(knob, to: value)
            effects.cues += state.followCourse()
            if state.tuning.forcesUnlocks { unlockCatalog() }
            effects.tell(counters)
            return effects + tellToast(at: time)
        case .touch(_, let usual):
            state.lastSign = time
            var effects = tellHour(at: time)
            effects.cues = usual
            return effects
        case .tone(_, let usual), .other(let usual):
            var effects = tellHour(at: time)
            effects.cues = usual
            return effects
        case .tap:
            state.lastSign = time
            return tellHour(at: time)
        case .visit, .configuration: return tellHour(at: time)
        }
    }

    /// Shows card `index`, and adds the resulting cues and announcements to `effects`. Does nothing if the card is shown already.
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
        let known = state.feed.generated
        state.feed.generate(state.collection, state.tuning)
        let inputs = churnInputs(of: shown, at: time)
        let decision = decide(model.logOdds(inputs))
        state.pChurn = LogOdds.probability(of: decision.margin)
        effects.logOdds = decision.margin
        effects.cues += state.tone.cues(movingTo: state.blocksViewed)
        // A card is told of before what it sets off.
        effects.tell(Scroll(record: record(inputs, at: time), decision: decision, card: state.feed.card(at: index, state.collection),
                            cards: cards(known..<state.feed.generated), state: feedState(at: time)))
        if let unlocking { effects += unlocking }
        if let strength = decision.action.strength { effects += intervene(strength, decision, at: time) }
        effects += tellRank(at: time)
    }

    /// Begins the feed anew, as for the next visitor: with another seed and the same rivals, nothing unlocked, and the tone at its start.
    /// If the visit so far counts, its result becomes the last visit of the leaderboard. The run and its clock go on.
    private mutating func reset(at time: Double) -> Effects {
        let memory = memory
        let seed = Draws(state.seed, for: .reset).bits(0)
        var next = State(seed: seed, curve: state.curve, tuning: state.tuning, memory, rivals: state.rivals.seed)
        next.timeOfDay = state.timeOfDay
        next.pace = Pace(from: time)
        next.began = time
        next.lastSign = time
        state = next
        // In a moment, not at once: a finger may be down.
        var effects = Effects(cues: [.tonePitch(state.tone.pitch, glide: .milliseconds(50)), .toneLevel(state.tone.level)])
        effects.tell(FeedBegun(index: state.feed.index))
        effects += tellHour(at: time)
        effects.tell(counters)
        effects.wake = wake(after: time)
        return effects
    }

    /// The number of views since the last unlock.
    var rewardDrought: Int { state.blocksViewed - state.viewsAtUnlock }

    /// Returns when the piece wants its next tick: when a waiting toast may appear, or at the next full hour if that is earlier.
    func wake(after time: Double) -> Wake {
        let hour = state.timeOfDay.nextHour(after: time)
        guard let due = state.toasts.due(cooldown: state.tuning.toastCooldown), due < state.timeOfDay.time(of: hour) else {
            return .instant(hour)
        }
        let now = rate.frames(in: Seconds(time)).rawValue
        return .frame(Frame(max(now + 1, Int64((due * Double(rate.hertz)).rounded(.up)))))
    }

    func seconds(_ frame: Frame) -> Double { rate.seconds(in: frame - .zero).rawValue }
}

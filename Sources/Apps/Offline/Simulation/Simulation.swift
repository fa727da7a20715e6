import ColorScroller
import Experience
import Journal
import Registry
import Signals
import Units

/// A visitor to ColorScroller who does not exist, and his whole session: entries for a journal, and the cues they lead to. The same
/// seed and profile make the same session, byte for byte.
public struct Simulation {
    public struct Step: Sendable {
        public var entry: JournalEntry
        /// What the experience does about it.
        public var cues: [Cue]
    }

    public let header: JournalHeader
    private let profile: VisitorProfile
    private let swipes: Int
    private var scroller: ColorScroller
    private var draws: SplitMix64
    private var time = Frame.zero
    private var swiped = 0
    /// Steps made and not yet handed out, the first last.
    private var pending: [Step] = []
    private var phase = Phase.opening

    private enum Phase { case opening, scrolling, over }

    /// New Year's Day of 2026, at a time of day of the seed's choosing.
    private static let day = 1_767_225_600.0

    public init(seed: UInt64, swipes: Int, profile: VisitorProfile, theme: Theme = .standard, rate: SampleRate = .standard,
                tuning: Tuning = .standard) {
        scroller = ColorScroller(theme: theme, seed: seed, rate: rate, tuning: tuning)
        let rules = JournalHeader.Rules(version: ExperienceName.colorScroller.rulesVersion, opening: scroller.opening)
        header = JournalHeader(sampleRate: rate, seed: seed, experience: "colorscroller", started: "simulated", theme: theme,
                               tuning: tuning, rules: rules)
        self.profile = profile
        self.swipes = swipes
        // The visitor's own chance is not the feed's.
        draws = SplitMix64(seed: seed ^ 0x7669_7369_746F_72)
    }

    /// Nil when the session is over.
    public mutating func next() -> Step? {
        if pending.isEmpty { goOn() }
        return pending.popLast()
    }

    private mutating func goOn() {
        switch phase {
        case .opening:
            phase = .scrolling
            let arrival = Arrival(time: Self.day + Double(draws.below(86_400)), utcOffset: 0)
            pending = [event(.arrival(arrival), client: .engine), Step(entry: .header(header), cues: scroller.opening)]
        case .scrolling where swiped < swipes:
            swiped += 1
            pending = swipe().reversed()
        case .scrolling:
            phase = .over
            wait(45)
            let stop = event(.stop, client: .engine)
            pending = [Step(entry: .end(.idle, at: time + header.sampleRate.frames(in: .stopTime)), cues: []), stop]
        case .over: break
        }
    }

    /// A look at the card, a finger down, and its flick.
    private mutating func swipe() -> [Step] {
        let now = scroller.feedState(at: time)
        let isColored = scroller.cards(now.index..<now.index + 1).first?.rarity != nil
        let sight = VisitorProfile.Sight(isColored: isColored, drought: now.rewardDrought)
        wait(max(profile.dwell(sight, draws.unit()), (now.pausedUntil ?? 0) - now.time))
        let velocity = profile.velocity(sight, draws.unit())
        let direction: FeedSwipe.Direction = now.index > 0 && draws.unit() < profile.regret ? .down : .up
        let began = event(.touch(Touch(.began)), client: .connection(1))
        wait(0.06 + 0.06 * draws.unit())
        let ended = event(.touch(Touch(.ended)), client: .connection(1))
        return [began, ended, event(.feedSwipe(FeedSwipe(direction, velocity: velocity)), client: .connection(1))]
    }

    private mutating func event(_ kind: EventKind, client: Client) -> Step {
        let event = Event(client: client, kind)
        let cues = scroller.reduce(event, at: time)
        return Step(entry: .event(event, at: time, cues: cues.filter(\.isJournaled)), cues: cues)
    }

    private mutating func wait(_ seconds: Double) { time = time + header.sampleRate.frames(in: Seconds(seconds)) }
}

import Signals
import Wire

/// Limits how fast visitors, players and clients that set the volume may act: as fast as people can, each client alone and all together.
/// Touchscreens report what people really do, and are not limited here. A plain value: the caller passes the time (CLOCK_MONOTONIC,
/// nanoseconds). Thread: the event loop.
struct HumanRates {
    /// The kinds of actions. Each kind has a limit of its own, which is how often fingers can do such a thing.
    enum ActionKind: Int, CaseIterable {
        /// A movement of a finger: ten fingers, each 250 times a second. Sounds that follow a finger, which are the tone and textures,
        /// count as well.
        case moving
        /// A tap, and also the touch that begins it: ten fingers, each ten times a second. Sounds at a tap count as well.
        case tapping
        /// Actions of a piece by one finger, up to 250 times a second: another card, another shield.
        case playing
        /// Actions that matter to a household or to the house: money, food, another household, the volume.
        case deciding
        /// Entering as a household: a name and a secret, right or wrong.
        case entering
        /// Entering as a household that the state database does not know.
        case naming
        /// A stop, which silences everything.
        case stopping
        /// A line of the journal; every other action writes one.
        case journaling

        fileprivate var words: String {
            switch self {
            case .moving: "movements"
            case .tapping: "touches and taps"
            case .playing: "actions"
            case .deciding: "actions that count"
            case .entering: "households that enter"
            case .naming: "new names"
            case .stopping: "stops"
            case .journaling: "bytes of journals"
            }
        }

        /// Whether the limit applies to all clients with the same credentials together, and outlasts their connections. Without that, a
        /// client could try more names, or guess secrets faster, by connecting anew.
        fileprivate var isOfCredentials: Bool { self == .entering || self == .naming }

        /// The amount that one action uses up: bytes for a line of the journal, else 1.
        fileprivate var amount: Double { self == .journaling ? HumanRates.lineBytes : 1 }

        /// Returns the limit for one person, and the limit for all visitors together: as much as 64 fingers, and a crowd of people who take
        /// turns, can do. Journals may take `journalSpace` bytes: a sixteenth may be filled at once, and all of it within a day, even by
        /// one person.
        fileprivate func limits(journalSpace: Int64) -> (own: Allotment, all: Allotment) {
            switch self {
            case .moving: (Allotment(rate: 2_500, most: 2_500), Allotment(rate: 16_000, most: 16_000))
            case .tapping: (Allotment(rate: 200, most: 200), Allotment(rate: 1_200, most: 1_200))
            case .playing: (Allotment(rate: 250, most: 500), Allotment(rate: 2_500, most: 2_500))
            case .deciding: (Allotment(rate: 20, most: 40), Allotment(rate: 200, most: 400))
            case .entering: (Allotment(rate: 2, most: 40), Allotment(rate: 20, most: 100))
            case .naming: (Allotment(rate: 0.05, most: 20), Allotment(rate: 0.1, most: 60))
            case .stopping: (Allotment(rate: 0.2, most: 3), Allotment(rate: 1, most: 20))
            case .journaling: (HumanRates.journaling(in: journalSpace), HumanRates.journaling(in: journalSpace))
            }
        }
    }

    /// The bytes that a visitor is charged for a line of the journal, and for the first line of a session, which contains the theme. Most
    /// lines are shorter.
    static let lineBytes = 256.0, sessionBytes = 32_768.0
    /// The bytes per second that one finger writes into journals when it moves all day.
    static let leastBytesPerSecond = 250 * lineBytes
    static let leastBytes = Double(32 << 20)

    fileprivate static func journaling(in space: Int64) -> Allotment {
        Allotment(rate: max(leastBytesPerSecond, Double(space) / 86_400), most: max(leastBytes, Double(space) / 16))
    }

    private struct Person {
        /// What this one client may still do, as one person.
        var own: Allotment
        /// The client's equal share of half of what all clients may do. Other clients cannot use it up.
        var part: Allotment

        mutating func fill(at now: Int64, rate: Double, most: Double) {
            own.fill(at: now)
            part.fill(at: now)
            part.resize(rate: rate, most: most)
        }
    }

    /// The limits of a client that has done nothing yet, indexed by `ActionKind`.
    private let own: [Allotment]
    /// What all clients together may still do, indexed by `ActionKind`.
    private var crowd: [Allotment]
    /// What each client may still do, by client. Credentials with limits of their own have negative numbers as keys. Each array is indexed
    /// by `ActionKind`.
    private var people: [Int: [Person]] = [:]
    private var credentials: [Identity: Int] = [:]
    private var lastCredentials = 0
    /// The number of credentials whose actions are remembered. Beyond that the oldest are forgotten.
    private static let mostCredentials = 256
    /// The number of refusals since the start.
    private(set) var refused: UInt64 = 0

    /// `journalSpace` is the space that journals may take up, in bytes.
    init(journalSpace: Int64) {
        let limits = ActionKind.allCases.map { $0.limits(journalSpace: journalSpace) }
        own = limits.map(\.own)
        crowd = limits.map(\.all)
    }

    /// Charges a client for one action of the kind `action` and for one line of the journal, and returns nil. Where the limits do not allow
    /// both, charges it for nothing and returns the refusal. When less than half of the limit of all clients is left, only clients that
    /// have not used up their own share are served.
    mutating func refusal(of action: ActionKind, by client: Int, _ identity: Identity, at now: Int64) -> ErrorReply? {
        let doer = action.isOfCredentials ? number(of: identity) : client
        fill(action, of: doer, at: now)
        fill(.journaling, of: client, at: now)
        if let refusal = shortage(of: action, for: doer) ?? shortage(of: .journaling, for: client) {
            refused += 1
            return refusal
        }
        take(action, for: doer)
        take(.journaling, for: client)
        return nil
    }

    private mutating func number(of identity: Identity) -> Int {
        if let number = credentials[identity] { return number }
        if credentials.count >= Self.mostCredentials, let first = credentials.max(by: { $0.value < $1.value }) {
            credentials[first.key] = nil
            people[first.value] = nil
        }
        lastCredentials -= 1
        credentials[identity] = lastCredentials
        return lastCredentials
    }

    /// Charges a client whose event began a session for the first line of the session's journal.
    mutating func begunSession(by client: Int, at now: Int64) {
        let journaling = ActionKind.journaling.rawValue
        fill(.journaling, of: client, at: now)
        people[client]?[journaling].own.charge(Self.sessionBytes)
        people[client]?[journaling].part.charge(Self.sessionBytes)
        crowd[journaling].charge(Self.sessionBytes)
    }

    private func shortage(of action: ActionKind, for client: Int) -> ErrorReply? {
        guard let person = people[client]?[action.rawValue] else { return nil }
        let (everybody, amount) = (crowd[action.rawValue], action.amount)
        guard person.own.has(amount) else {
            return Self.refusal("more \(action.words) than a person makes", person.own, amount)
        }
        guard everybody.has(amount), everybody.share > 0.5 || person.part.has(amount) else {
            return Self.refusal("more \(action.words) than all visitors together may make", everybody.has(amount) ? person.part : everybody,
                                amount, of: everybody)
        }
        return nil
    }

    private mutating func take(_ action: ActionKind, for client: Int) {
        people[client]?[action.rawValue].own.take(action.amount)
        people[client]?[action.rawValue].part.take(action.amount)
        crowd[action.rawValue].take(action.amount)
    }

    private mutating func fill(_ action: ActionKind, of client: Int, at now: Int64) {
        crowd[action.rawValue].fill(at: now)
        if people[client] == nil {
            // A new client begins with one of each action, so that reconnecting gains nothing; only its share of the journals, which fills
            // slowly, is full.
            let count = Double(people.count + 1)
            people[client] = ActionKind.allCases.map { action in
                let all = crowd[action.rawValue]
                let (rate, most) = Self.part(of: all, amount: action.amount, among: count)
                return Person(own: own[action.rawValue],
                              part: Allotment(rate: rate, most: most, left: action == .journaling ? most : action.amount))
            }
        }
        let (rate, most) = Self.part(of: crowd[action.rawValue], amount: action.amount, among: Double(people.count))
        people[client]?[action.rawValue].fill(at: now, rate: rate, most: most)
    }

    private static func part(of all: Allotment, amount: Double, among count: Double) -> (rate: Double, most: Double) {
        (all.rate / count, max(amount, all.most / 2 / count))
    }

    /// Forgets a client that has gone.
    mutating func forget(_ client: Int) { people[client] = nil }

    /// Returns the refusal for a client that has to wait until the bucket `lacking` contains `amount`. `words` say what was too much, and
    /// `limit` is the limit that the message names; nil names that of `lacking`.
    private static func refusal(_ words: String, _ lacking: Allotment, _ amount: Double, of limit: Allotment? = nil) -> ErrorReply {
        ErrorReply(.refused(.tooFast), "\(words) (\(Self.words(limit ?? lacking)))", retryAfter: lacking.wait(for: amount))
    }

    private static func words(_ allotment: Allotment) -> String {
        let (rate, most) = (allotment.rate, Int(allotment.most))
        return rate >= 1 ? "\(Int(rate)) a second, \(most) at once" : "one in \(Int((1 / rate).rounded())) s, \(most) at once"
    }
}

extension EventKind {
    /// Returns what kind of action a visitor's event is. `isForHousehold` is whether an action is made in a household's name. Nil for an
    /// event by which a visitor lets go of something, which is never refused, and for an event that only operators and the engine make.
    func actionKind(isForHousehold: Bool) -> HumanRates.ActionKind? {
        switch self {
        case .touch(let touch): touch.phase == .ended ? nil : touch.phase == .moved ? .moving : .tapping
        case .tone(let request): request.on == false ? nil : .moving
        case .texture(_, let on): on ? .moving : nil
        case .tap, .swipe, .chime, .haptic, .pattern: .tapping
        case .action(let action): action.body.entering != nil ? .entering : isForHousehold || action.body.key != nil ? .deciding : .playing
        case .stop: .stopping
        case .start, .mark, .mute, .knob: .deciding
        case .noise, .ceiling, .volume, .theme, .arrival, .configuration, .tick, .visit, .touchOwner, .left: nil
        }
    }
}

/// A token bucket. It is filled at a steady rate up to `most`, and actions take from it. A plain value: the caller passes the time
/// (CLOCK_MONOTONIC, nanoseconds).
struct Allotment {
    /// The amount that is filled in each second.
    private(set) var rate: Double
    private(set) var most: Double
    private var left: Double
    private var filledAt: Int64?

    /// `left` is the amount in the bucket at first; nil for a full bucket.
    init(rate: Double, most: Double, left: Double? = nil) {
        self.rate = rate
        self.most = most
        self.left = left ?? most
    }

    /// The fraction of `most` that is left, 0…1.
    var share: Double { left / most }

    mutating func fill(at now: Int64) {
        if let filledAt { left = min(most, left + Double(max(0, now - filledAt)) * 1e-9 * rate) }
        filledAt = now
    }

    /// Changes the bucket's rate and size. An amount beyond the new size is lost.
    mutating func resize(rate: Double, most: Double) {
        (self.rate, self.most) = (rate, most)
        left = min(left, most)
    }

    func has(_ amount: Double) -> Bool { left >= amount }

    /// Returns the seconds until `amount` is in the bucket, if nobody takes any.
    func wait(for amount: Double) -> Double { max(0, (amount - left) / rate) }

    /// Takes `amount`, or as much of it as there is.
    mutating func take(_ amount: Double) { left = max(0, left - amount) }

    /// Takes an amount that has been used already. The bucket may go into debt, down to −`most`.
    mutating func charge(_ amount: Double) { left = max(-most, left - amount) }
}

import Signals
import Wire

/// How fast visitors, players and who sets the volume may do things: as fast as people can, each alone and all together. Touchscreens
/// report what people do, and are not asked about here. A plain value: the caller gives the time (CLOCK_MONOTONIC, nanoseconds).
/// Thread: the event loop.
struct HumanRates {
    /// What somebody does, by how often fingers can.
    enum Doing: Int, CaseIterable {
        /// Ten fingers of which each moves 250 times a second, and what follows a finger: the tone, textures.
        case moving
        /// Ten fingers that tap ten times a second, each with the touch that it begins with, and what sounds at a tap.
        case tapping
        /// What a piece is told of one finger, 250 times a second: another card, another shield.
        case playing
        /// What counts for a household or the house: money, food, another household, the volume.
        case deciding
        /// A household's name and secret, right or wrong.
        case entering
        /// A household's name of which nothing is kept.
        case naming
        /// A stop, which silences everything.
        case stopping
        /// A line of a journal, which each of the others puts there.
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

        /// Whether it counts for all clients with the same credentials together, and goes on counting when they are gone: nobody brings
        /// more names, or guesses faster, by connecting anew.
        fileprivate var isOfCredentials: Bool { self == .entering || self == .naming }

        /// What doing it once takes.
        fileprivate var amount: Double { self == .journaling ? HumanRates.lineBytes : 1 }

        /// Returns what a person can do alone, and what all visitors may do together: 64 fingers, and a crowd that takes turns; in journals
        /// a sixteenth of their `journalSpace` (bytes) at once, and all of it in a day, which one person may fill as well.
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

    /// What a visitor is charged for a line of the journal, and for a session's first line, which holds the theme, in bytes. Most take
    /// less.
    static let lineBytes = 256.0, sessionBytes = 32_768.0
    /// One finger's movements all day, in bytes of journals.
    static let leastBytesPerSecond = 250 * lineBytes
    static let leastBytes = Double(32 << 20)

    fileprivate static func journaling(in space: Int64) -> Allotment {
        Allotment(rate: max(leastBytesPerSecond, Double(space) / 86_400), most: max(leastBytes, Double(space) / 16))
    }

    private struct Person {
        /// What a person can do.
        var own: Allotment
        /// An equal part of what the crowd may do, which nobody takes away.
        var part: Allotment

        mutating func fill(at now: Int64, rate: Double, most: Double) {
            own.fill(at: now)
            part.fill(at: now)
            part.resize(rate: rate, most: most)
        }
    }

    /// What a person can do who has done nothing yet, by the number of `Doing`.
    private let own: [Allotment]
    /// What all together may do, by the number of `Doing`.
    private var crowd: [Allotment]
    /// Clients by their numbers, and credentials by negative ones. Each has a place for each of `Doing`, by its number.
    private var people: [Int: [Person]] = [:]
    private var credentials: [Identity: Int] = [:]
    private var lastCredentials = 0
    /// How many credentials are known by what they did; beyond that those that came first are forgotten.
    private static let mostCredentials = 256
    /// What was refused since the start.
    private(set) var refused: UInt64 = 0

    /// `journalSpace` is what journals may take up, in bytes.
    init(journalSpace: Int64) {
        let limits = Doing.allCases.map { $0.limits(journalSpace: journalSpace) }
        own = limits.map(\.own)
        crowd = limits.map(\.all)
    }

    /// Takes one of `doing` for a client, and a line of a journal, if both are there; else returns what there is too much of. The last half
    /// of what the crowd may do is for those who have done less than their part: they are served first.
    mutating func refusal(of doing: Doing, by client: Int, _ identity: Identity, at now: Int64) -> ErrorReply? {
        let doer = doing.isOfCredentials ? number(of: identity) : client
        fill(doing, of: doer, at: now)
        fill(.journaling, of: client, at: now)
        if let refusal = shortage(of: doing, for: doer) ?? shortage(of: .journaling, for: client) {
            refused += 1
            return refusal
        }
        take(doing, for: doer)
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

    /// Counts the first line of a journal for a client by which a session has begun.
    mutating func begunSession(by client: Int, at now: Int64) {
        let journaling = Doing.journaling.rawValue
        fill(.journaling, of: client, at: now)
        people[client]?[journaling].own.charge(Self.sessionBytes)
        people[client]?[journaling].part.charge(Self.sessionBytes)
        crowd[journaling].charge(Self.sessionBytes)
    }

    private func shortage(of doing: Doing, for client: Int) -> ErrorReply? {
        guard let person = people[client]?[doing.rawValue] else { return nil }
        let (everybody, amount) = (crowd[doing.rawValue], doing.amount)
        guard person.own.has(amount) else {
            return Self.refusal("more \(doing.words) than a person makes", person.own, amount)
        }
        guard everybody.has(amount), everybody.share > 0.5 || person.part.has(amount) else {
            return Self.refusal("more \(doing.words) than all visitors together may make", everybody.has(amount) ? person.part : everybody,
                                amount, of: everybody)
        }
        return nil
    }

    private mutating func take(_ doing: Doing, for client: Int) {
        people[client]?[doing.rawValue].own.take(doing.amount)
        people[client]?[doing.rawValue].part.take(doing.amount)
        crowd[doing.rawValue].take(doing.amount)
    }

    private mutating func fill(_ doing: Doing, of client: Int, at now: Int64) {
        crowd[doing.rawValue].fill(at: now)
        if people[client] == nil {
            // A new client has one of each to begin with, and all of its part of the journals: these fill slowly.
            let count = Double(people.count + 1)
            people[client] = Doing.allCases.map { doing in
                let all = crowd[doing.rawValue]
                let (rate, most) = Self.part(of: all, amount: doing.amount, among: count)
                return Person(own: own[doing.rawValue],
                              part: Allotment(rate: rate, most: most, left: doing == .journaling ? most : doing.amount))
            }
        }
        let (rate, most) = Self.part(of: crowd[doing.rawValue], amount: doing.amount, among: Double(people.count))
        people[client]?[doing.rawValue].fill(at: now, rate: rate, most: most)
    }

    private static func part(of all: Allotment, amount: Double, among count: Double) -> (rate: Double, most: Double) {
        (all.rate / count, max(amount, all.most / 2 / count))
    }

    /// Forgets a client that is gone.
    mutating func forget(_ client: Int) { people[client] = nil }

    /// Returns the refusal of somebody who has to wait until `lacking`, which has too little, is filled again.
    private static func refusal(_ words: String, _ lacking: Allotment, _ amount: Double, of limit: Allotment? = nil) -> ErrorReply {
        ErrorReply(.refused(.tooFast), "\(words) (\(Self.words(limit ?? lacking)))", retryAfter: lacking.wait(for: amount))
    }

    private static func words(_ allotment: Allotment) -> String {
        let (rate, most) = (allotment.rate, Int(allotment.most))
        return rate >= 1 ? "\(Int(rate)) a second, \(most) at once" : "one in \(Int((1 / rate).rounded())) s, \(most) at once"
    }
}

extension EventKind {
    /// Returns what a visitor does by an event of this kind; nil for what lets go of a visitor's own, which is never refused, and for what
    /// only operators and the engine do.
    func doing(_ isForHousehold: Bool) -> HumanRates.Doing? {
        switch self {
        case .touch(let touch): touch.phase == .ended ? nil : touch.phase == .moved ? .moving : .tapping
        case .tone(let request): request.on == false ? nil : .moving
        case .texture(_, let on): on ? .moving : nil
        case .tap, .swipe, .chime, .haptic, .pattern: .tapping
        case .action(let action): action.body.entering != nil ? .entering : isForHousehold || action.body.key != nil ? .deciding : .playing
        case .stop: .stopping
        case .start, .mark, .mute, .knob: .deciding
        case .ceiling, .volume, .theme, .arrival, .configuration, .tick, .visit, .touchOwner, .left: nil
        }
    }
}

/// A token bucket: what may be taken of something that comes back at a steady rate, as much as `most` at once. A plain value: the caller
/// gives the time (CLOCK_MONOTONIC, nanoseconds).
struct Allotment {
    /// How much comes back in a second.
    private(set) var rate: Double
    private(set) var most: Double
    private var left: Double
    private var filledAt: Int64?

    /// `left` is what is there at first; nil for all.
    init(rate: Double, most: Double, left: Double? = nil) {
        self.rate = rate
        self.most = most
        self.left = left ?? most
    }

    /// The part that is left, 0…1.
    var share: Double { left / most }

    mutating func fill(at now: Int64) {
        if let filledAt { left = min(most, left + Double(max(0, now - filledAt)) * 1e-9 * rate) }
        filledAt = now
    }

    /// Changes the size; what is left beyond it is lost.
    mutating func resize(rate: Double, most: Double) {
        (self.rate, self.most) = (rate, most)
        left = min(left, most)
    }

    func has(_ amount: Double) -> Bool { left >= amount }

    /// Returns in how many seconds `amount` will be there, if nobody takes any.
    func wait(for amount: Double) -> Double { max(0, (amount - left) / rate) }

    /// Takes `amount`, or what there is of it: nothing is owed.
    mutating func take(_ amount: Double) { left = max(0, left - amount) }

    /// Takes what was used up already; up to `most` may be owed.
    mutating func charge(_ amount: Double) { left = max(-most, left - amount) }
}

import Signals
import Wire

/// How fast visitors and players may do things: as fast as people can, each and all together. What touchscreens report is people's, and is
/// not asked about here. A plain value: the caller gives the time (CLOCK_MONOTONIC, nanoseconds). Thread: the event loop.
struct HumanRates {
    /// What somebody does, by how often fingers can.
    enum Doing: CaseIterable {
        /// Ten fingers of which each moves 250 times a second, and what follows a finger: the tone, textures.
        case moving
        /// Ten fingers that tap ten times a second, each with the touch that it begins with, and what sounds at a tap.
        case tapping
        /// What a piece is told of one finger, 250 times a second: another card, another shield.
        case playing
        /// What counts for a household: money, food, another household.
        case deciding
        /// A household's name of which nothing is kept.
        case naming
        /// All of these: each puts a line into a journal.
        case journaling

        fileprivate var words: String {
            switch self {
            case .moving: "movements"
            case .tapping: "touches and taps"
            case .playing: "actions"
            case .deciding: "actions that count"
            case .naming: "new names"
            case .journaling: "bytes of journals"
            }
        }

        /// What one of it takes.
        fileprivate var amount: Double { self == .journaling ? HumanRates.lineBytes : 1 }
    }

    /// What each line of a journal counts for, in bytes: more than most have. A session's first line has its theme.
    static let lineBytes = 256.0, sessionBytes = 32_768.0
    /// One finger's movements all day.
    static let leastBytesPerSecond = 250 * lineBytes
    static let leastBytes = Double(32 << 20)

    private struct Person {
        /// What a person can do.
        var own: Allotment
        /// An equal part of what the crowd may do, which nobody takes away.
        var part: Allotment
    }

    /// All together: 64 fingers, and a crowd that takes turns; in journals a sixteenth of their space at once, and a day's worth of it in a
    /// day.
    private var crowd: [Doing: Allotment]
    private var people: [Int: [Doing: Person]] = [:]
    /// What was refused since the start.
    private(set) var refused: UInt64 = 0

    /// `journalSpace` is what journals may take up, in bytes.
    init(journalSpace: Int64) {
        crowd = [
            .moving: Allotment(rate: 16_000, most: 16_000), .tapping: Allotment(rate: 1_200, most: 1_200),
            .playing: Allotment(rate: 2_500, most: 2_500), .deciding: Allotment(rate: 200, most: 400),
            .naming: Allotment(rate: 0.1, most: 60),
            .journaling: Allotment(rate: max(Self.leastBytesPerSecond, Double(journalSpace) / 86_400),
                                   most: max(Self.leastBytes, Double(journalSpace) / 16)),
        ]
    }

    /// What a person can do, alone, where `all` may do so much.
    private static func own(_ doing: Doing, of all: Allotment) -> Allotment {
        switch doing {
        case .moving: Allotment(rate: 2_500, most: 2_500)
        case .tapping: Allotment(rate: 200, most: 200)
        case .playing: Allotment(rate: 250, most: 500)
        case .deciding: Allotment(rate: 20, most: 40)
        case .naming: Allotment(rate: 0.05, most: 5)
        case .journaling: all
        }
    }

    /// Takes one of each of `doings` for a client, and a line of a journal, if all are there, and says otherwise what there is too much of.
    /// Of what the crowd may do, the last half is for those who have done less than their part: they are served first.
    mutating func refusal(of doings: [Doing], by client: Int, at now: Int64) -> ErrorReply? {
        let all = doings + [.journaling]
        for doing in all { fill(doing, of: client, at: now) }
        for doing in all {
            guard let person = people[client]?[doing], let everybody = crowd[doing] else { continue }
            guard person.own.has(doing.amount) else {
                return refuse("more \(doing.words) than a person makes (\(Self.words(person.own)))")
            }
            guard everybody.has(doing.amount), everybody.share > 0.5 || person.part.has(doing.amount) else {
                return refuse("more \(doing.words) than all visitors together may make (\(Self.words(everybody)))")
            }
        }
        for doing in all { take(doing.amount, doing, of: client) }
        return nil
    }

    /// A session has begun by a client: its journal has a first line.
    mutating func begunSession(by client: Int, at now: Int64) {
        fill(.journaling, of: client, at: now)
        people[client]?[.journaling]?.own.charge(Self.sessionBytes)
        people[client]?[.journaling]?.part.charge(Self.sessionBytes)
        crowd[.journaling]?.charge(Self.sessionBytes)
    }

    private mutating func take(_ amount: Double, _ doing: Doing, of client: Int) {
        people[client]?[doing]?.own.take(amount)
        people[client]?[doing]?.part.take(amount)
        crowd[doing]?.take(amount)
    }

    private mutating func fill(_ doing: Doing, of client: Int, at now: Int64) {
        crowd[doing]?.fill(at: now)
        guard let all = crowd[doing] else { return }
        let count = Double(people[client] == nil ? people.count + 1 : people.count)
        let (rate, most) = (all.rate / count, max(doing.amount, all.most / 2 / count))
        // Who is new has one of each to begin with, and all of its part of the journals: these fill slowly.
        var person = people[client]?[doing] ?? Person(
            own: Self.own(doing, of: all), part: Allotment(rate: rate, most: most, left: doing == .journaling ? most : doing.amount))
        person.own.fill(at: now)
        person.part.fill(at: now)
        person.part.resize(rate: rate, most: most)
        people[client, default: [:]][doing] = person
    }

    /// It is gone.
    mutating func forget(_ client: Int) { people[client] = nil }

    private mutating func refuse(_ words: String) -> ErrorReply {
        refused += 1
        return ErrorReply(.refused(.tooFast), words)
    }

    private static func words(_ allotment: Allotment) -> String {
        let (rate, most) = (allotment.rate, Int(allotment.most))
        return rate >= 1 ? "\(Int(rate)) a second, \(most) at once" : "one in \(Int((1 / rate).rounded())) s, \(most) at once"
    }
}

extension EventKind {
    /// What a visitor does by it; nil for what lets go, which is never refused, and for what only operators and the engine do.
    func doing(_ isForHousehold: Bool) -> HumanRates.Doing? {
        guard !releases else { return nil }
        switch self {
        case .touch(let touch): return touch.phase == .moved ? .moving : .tapping
        case .tone, .texture: return .moving
        case .tap, .swipe, .chime, .haptic, .pattern: return .tapping
        case .action(let action): return isForHousehold || action.body.key != nil ? .deciding : .playing
        case .start, .mark, .mute, .knob: return .deciding
        case .ceiling, .volume, .theme, .stop, .arrival, .configuration, .tick, .visit, .touchOwner, .left: return nil
        }
    }
}

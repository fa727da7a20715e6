import Calendar
import Experience
import Fields
import Signals
import TestSupport
@testable import Unhooked
import Units

/// 2026-01-01T00:00:00Z, a Thursday (`date -u -d @1767225600`): day 20,454.
let newYear = 1_767_225_600

/// Somebody with a pet, for tests: a run, and the time, which the test owns. Between events the piece is woken when it asks for it.
struct Owner {
    private(set) var run: Run
    private(set) var now: Double
    /// Told since it was last asked to do something.
    private(set) var told: [Announcement] = []
    private(set) var cues: [Cue] = []
    private(set) var effects = Effects()
    /// All of it.
    private(set) var ledger: [LedgerEntry] = []
    /// All that the run was given, at its frames, and the cues that came of it.
    private(set) var events: [(event: Event, frame: Frame, cues: [Cue])] = []
    private var start: Double
    private let zone: Zone
    private var memories: [String: JSONValue] = [:]
    private var household = Household.home
    private var keys = 0

    /// `start` in seconds after New Year's Day of 2026 in UTC.
    init(at start: Double = 9 * 3_600, zone: Zone = .utc, knobs: KnobSettings = .standard, gems: Int = 0,
         published document: PublishedDocument? = nil) {
        run = Run(Unhooked.self, Opening(theme: .standard, seed: 3, rate: SampleRate(8_000)!, knobs: knobs))
        self.zone = zone
        now = Double(newYear) + start
        self.start = now
        if let document { publish(document) }
        arrive(nil)
        guard gems > 0 else { return }
        var home = home
        home.books.enter(.purchase, .bought(gems), key: .rules("receipt"), at: 0)
        run = Run(Unhooked.self, Opening(theme: .standard, seed: 3, rate: run.rate, knobs: knobs))
        events = []
        arrive(Unhooked.Memory(home).json)
    }

    private mutating func arrive(_ memory: JSONValue?) {
        let arrival = Event(client: .engine, .arrival(Arrival(civilTime, memory: memory)))
        guard let event = try? run.admit(arrival, at: frame) else { return }
        act(on: event)
    }

    mutating func publish(_ document: PublishedDocument) {
        (told, cues) = ([], [])
        if let event = try? run.admit(Event(client: .engine, .configuration(document)), at: frame) { act(on: event) }
    }

    var piece: Unhooked {
        guard let piece = run.piece as? Unhooked else { preconditionFailure("it is the piece of this run") }
        return piece
    }

    var home: Home { piece.home }
    var pet: Pet { home.pet }
    var clock: Now { run.now(at: frame) }
    var state: PetState { piece.state(at: piece.moment(at: clock)) }
    var frame: Frame { .zero + run.rate.frames(in: Seconds(now - start)) }
    private var civilTime: CivilTime { CivilTime(at: now, utcOffset: zone.offset) }
    var day: Int { civilTime.day }

    private mutating func act(on event: AdmittedEvent) {
        effects = run.act(on: event, at: frame)
        events.append((event.event, frame, effects.cues))
        told += effects.announcements
        ledger += effects.ledger
        cues += effects.cues
    }

    /// The piece is woken meanwhile, at the instants that it asks for.
    mutating func wait(_ seconds: Double) {
        (told, cues) = ([], [])
        let end = now + seconds
        while case .instant(let instant)? = run.wake, instant <= end {
            now = max(now, instant)
            act(on: AdmittedEvent(engine: .tick(civilTime)))
        }
        now = end
    }

    /// The clock is set, so many seconds ahead or back. The engine hears of it with its next tick.
    mutating func setClock(by seconds: Double) {
        (told, cues) = ([], [])
        now += seconds
        start += seconds
        act(on: AdmittedEvent(engine: .tick(civilTime)))
    }

    /// To the next local day, at the same time or the one given.
    mutating func wait(days: Int, at hour: Int = 9) {
        let target = day + days
        wait(Double(LocalClock.instant(LocalTime("\(hour < 10 ? "0" : "")\(hour):00")!, on: target, utcOffset: zone.offset)) - now)
    }

    /// The machine is off, and goes on from what was remembered.
    mutating func restart(after seconds: Double = 0, knobs: KnobSettings = .standard) {
        let memory = run.memory
        now += seconds
        start = now
        (told, cues) = ([], [])
        run = Run(Unhooked.self, Opening(theme: .standard, seed: 4, rate: run.rate, knobs: knobs))
        arrive(memory)
    }

    /// The fault is thrown when it is refused.
    @discardableResult mutating func act(_ kind: EventKind) throws -> Effects {
        (told, cues) = ([], [])
        let event = try run.admit(Event(client: .connection(1), kind), at: frame)
        act(on: event)
        let effects = effects
        if let household = effects.household { enter(household) }
        return effects
    }

    /// As the conductor does.
    private mutating func enter(_ next: String) {
        memories[household] = run.memory
        household = next
        arrive(memories[next])
    }

    mutating func visit(_ phase: VisitPhase) {
        act(on: AdmittedEvent(engine: .visit(phase)))
        if let household = effects.household { enter(household) }
    }

    /// As a front end has it.
    @discardableResult mutating func act(_ name: String, _ fields: [String: JSONValue] = [:]) throws -> Effects {
        try act(.action(Action(UncheckedAction(name: "unhooked." + name, fields: fields))))
    }

    /// With a key of its own.
    @discardableResult mutating func pay(_ name: String, _ fields: [String: JSONValue] = [:]) throws -> Effects {
        keys += 1
        return try act(name, fields.merging(["key": .text("key-\(keys)")]) { $1 })
    }

    @discardableResult mutating func feed(_ food: String = "pate") throws -> Effects { try pay("feed", ["food": .text(food)]) }
    @discardableResult mutating func report(_ minutes: Int) throws -> Effects { try act("report", ["minutes": .integer(Int64(minutes))]) }

    func said<Body: AnnouncementBody>(_ type: Body.Type) -> [Body] { told.compactMap { $0.body as? Body } }
    func balance(_ account: Account) -> Int { home.books.balance(account) }
}

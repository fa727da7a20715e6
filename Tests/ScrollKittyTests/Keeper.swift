import Calendar
import Experience
import Fields
@testable import ScrollKitty
import Signals
import TestSupport
import Units

/// 2026-01-01T00:00:00Z, a Thursday (`date -u -d @1767225600`).
let newYear = 1_767_225_600

/// Somebody with a cat, for tests: a run, and the time, which the test owns. Between events the piece is woken when it asks for it.
struct Keeper {
    private(set) var run: Run
    private(set) var now: Double
    /// What was told since it was last asked to do something.
    private var told: [Announcement] = []
    private(set) var effects = Effects()
    private(set) var ledger: [LedgerEntry] = []
    private(set) var cues: [Cue] = []
    private var start: Double
    private let zone: Zone

    /// `start` in seconds after New Year's Day of 2026 in UTC.
    init(at start: Double = 0, zone: Zone = .utc, seed: UInt64 = 3, knobs: KnobSettings = .standard, memory: JSONValue? = nil) {
        run = Run(ScrollKitty.self, Opening(theme: .standard, seed: seed, rate: SampleRate(8_000)!, knobs: knobs))
        self.zone = zone
        now = Double(newYear) + start
        self.start = now
        arrive(memory)
    }

    private mutating func arrive(_ memory: JSONValue?) {
        let arrival = Event(client: .engine, .arrival(Arrival(civilTime, memory: memory)))
        guard let event = try? run.admit(arrival, at: frame) else { return }
        act(on: event)
    }

    var piece: ScrollKitty {
        guard let piece = run.piece as? ScrollKitty else { preconditionFailure("it is the piece of this run") }
        return piece
    }

    var cat: Cat { piece.cat }
    var moment: Moment { piece.moment(at: run.now(at: frame)) }
    var state: CatState { piece.state(at: moment) }
    var hp: Double { state.hp }

    private var frame: Frame { .zero + run.rate.frames(in: Seconds(now - start)) }
    private var civilTime: CivilTime { CivilTime(at: now, utcOffset: zone.offset) }

    private mutating func act(on event: AdmittedEvent) {
        effects = run.act(on: event, at: frame)
        told += effects.announcements
        ledger += effects.ledger
        cues += effects.cues
    }

    /// The piece is woken meanwhile, at the instants that it asks for.
    mutating func wait(_ seconds: Double) { wait(until: now + seconds) }

    mutating func wait(until end: Double) {
        told = []
        cues = []
        while let next = nextWake, next <= end {
            now = max(now, next)
            act(on: AdmittedEvent(engine: .tick(civilTime)))
        }
        now = end
    }

    /// Time goes by, and the piece is woken too late: something else comes first.
    mutating func oversleep(_ seconds: Double) { now += seconds }

    /// In seconds since 1970-01-01 in UTC; nil for never.
    private var nextWake: Double? {
        switch run.wake {
        case .instant(let instant)?: instant
        case .frame(let frame)?: start + run.rate.seconds(in: frame - .zero).rawValue
        case nil: nil
        }
    }

    /// Local time of the first day and those after it.
    mutating func wait(toDay day: Int = 0, _ time: String) {
        guard let time = LocalTime(time) else { preconditionFailure("it is a time") }
        let first = LocalClock.day(at: Int(start), utcOffset: zone.offset)
        wait(until: Double(LocalClock.instant(time, on: first + day, utcOffset: zone.offset)))
    }

    /// The machine is off, and goes on from what was remembered.
    mutating func restart(after seconds: Double = 0, knobs: KnobSettings = .standard) {
        let memory = run.memory
        now += seconds
        start = now
        told = []
        run = Run(ScrollKitty.self, Opening(theme: .standard, seed: 4, rate: run.rate, knobs: knobs))
        arrive(memory)
    }

    /// The fault is thrown when it is refused.
    @discardableResult mutating func act(_ kind: EventKind) throws -> Effects {
        told = []
        let event = try run.admit(Event(client: .connection(1), kind), at: frame)
        act(on: event)
        if let household = effects.household { enter(household) }
        return effects
    }

    private var memories: [String: JSONValue] = [:]
    private var household = Household.home

    /// As the conductor does.
    private mutating func enter(_ next: String) {
        memories[household] = run.memory
        household = next
        arrive(memories[next])
    }

    /// As a front end has it.
    @discardableResult mutating func act(_ name: String, _ fields: [String: JSONValue] = [:]) throws -> Effects {
        try act(.action(Action(UncheckedAction(name: name, fields: fields))))
    }

    @discardableResult mutating func bypass(_ app: String = "Chat") throws -> Effects { try act("kitty.bypass", ["app": .text(app)]) }

    mutating func visit(_ phase: VisitPhase) {
        told = []
        act(on: AdmittedEvent(engine: .visit(phase)))
        if let household = effects.household { enter(household) }
    }

    /// In its order.
    var heard: [Announcement] { told }

    func said<Body: AnnouncementBody>(_ type: Body.Type) -> [Body] { told.compactMap { $0.body as? Body } }
    func shield(_ app: String = "Chat") -> Shield? { state.apps.first { $0.name == app }?.shield }
}

let perApp = KnobSettings(["health-per-app": .flag(true)])

func names(_ names: String...) -> [String: JSONValue] { ["apps": .list(names.map { .text($0) })] }

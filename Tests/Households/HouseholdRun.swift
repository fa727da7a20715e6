import Calendar
import Experience
import Fields
import ScrollKitty
import Signals
import TestSupport
import Units

/// The piece as it runs: woken at the instants that it asks for, and begun anew from its memory. It is seen from outside, as a front end
/// sees it.
struct HouseholdRun {
    private var run: Run
    /// Real seconds since 1970-01-01 in UTC.
    private var now: Double
    private var start: Double
    private let zone: Zone
    /// Seconds of the piece that a real one has.
    private let speed: Double
    private let knobs: KnobSettings
    private var seed: UInt64
    private(set) var announcements: [Announcement] = []
    private(set) var ledger: [LedgerEntry] = []

    /// `start` is in seconds by the piece's clock. By its own clock half a second is over, so that a frame more or less is no other second.
    init(at start: Int, zone: Zone, isPerApp: Bool, dayMinutes: Double, seed: UInt64) {
        speed = 1_440 / dayMinutes
        now = (Double(start) + 0.5) / speed
        self.start = now
        self.zone = zone
        self.seed = seed
        knobs = KnobSettings(["health-per-app": .flag(isPerApp), "day-minutes": .number(dayMinutes)])
        run = Self.fresh(seed, knobs)
        arrive(nil)
    }

    private static func fresh(_ seed: UInt64, _ knobs: KnobSettings) -> Run {
        Run(ScrollKitty.self, Opening(theme: .standard, seed: seed, rate: .lowest, knobs: knobs))
    }

    private var frame: Frame { .zero + run.rate.frames(in: Seconds(now - start)) }
    private var civilTime: CivilTime { CivilTime(at: now, utcOffset: zone.offset) }

    private mutating func arrive(_ memory: JSONValue?) {
        guard let event = try? run.admit(Event(client: .engine, .arrival(Arrival(civilTime, memory: memory))), at: frame) else { return }
        take(event)
    }

    private mutating func take(_ event: AdmittedEvent) {
        let effects = run.act(on: event, at: frame)
        announcements += effects.announcements
        ledger += effects.ledger
    }

    /// `seconds` are the piece's.
    mutating func wait(_ seconds: Int) {
        let end = now + Double(seconds) / speed
        while case .instant(let instant)? = run.wake, instant <= end {
            now = max(now, instant)
            take(AdmittedEvent(engine: .tick(civilTime)))
        }
        now = end
    }

    /// The machine is off for so many of the piece's seconds, and goes on from what was remembered.
    mutating func restart(after seconds: Int) {
        let memory = run.memory
        now += Double(seconds) / speed
        start = now
        seed += 1
        run = Self.fresh(seed, knobs)
        arrive(memory)
    }

    mutating func act(_ name: String, _ fields: [String: JSONValue]) throws(Fault) {
        take(try run.admit(Event(client: .connection(1), .action(Action(UncheckedAction(name: name, fields: fields)))), at: frame))
    }

    /// What was told and kept since it was last called.
    mutating func takeResults() -> (told: [Announcement], ledger: [LedgerEntry]) {
        defer { (announcements, ledger) = ([], []) }
        return (announcements, ledger)
    }

    var state: CatState? { (try? run.answer(PieceQuery(name: "kitty.state", body: ScrollKitty.Query.state), at: frame)) as? CatState }
}

extension SampleRate {
    fileprivate static var lowest: SampleRate { SampleRate(8_000) ?? .standard }
}

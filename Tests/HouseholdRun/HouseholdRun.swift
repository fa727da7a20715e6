import Calendar
import Experience
import Fields
import Signals
import TestSupport
import Units

/// A household's piece as it runs: woken at the instants that it asks for, and begun anew from its memory. It is seen from outside, as a
/// front end sees it.
public struct HouseholdRun {
    private let piece: any Experience.Type
    private var run: Run
    /// Real seconds since 1970-01-01 in UTC.
    private var now: Double
    private var start: Double
    private let zone: Zone
    /// Seconds of the piece that a real one has.
    private let speed: Double
    private let knobs: KnobSettings
    private var seed: UInt64
    /// What was told and kept since it was last taken.
    public private(set) var announcements: [Announcement] = []
    public private(set) var ledger: [LedgerEntry] = []

    /// `start` is in seconds by the piece's clock. By its own clock half a second is over, so that a frame more or less is no other second.
    public init(_ piece: any Experience.Type, at start: Int, zone: Zone, dayMinutes: Double, _ knobs: [String: KnobValue] = [:],
                seed: UInt64) {
        self.piece = piece
        speed = 1_440 / dayMinutes
        now = (Double(start) + 0.5) / speed
        self.start = now
        self.zone = zone
        self.seed = seed
        self.knobs = KnobSettings(knobs.merging(["day-minutes": .number(dayMinutes)]) { $1 })
        run = Self.fresh(piece, seed, self.knobs)
        arrive(nil)
    }

    private static func fresh(_ piece: any Experience.Type, _ seed: UInt64, _ knobs: KnobSettings) -> Run {
        Run(piece, Opening(theme: .standard, seed: seed, rate: .lowest, knobs: knobs))
    }

    private var frame: Frame { .zero + run.rate.frames(in: Seconds(now - start)) }
    private var civilTime: CivilTime { CivilTime(at: now, utcOffset: zone.offset) }
    /// Whether the piece has returned nothing that the house leaves out.
    public var isWell: Bool { run.unusedEffects.total == 0 }

    private mutating func arrive(_ memory: JSONValue?) {
        guard let event = try? run.admit(Event(client: .engine, .arrival(Arrival(civilTime, memory: memory))), at: frame) else { return }
        take(event)
    }

    @discardableResult private mutating func take(_ event: AdmittedEvent) -> Effects {
        let effects = run.act(on: event, at: frame)
        announcements += effects.announcements
        ledger += effects.ledger
        return effects
    }

    /// `seconds` are the piece's.
    public mutating func wait(_ seconds: Int) {
        let end = now + Double(seconds) / speed
        while case .instant(let instant)? = run.wake, instant <= end {
            now = max(now, instant)
            take(AdmittedEvent(engine: .tick(civilTime)))
        }
        now = end
    }

    /// The machine is off for so many of the piece's seconds, and goes on from what was remembered.
    public mutating func restart(after seconds: Int) {
        let memory = run.memory
        now += Double(seconds) / speed
        start = now
        seed += 1
        run = Self.fresh(piece, seed, knobs)
        arrive(memory)
    }

    /// Whoever was there has gone.
    public mutating func endVisit() { take(AdmittedEvent(engine: .visit(.ended))) }

    @discardableResult public mutating func act(_ name: String, _ fields: [String: JSONValue]) throws(Fault) -> Effects {
        take(try run.admit(Event(client: .connection(1), .action(Action(UncheckedAction(name: name, fields: fields)))), at: frame))
    }

    /// What was told and kept since it was last called.
    public mutating func takeResults() -> (told: [Announcement], ledger: [LedgerEntry]) {
        defer { (announcements, ledger) = ([], []) }
        return (announcements, ledger)
    }

    /// What the piece answers to the query called `name`; nil where it is no `Answer`.
    public func answer<Answer>(_ name: String, as type: Answer.Type) -> Answer? {
        run.declaration.query(name).flatMap { try? run.answer($0, at: frame) } as? Answer
    }
}

extension SampleRate {
    fileprivate static var lowest: SampleRate { SampleRate(8_000) ?? .standard }
}

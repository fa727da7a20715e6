import Calendar
@testable import ColorScroller
import Experience
import Fields
import Foundation
import Signals
import Units

/// Midnight of 2026-01-01 in UTC (`date -u -d @1767225600`).
let newYear = 1_767_225_600.0

/// Somebody who scrolls, for tests: a run, the time, and what came of the last event.
struct Viewer {
    private(set) var run: Run
    private(set) var time = Frame.zero
    private(set) var effects = Effects()
    /// What ticks told since the last event.
    private(set) var toldMeanwhile: [Announcement] = []
    private let arrival: CivilTime

    /// By itself the machine never steps in, so that what a test looks at follows from what it does.
    init(seed: UInt64, knobs: KnobSettings = .heldOut, model: PredictionModel? = nil,
         arrival: CivilTime = CivilTime(instant: newYear, utcOffset: 0), memory: JSONValue? = nil) {
        run = Run(ColorScroller.self, Opening(theme: .standard, seed: seed, rate: .standard, knobs: knobs, model: model))
        self.arrival = arrival
        effects = run.act(on: AdmittedEvent(engine: .arrival(Arrival(arrival, memory: memory))), at: .zero)
    }

    var scroller: ColorScroller {
        guard let scroller = run.piece as? ColorScroller else { preconditionFailure("it is the piece of this run") }
        return scroller
    }

    var cues: [Cue] { effects.cues }

    /// Lets time pass, and wakes the piece at the frames that it asks for.
    mutating func wait(_ seconds: Double) {
        let end = time + SampleRate.standard.frames(in: Seconds(seconds))
        toldMeanwhile = []
        while case .frame(let frame)? = run.wake, frame <= end {
            let elapsed = SampleRate.standard.seconds(in: frame - .zero).rawValue
            let now = CivilTime(instant: arrival.instant + elapsed, utcOffset: arrival.utcOffset)
            toldMeanwhile += run.act(on: AdmittedEvent(engine: .tick(now)), at: frame).announcements
        }
        time = end
    }

    /// Waits until a swipe moves the feed again.
    mutating func waitForPause() {
        guard let end = state.pausedUntil else { return wait(0) }
        wait(end - state.time + 0.001)
    }

    @discardableResult mutating func act(_ kind: EventKind, client: Client = .connection(1)) -> [Cue] {
        guard let event = try? run.admit(Event(client: client, kind), at: time) else { return [] }
        effects = run.act(on: event, at: time)
        return effects.cues
    }

    func refusal(of kind: EventKind) -> Fault? {
        do throws(Fault) {
            _ = try run.admit(Event(client: .connection(1), kind), at: time)
            return nil
        } catch {
            return error
        }
    }

    /// Swipes one card on, after `dwell` seconds, and in no pause.
    @discardableResult mutating func swipe(_ direction: Swipe.Direction = .up, after dwell: Double = 1, velocity: Double? = nil) -> [Cue] {
        wait(max(dwell, (state.pausedUntil.map { $0 - state.time + 0.001 }) ?? 0))
        return act(.swipe(Swipe(direction, velocity: velocity)))
    }

    mutating func set(_ knob: Knob, _ text: String) throws { act(.knob(KnobChange(knob.name, try knob.value(of: text)))) }

    var state: FeedState { scroller.feedState(at: time) }
    var told: [Announcement] { effects.announcements }
    var scroll: Scroll? { told.lazy.compactMap { $0.body as? Scroll }.first }
    var record: ScrollRecord? { scroll?.record }
    var decision: Decision? { scroll?.decision }
    var unlock: Unlocked? { told.lazy.compactMap { $0.body as? Unlocked }.first }
    var held: Held? { told.lazy.compactMap { $0.body as? Held }.first }
    var counters: Counters? { told.lazy.compactMap { $0.body as? Counters }.first }
    var rankChange: RankChange? { told.lazy.compactMap { $0.body as? RankChange }.first }
    /// The toasts that came with the last event, or since the one before.
    var toasts: [Toast] { (toldMeanwhile + told).compactMap { $0.body as? Toast } }
    var toast: Toast? { told.lazy.compactMap { $0.body as? Toast }.first }
    var palette: Palette? { told.lazy.compactMap { ($0.body as? PaletteMade)?.palette }.first }
    var intervention: Intervention? { told.lazy.compactMap { $0.body as? Intervention }.first }
}

extension KnobSettings {
    /// Every visit is held out.
    static let heldOut = KnobSettings([ColorScroller.holdout.name: .number(1)])
    /// No visit is held out, and nothing is drawn: the machine does what its model calls for.
    static let decided = KnobSettings([ColorScroller.holdout.name: .number(0), ColorScroller.explore.name: .number(0)])
}

extension Card {
    var skin: Skin? { if case .skin(let skin) = face { skin } else { nil } }
}

/// JSON of a value, and the value back.
enum Coded {
    static func bytes(_ value: some Encodable) throws -> Data { try JSONEncoder().encode(value) }
    static func read<Value: Decodable>(_ type: Value.Type, _ bytes: Data) throws -> Value { try JSONDecoder().decode(type, from: bytes) }
}

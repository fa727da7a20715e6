import Calendar
@testable import ColorScroller
import Experience
import Fields
import Signals
import Units

/// Midnight of 2026-01-01 in UTC (`date -u -d @1767225600`).
let newYear = 1_767_225_600.0

/// Somebody who scrolls, for tests: a run, the time, and what came of the last event.
struct Viewer {
    private(set) var run: Run
    private(set) var time = Frame.zero
    private(set) var effects = Effects()

    init(seed: UInt64, knobs: KnobSettings = .standard, arrival: CivilTime = CivilTime(instant: newYear, utcOffset: 0)) {
        run = Run(ColorScroller.self, Opening(theme: .standard, seed: seed, rate: .standard, knobs: knobs))
        effects = run.act(on: AdmittedEvent(engine: .arrival(Arrival(arrival))), at: .zero)
    }

    var scroller: ColorScroller {
        guard let scroller = run.piece as? ColorScroller else { preconditionFailure("it is the piece of this run") }
        return scroller
    }

    var cues: [Cue] { effects.cues }

    mutating func wait(_ seconds: Double) { time = time + SampleRate.standard.frames(in: Seconds(seconds)) }

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

    /// One card on, after `dwell` seconds.
    @discardableResult mutating func swipe(_ direction: Swipe.Direction = .up, after dwell: Double = 1, velocity: Double? = nil) -> [Cue] {
        wait(dwell)
        return act(.swipe(Swipe(direction, velocity: velocity)))
    }

    mutating func set(_ knob: Knob, _ text: String) throws { act(.knob(KnobChange(knob.name, try knob.value(of: text)))) }

    var state: FeedState { scroller.feedState(at: time) }
    var told: [Announcement] { effects.announcements }
    var record: ScrollRecord? { told.lazy.compactMap { $0.body as? ScrollRecord }.first }
    var unlock: Unlocked? { told.lazy.compactMap { $0.body as? Unlocked }.first }
    var toast: Toast? { told.lazy.compactMap { $0.body as? Toast }.first }
    var palette: PaletteMade? { told.lazy.compactMap { $0.body as? PaletteMade }.first }
    var intervention: Intervention? { told.lazy.compactMap { $0.body as? Intervention }.first }
}

extension Card {
    var skin: Skin? { if case .skin(let skin) = face { skin } else { nil } }
}

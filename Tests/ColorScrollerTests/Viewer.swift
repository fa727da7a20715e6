@testable import ColorScroller
import Experience
import Signals
import Units

/// Somebody who scrolls, for tests: an experience, the time, and what came of the last scroll.
struct Viewer {
    var scroller: ColorScroller
    private(set) var time = Frame.zero
    private(set) var cues: [Cue] = []

    init(seed: UInt64, tuning: Tuning = .standard, arrival: Arrival? = Arrival(time: 1_767_225_600, utcOffset: 0)) {
        scroller = ColorScroller(theme: .standard, seed: seed, rate: .standard, tuning: tuning)
        if let arrival { cues = scroller.reduce(Event(client: .engine, .arrival(arrival)), at: .zero) }
    }

    mutating func wait(_ seconds: Double) { time = time + SampleRate.standard.frames(in: Seconds(seconds)) }

    @discardableResult mutating func act(_ kind: EventKind, client: Int = 1) -> [Cue] {
        cues = scroller.reduce(Event(client: Client(number: client), kind), at: time)
        return cues
    }

    /// One card on, after `dwell` seconds.
    @discardableResult mutating func swipe(_ direction: FeedSwipe.Direction = .up, after dwell: Double = 1, velocity: Double? = nil) -> [Cue] {
        wait(dwell)
        return act(.feedSwipe(FeedSwipe(direction, velocity: velocity)))
    }

    mutating func set(_ parameter: Parameter, _ text: String) throws {
        act(.parameter(try ParameterChange(parameter, text: text)))
    }

    var state: FeedState { scroller.feedState(at: time) }
    var told: [Announcement] { cues.told }
    var record: ScrollRecord? { for case .scroll(let record) in told { return record }; return nil }
    var unlock: Announcement.Unlock? { for case .unlock(let unlock) in told { return unlock }; return nil }
    var toast: Announcement.Toast? { for case .toast(let toast) in told { return toast }; return nil }
    var palette: Announcement.Palette? { for case .palette(let palette) in told { return palette }; return nil }
    var intervention: Announcement.Intervention? { for case .intervention(let notice) in told { return notice }; return nil }
}

extension [Cue] {
    var told: [Announcement] { compactMap { if case .tell(let announcement) = $0 { announcement } else { nil } } }
}

extension Card {
    var skin: Skin? { if case .skin(let skin) = face { skin } else { nil } }
}

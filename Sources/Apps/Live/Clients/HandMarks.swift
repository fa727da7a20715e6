import Calendar
import Signals
import Wire

/// Who has muted the house and set its ceiling, and when. A plain value: the caller gives the time (seconds since 1970-01-01 in UTC).
struct HandMarks {
    /// Nil while the house is not muted.
    private(set) var mute: HouseReport.ByHand?
    /// Of the last ceiling that was set; nil for none.
    private(set) var ceiling: HouseReport.ByHand?

    /// `kind` has been acted on. Whoever mutes what is muted already changes nothing.
    mutating func follow(_ kind: EventKind, by: @autoclosure () -> String, at instant: Int) {
        func mark() -> HouseReport.ByHand {
            HouseReport.ByHand(by: by(), since: LocalClock.isBelievable(instant) ? instant : nil)
        }
        switch kind {
        case .mute(true): mute = mute ?? mark()
        case .mute(false): mute = nil
        case .ceiling: ceiling = mark()
        default: break
        }
    }
}

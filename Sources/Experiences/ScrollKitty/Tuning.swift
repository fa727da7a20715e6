import Calendar
import Experience
import Signals

extension ScrollKitty {
    static let dayMinutes = PieceTime.dayMinutesKnob
    static let perApp = Knob("health-per-app", .flag(standard: false), about: "each app has a health of its own")
    static let knobs = [dayMinutes, perApp]

    /// How the knobs stand, as the rules use them.
    struct Tuning: Equatable, Sendable {
        private(set) var time: PieceTime
        private(set) var counting: Counting

        init(_ knobs: KnobSettings) {
            time = PieceTime(dayMinutes: knobs.number(ScrollKitty.dayMinutes))
            counting = knobs.isOn(ScrollKitty.perApp) ? .perApp : .global
        }

        mutating func turn(_ knob: Knob, to value: KnobValue) {
            switch (knob, value) {
            case (ScrollKitty.dayMinutes, .number(let minutes)): time = PieceTime(dayMinutes: minutes)
            case (ScrollKitty.perApp, .flag(let on)): counting = on ? .perApp : .global
            default: break
            }
        }
    }
}

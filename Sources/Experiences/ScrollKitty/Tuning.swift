import Calendar
import Experience
import Signals

extension ScrollKitty {
    static let perApp = Knob("health-per-app", .flag(standard: false), about: "each app has a health of its own")
    static let knobs = [PieceTime.dayMinutesKnob, PieceTime.visitorDayMinutesKnob, WalkUp.knob, perApp]
}

extension Counting {
    init(perApp: Bool) { self = perApp ? .perApp : .global }
}

import Calendar
import Signals

extension PieceTime {
    /// Is the knob by which a piece that counts in days of its own is set. The same for all of them, because settings have it once.
    public static let dayMinutesKnob = Knob("day-minutes", .number(1...realDay, standard: realDay), unit: "minutes",
                                            about: "that one of the piece's days lasts")
    /// Is the knob for the days of visitors' own households, for a piece that has it. 0 has them live by `dayMinutesKnob`.
    public static let visitorDayMinutesKnob = Knob(
        "visitor-day-minutes", .number(0...realDay, standard: 0), unit: "minutes",
        about: "that a day of a visitor's own household lasts, 0.5 at least; 0 for as long as the house's own")
    /// Is how many real minutes a day lasts at least. With shorter ones, days of the year 9999 would be beyond `Days.numbers`.
    public static let shortestDay = 0.5

    /// Makes the clock of `household`, as `knobs` have it.
    init(of household: String, by knobs: KnobSettings) {
        let own = household == Household.home ? 0 : knobs.number(Self.visitorDayMinutesKnob)
        self.init(dayMinutes: own > 0 ? max(Self.shortestDay, own) : knobs.number(Self.dayMinutesKnob))
    }
}

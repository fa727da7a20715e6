import Calendar
import Signals

extension PieceTime {
    /// By which a piece that counts in days of its own is set. The same for all of them, because settings have it once.
    public static let dayMinutesKnob = Knob("day-minutes", .number(1...realDay, standard: realDay), unit: "minutes",
                                            about: "that one of the piece's days lasts")
}

import Fields
import Signals

/// The rules of the house: presets, opening hours, and the hearing guard's limits.
public struct Venue: Equatable, Sendable {
    /// By name; the built-in ones are among them.
    public let presets: [String: Preset]
    public let schedule: WeeklySchedule
    /// Nil without a calibration: nothing is accounted.
    public let hearing: HearingSettings?

    /// Always the normal preset.
    public static let standard = Venue(all: Preset.builtIn, schedule: WeeklySchedule(), hearing: nil)

    /// `presets` come beside the built-in ones, or in their place. Throws for a preset that the schedule names and nobody has defined.
    public init(presets: [String: Preset] = [:], schedule: WeeklySchedule = WeeklySchedule(), hearing: HearingSettings? = nil)
        throws(Fault) {
        let all = Preset.builtIn.merging(presets) { $1 }
        let named = [("schedule.otherwise", schedule.otherwise)]
            + schedule.hours.sorted { $0.key < $1.key }.map { ("schedule.hours.\($0.key).preset", $0.value.preset) }
        for (field, name) in named where all[name] == nil {
            throw Fault(field: field, expected: "one of " + all.keys.sorted().joined(separator: ", "),
                        found: "\"\(name)\"" + Spelling.hint(for: name, among: all.keys))
        }
        self.init(all: all, schedule: schedule, hearing: hearing)
    }

    private init(all: [String: Preset], schedule: WeeklySchedule, hearing: HearingSettings?) {
        presets = all
        self.schedule = schedule
        self.hearing = hearing
    }

    /// Whether the preset is more than silence.
    public func isHeard(_ preset: String) -> Bool { (presets[preset] ?? .normal).volume > .silence }

    /// The preset while the time is unknown: the softest that the schedule names, silence aside. A wrong clock must neither mute an
    /// installation for ever nor make it loud in gentle hours.
    public var choiceWithoutClock: WeeklySchedule.Choice {
        let named = schedule.hours.values.map(\.preset) + [schedule.otherwise]
        let heard = named.compactMap { name -> (Double, String)? in
            guard let preset = presets[name], preset.volume > .silence else { return nil }
            return (preset.volume.rawValue + (preset.ceiling?.rawValue ?? 0), name)
        }
        return WeeklySchedule.Choice(hours: nil, preset: heard.min { $0 < $1 }?.1 ?? schedule.otherwise)
    }
}

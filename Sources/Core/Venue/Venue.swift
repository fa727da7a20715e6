import Calendar
import Fields
import Signals
import Units

/// The rules of the house: presets, the weekly schedule, and the limits of the hearing guard.
public struct Venue: Equatable, Sendable {
    /// All presets by their names, including the built-in ones.
    public let presets: [String: Preset]
    public let schedule: WeeklySchedule
    /// The settings of the hearing guard; nil without a calibration, so that no dose can be computed.
    public let hearing: HearingSettings?

    /// A house that always has the preset `normal`.
    public static let standard = Venue(all: Preset.builtIn, schedule: WeeklySchedule(), hearing: nil)

    /// Creates a venue. `presets` are added to the built-in ones, or replace them. Throws for a preset in the schedule that does not
    /// exist, and for dates of the schedule where the preset that closes the house is heard.
    public init(presets: [String: Preset] = [:], schedule: WeeklySchedule = WeeklySchedule(), hearing: HearingSettings? = nil)
        throws(Fault) {
        let all = Preset.builtIn.merging(presets) { $1 }
        let named = [("schedule.otherwise", schedule.otherwise)]
            + schedule.hours.sorted { $0.key < $1.key }.map { ("schedule.hours.\($0.key).preset", $0.value.preset) }
            + schedule.pathsOfDates.map { ($0.path + ".preset", $0.hours.preset) }
        for (field, name) in named where all[name] == nil {
            throw Fault(field: field, expected: "one of " + all.keys.sorted().joined(separator: ", "),
                        found: "\"\(name)\"" + Spelling.hint(for: name, among: all.keys))
        }
        guard schedule.dates.isEmpty || all[WeeklySchedule.closed]?.volume == .silence else {
            throw Fault(field: "presets.\(WeeklySchedule.closed)", expected: "none, because schedule.dates close the house with it",
                        found: "one that is heard")
        }
        self.init(all: all, schedule: schedule, hearing: hearing)
    }

    private init(all: [String: Preset], schedule: WeeklySchedule, hearing: HearingSettings?) {
        presets = all
        self.schedule = schedule
        self.hearing = hearing
    }

    /// Whether anything is heard under the preset.
    public func isHeard(_ preset: String) -> Bool { (presets[preset] ?? .normal).volume > .silence }

    /// The schedule's choice while the time is unknown: the softest preset that its week names, except silent ones. A wrong clock must
    /// neither silence an installation for ever nor make it loud in quiet hours.
    public var choiceWithoutClock: WeeklySchedule.Choice {
        let named = schedule.hours.values.map(\.preset) + [schedule.otherwise]
        let heard = named.compactMap { name -> (Double, String)? in
            guard let preset = presets[name], preset.volume > .silence else { return nil }
            return (preset.volume.rawValue + (preset.ceiling?.rawValue ?? 0), name)
        }
        return WeeklySchedule.Choice(hours: nil, preset: heard.min { $0 < $1 }?.1 ?? schedule.otherwise)
    }
}

extension Venue: Decodable {
    /// Reads the sections `presets`, `schedule` and `hearing` from settings that have other keys too. Any section may be missing.
    public init(from decoder: any Decoder) throws {
        let fields = try Fields(decoder)
        func section<Value: Decodable>(_ name: String, _ expected: String) throws -> Value? {
            fields.contains(name) ? try fields.nested(Value.self, name, expected: expected) : nil
        }
        try self.init(presets: try section("presets", "a mapping of presets by name") ?? [:],
                      schedule: try section("schedule", "a mapping") ?? WeeklySchedule(),
                      hearing: try section("hearing", "a mapping"))
    }
}

extension Preset: Decodable {
    public init(from decoder: any Decoder) throws {
        let fields = try Fields(decoder)
        try fields.refuseAll(but: ["ceiling", "volume", "slowness", "cap"])
        self.init(
            ceiling: try fields.numberIfPresent("ceiling", in: -60...0, unit: "dBFS").map { Decibels($0) },
            volume: Decibels(try fields.numberIfPresent("volume", in: Decibels.silence.rawValue...0, unit: "dB") ?? 0),
            slowness: try fields.numberIfPresent("slowness", in: 1...10) ?? 1,
            cap: try fields.numberIfPresent("cap", in: 100...5000, unit: "Hz").map { Hertz($0) })
    }
}

extension WeeklySchedule: Decodable {
    public init(from decoder: any Decoder) throws {
        let fields = try Fields(decoder)
        try fields.refuseAll(but: ["fade", "otherwise", "hours", "dates"])
        self.init(
            hours: fields.contains("hours")
                ? try fields.nested([String: Hours].self, "hours", expected: "a mapping of hours by name") : [:],
            dates: try Self.dates(fields),
            fade: Seconds(try fields.numberIfPresent("fade", in: EventKind.fades, unit: "seconds") ?? 10),
            otherwise: try fields.textIfPresent("otherwise") ?? "normal")
    }
}

extension WeeklySchedule {
    /// Reads the dates with hours of their own.
    private static func dates(_ fields: Fields) throws -> [CalendarDate: [DateHours]] {
        guard fields.contains("dates") else { return [:] }
        let entries = try fields.nested([String: DateEntry].self, "dates", expected: "a mapping with dates such as 2026-12-24")
        return try entries.sorted { $0.key < $1.key }.reduce(into: [:]) { dates, entry in
            guard let date = CalendarDate(entry.key) else {
                throw fields.fault("dates.\(entry.key)", "a date such as 2026-12-24", found: "\"\(entry.key)\"")
            }
            dates[date] = entry.value.hours
        }
    }

    /// What the settings have for a date: the word `closed`, hours, or a list of hours.
    private struct DateEntry: Decodable {
        let hours: [DateHours]

        init(from decoder: any Decoder) throws {
            if let word = try? decoder.singleValueContainer().decode(String.self) {
                guard word == "closed" else {
                    throw Fault(field: Fields.path(decoder.codingPath),
                                expected: "closed, or hours such as {from: 10:00, to: 14:00, preset: normal}, or a list of such hours",
                                found: "\"\(word.prefix(40))\"")
                }
                hours = []
            } else if var list = try? decoder.unkeyedContainer() {
                var hours: [DateHours] = []
                while !list.isAtEnd { hours.append(try DateHours(from: list.superDecoder())) }
                self.hours = hours
            } else {
                hours = [try DateHours(from: decoder)]
            }
        }
    }
}

extension WeeklySchedule.DateHours: Decodable {
    public init(from decoder: any Decoder) throws {
        let fields = try Fields(decoder)
        try fields.refuseAll(but: ["from", "to", "preset"])
        (from, to, preset) = try WeeklySchedule.times(fields)
    }
}

extension WeeklySchedule {
    /// Reads the fields that hours of the week and of dates have in common.
    fileprivate static func times(_ fields: Fields) throws -> (from: LocalTime, to: LocalTime, preset: String) {
        let from = try fields.parsed("from", like: "00:00", expected: "a time from 00:00 to 23:59") { text in
            LocalTime(text).flatMap { $0.isEndOfDay ? nil : $0 }
        }
        let to = try fields.parsed("to", like: "24:00", expected: "a time from 00:00 to 24:00") { LocalTime($0) }
        return (from, to, try fields.parsed("preset", like: "normal", expected: "the name of a preset") { $0 })
    }
}

extension WeeklySchedule.Hours: Decodable {
    public init(from decoder: any Decoder) throws {
        let fields = try Fields(decoder)
        // YAML reads {days: mon,tue} as the key `days` with the value mon, and a key tue.
        if let day = Weekdays.names.first(where: fields.contains) {
            throw fields.fault("days", "quotes around several days inside braces, as in \"mon,\(day)\"", found: "\(day) behind a comma")
        }
        try fields.refuseAll(but: ["days", "from", "to", "preset"])
        let days: Weekdays
        if let words = fields.list("days", of: String.self)?.joined(separator: ",") {
            guard let listed = Weekdays(words: words) else { throw fields.fault("days", Weekdays.form, found: "\"\(words)\"") }
            days = listed
        } else {
            days = try fields.parsed("days", like: "daily", expected: Weekdays.form) { Weekdays(words: $0) }
        }
        let (from, to, preset) = try WeeklySchedule.times(fields)
        self.init(days: days, from: from, to: to, preset: preset)
    }
}

extension HearingSettings: Decodable {
    public init(from decoder: any Decoder) throws {
        let fields = try Fields(decoder)
        try fields.refuseAll(but: ["calibration", "country", "limit", "session"])
        let country: SoundLimit? = try fields.choiceIfPresent("country")
        let limit = try fields.numberIfPresent("limit", in: 60...90, unit: "dBA").map { SoundLevel($0) }
        self.init(
            calibration: SoundLevel(try fields.number("calibration", in: 40...140, unit: "dB")),
            limit: [limit, country?.daily].compactMap { $0 }.min() ?? SoundLevel(85),
            session: try fields.numberIfPresent("session", in: 1...100, unit: "percent") ?? 25, country: country)
    }
}

extension ChosenPreset: Decodable {
    public init(from decoder: any Decoder) throws {
        let fields = try Fields(decoder)
        try fields.refuseAll(but: ["name", "since"])
        // The range of times goes to the end of the year 9999.
        self.init(name: try fields.text("name"), since: try fields.integerIfPresent("since", in: 0...253_402_300_799, unit: "s"))
    }
}

extension HearingDay: Decodable {
    public init(from decoder: any Decoder) throws {
        let fields = try Fields(decoder)
        try fields.refuseAll(but: ["number", "dose"])
        self.init(number: try fields.integer("number", in: -1_000_000...1_000_000),
                  dose: try fields.number("dose", in: 0...1e12, unit: "percent"))
    }
}

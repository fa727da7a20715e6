import Calendar
import Fields
import Signals
import Testing
import Units
import Venue
import Yams

@Suite struct VenueCodingTests {
    private func read(_ text: String) throws -> Venue {
        do {
            return try YAMLDecoder().decode(Venue.self, from: text)
        } catch DecodingError.dataCorrupted(let context) {
            throw context.underlyingError ?? Fault(field: "", expected: "YAML", found: context.debugDescription)
        }
    }

    @Test func `a house is read from the settings, times with and without quotes`() throws {
        let venue = try read("""
            rate: 48000
            presets:
              school-class: {ceiling: -20, volume: -6, slowness: 2, cap: 1500}
              quiet-day: {volume: -20}
            schedule:
              fade: 5
              otherwise: quiet-day
              hours:
                night: {days: daily, from: "18:00", to: "10:00", preset: silent}
                mornings:
                  days: [tue, thu-fri]
                  from: 10:00
                  to: 12:00
                  preset: school-class
            hearing: {calibration: 96.5, limit: 80, session: 20}
            """)
        #expect(venue.presets["school-class"]
            == Preset(ceiling: Decibels(-20), volume: Decibels(-6), slowness: 2, cap: Hertz(1500)))
        #expect(venue.presets["quiet-day"] == Preset(volume: Decibels(-20)))
        #expect(venue.presets["silent"] == Preset.builtIn["silent"])
        #expect(venue.schedule.fade == Seconds(5))
        #expect(venue.schedule.otherwise == "quiet-day")
        let mornings = try #require(venue.schedule.hours["mornings"])
        #expect(mornings.days == Weekdays(words: "tue,thu,fri"))
        #expect((mornings.from, mornings.to) == (try #require(LocalTime("10:00")), try #require(LocalTime("12:00"))))
        #expect(venue.hearing == HearingSettings(calibration: SoundLevel(96.5), limit: SoundLevel(80), session: 20))
    }

    @Test func `a country's word is a limit, and of two limits the lower counts`() throws {
        func limit(_ words: String) throws -> Double? { try read("hearing: {calibration: 96, \(words)}").hearing?.limit.rawValue }
        #expect(try limit("country: DE") == 84)
        #expect(try limit("country: FR-children, limit: 80") == 76)
        #expect(try limit("country: DE, limit: 80") == 80)
        #expect(try read("hearing: {calibration: 96, country: FR-children}").hearing?.country == .frenchChildren)
        #expect(try read("hearing: {calibration: 96}").hearing?.country == nil)
    }

    @Test func `without a clock it is as soft as it gets by the schedule, silence aside`() throws {
        func preset(_ otherwise: String, _ others: String...) throws -> String {
            let hours = others.enumerated().map { "h\($0.offset): {days: mon, from: 10:00, to: 12:00, preset: \($0.element)}" }
            return try read("schedule: {otherwise: \(otherwise), hours: {\(hours.joined(separator: ", "))}}").choiceWithoutClock.preset
        }
        #expect(try preset("normal") == "normal")
        #expect(try preset("normal", "silent") == "normal")
        #expect(try preset("silent", "normal") == "normal")
        // -18 and -6 dB are softer than -12 and -9.
        #expect(try preset("normal", "quiet-day", "sensory-friendly", "silent") == "sensory-friendly")
        #expect(try preset("silent") == "silent")
    }

    @Test func `a preset chosen by hand is kept with the time of it, if that is known`() throws {
        for chosen in [ChosenPreset(name: "quiet-day"), ChosenPreset(name: "calm", since: 1_795_352_400)] {
            #expect(try YAMLDecoder().decode(ChosenPreset.self, from: YAMLEncoder().encode(chosen)) == chosen)
        }
        for bad in ["{name: calm, since: -1}", "{name: calm, since: 1e300}", "{name: calm, until: 3}", "{since: 3}", "[]"] {
            #expect(throws: (any Error).self) { try YAMLDecoder().decode(ChosenPreset.self, from: bad) }
        }
    }

    @Test func `dates are closed, have hours, or have several`() throws {
        let dates = try read("""
            schedule:
              dates:
                2026-12-24: closed
                "2026-12-25": {from: 10:00, to: "14:00", preset: quiet-day}
                2026-12-31:
                  - {from: 10:00, to: 16:00, preset: normal}
                  - {from: 18:00, to: 01:00, preset: quiet-day}
            """).schedule.dates
        func hours(_ from: String, _ to: String, _ preset: String) throws -> WeeklySchedule.DateHours {
            WeeklySchedule.DateHours(from: try #require(LocalTime(from)), to: try #require(LocalTime(to)), preset: preset)
        }
        #expect(dates == [
            try #require(CalendarDate("2026-12-24")): [], try #require(CalendarDate("2026-12-25")): [try hours("10:00", "14:00", "quiet-day")],
            try #require(CalendarDate("2026-12-31")): [try hours("10:00", "16:00", "normal"), try hours("18:00", "01:00", "quiet-day")],
        ])
    }

    @Test func `what is left out is as it is without settings`() throws {
        #expect(try read("rate: 48000") == .standard)
        #expect(try read("schedule: {}\npresets: {}") == .standard)
        #expect(Venue.standard.hearing == nil)
        #expect(try read("hearing: {calibration: 96}").hearing == HearingSettings(calibration: SoundLevel(96), limit: SoundLevel(85), session: 25))
    }

    @Test(arguments: [
        ("schedule: {hours: {night: {days: daily, from: \"25:00\", to: \"10:00\", preset: silent}}}",
         "schedule.hours.night.from: expected a time from 00:00 to 23:59, found \"25:00\""),
        ("schedule: {hours: {night: {days: daily, from: \"24:00\", to: \"10:00\", preset: silent}}}",
         "schedule.hours.night.from: expected a time from 00:00 to 23:59, found \"24:00\""),
        ("schedule: {hours: {night: {days: daily, from: 18, to: \"10:00\", preset: silent}}}",
         "schedule.hours.night.from: expected a time from 00:00 to 23:59, found \"18\""),
        ("schedule: {hours: {night: {days: daily, from: \"18:00\", preset: silent}}}", "schedule.hours.night.to: expected a time from 00:00 to 24:00, found nothing"),
        ("schedule: {hours: {night: {days: daily, from: \"18:00\", to: \"10:00\", preset: loud}}}",
         "schedule.hours.night.preset: expected one of normal, quiet-day, sensory-friendly, silent, found \"loud\""),
        ("schedule: {hours: {night: {days: monday, from: \"18:00\", to: \"10:00\", preset: silent}}}",
         "schedule.hours.night.days: expected days such as mon"),
        ("schedule: {hours: {night: {days: [mon, 3], from: \"18:00\", to: \"10:00\", preset: silent}}}",
         "schedule.hours.night.days: expected days such as mon"),
        ("schedule: {hours: {night: {days: mon, to: 10:00, preset: silent}}}",
         "schedule.hours.night.from: expected a time from 00:00 to 23:59, found nothing"),
        ("schedule: {hours: {night: {days: mon, from: [1], to: 10:00, preset: silent}}}",
         "schedule.hours.night.from: expected a time from 00:00 to 23:59, found a list"),
        ("schedule: {hours: {night: {from: 10:00, to: 11:00, preset: silent}}}",
         "schedule.hours.night.days: expected days such as mon, mon-fri, sat-sun, \"tue,thu\", daily, weekdays, weekend, found nothing"),
        ("schedule: {hours: {night: {days: mon, from: 10:00, to: 11:00}}}",
         "schedule.hours.night.preset: expected the name of a preset, found nothing"),
        ("schedule: {hours: {night: {days: mon,wed, from: \"18:00\", to: \"20:00\", preset: silent}}}",
         "schedule.hours.night.days: expected quotes around several days inside braces, as in \"mon,wed\", found wed behind a comma"),
        ("schedule: {hours: {night: {day: mon}}}", "schedule.hours.night.day: expected only days, from, to, preset"),
        ("schedule: {hours: [1]}", "schedule.hours: expected a mapping of hours by name"),
        ("schedule: {otherwise: loud}", "schedule.otherwise: expected one of"),
        ("schedule: {fade: -1}", "schedule.fade: expected a number from 0 to"),
        ("schedule: {hour: 3}", "schedule.hour: expected only fade, otherwise, hours, dates"),
        ("schedule: {dates: {2026-02-30: closed}}", "schedule.dates.2026-02-30: expected a date such as 2026-12-24, found \"2026-02-30\""),
        ("schedule: {dates: {24.12.: closed}}", "schedule.dates.24.12.: expected a date such as 2026-12-24, found \"24.12.\""),
        ("schedule: {dates: {2026-12-24: shut}}", "schedule.dates.2026-12-24: expected closed, or hours such as {from: 10:00"),
        ("schedule: {dates: {2026-12-24: {to: \"14:00\", preset: normal}}}",
         "schedule.dates.2026-12-24.from: expected a time from 00:00 to 23:59, found nothing"),
        ("schedule: {dates: {2026-12-24: {days: mon, from: 10:00, to: 14:00, preset: normal}}}",
         "schedule.dates.2026-12-24.days: expected only from, to, preset"),
        ("schedule: {dates: {2026-12-24: [{from: 10:00, to: 14:00, preset: normal}, {from: 15:00, to: 25:00, preset: normal}]}}",
         "schedule.dates.2026-12-24[1].to: expected a time from 00:00 to 24:00, found \"25:00\""),
        ("schedule: {dates: {2026-12-24: {from: 10:00, to: 14:00, preset: loud}}}",
         "schedule.dates.2026-12-24.preset: expected one of normal, quiet-day, sensory-friendly, silent, found \"loud\""),
        ("schedule: {dates: [closed]}", "schedule.dates: expected a mapping with dates such as 2026-12-24"),
        ("schedule: 7", "schedule: expected"),
        ("presets: {calm: {volume: 3}}", "presets.calm.volume: expected a number from -120 to 0 (dB), found 3"),
        ("presets: {calm: {cap: 50}}", "presets.calm.cap: expected a number from 100 to 5000 (Hz), found 50"),
        ("presets: {calm: {slowness: 0.5}}", "presets.calm.slowness: expected a number from 1 to 10, found 0.5"),
        ("presets: {calm: {speed: 1}}", "presets.calm.speed: expected only ceiling, volume, slowness, cap"),
        ("hearing: {limit: 85}", "hearing.calibration: expected a number from 40 to 140 (dB), found nothing"),
        ("hearing: {calibration: 96, limit: 120}", "hearing.limit: expected a number from 60 to 90 (dBA), found 120"),
        ("hearing: {calibration: 96, sesion: 20}", "hearing.sesion: expected only"),
        ("hearing: {calibration: 96, country: ES}", "hearing.country: expected one of CH, CH-children, DE, FR"),
    ])
    func `what is wrong is named by its path, with what would be right`(text: String, words: String) throws {
        do {
            _ = try read(text)
            Issue.record("it was read")
        } catch let fault as Fault {
            #expect(fault.description.hasPrefix(words), "\(fault)")
        }
    }
}

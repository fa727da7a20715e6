import Foundation
import Realtime
import Signals
import Synth
import Testing
import Units
import Venue
import Wire

@testable import Live

/// 2026-11-22 at 13:00 UTC, a Sunday, where local time is UTC.
private let sunday = 1_795_352_400
private let (hour, day) = (3_600, 86_400)
private func utc(_ instant: Int) -> Int { 0 }

/// As thrumd reads it.
private func read<Value: Decodable>(_ json: String) throws -> Value { try JSONDecoder().decode(Value.self, from: Data(json.utf8)) }

private func live(_ venue: String = "{}") throws -> LiveSettings {
    .silent(venue: try read(venue))
}

/// From 10 to 12 it is calm, at night there is nothing to be heard.
private let hours = """
    {"schedule": {"otherwise": "normal", "hours": {
      "calm": {"days": "daily", "from": "10:00", "to": "12:00", "preset": "sensory-friendly"},
      "night": {"days": "daily", "from": "20:00", "to": "08:00", "preset": "silent"}}}}
    """

/// The preset that is to be heard at `instant`.
private func heard(_ house: inout House, at instant: Int) -> String {
    _ = house.decide(at: instant, utcOffset: utc)
    return house.preset
}

/// As the next start finds it, by way of its file.
private func restarted(_ house: House, _ settings: LiveSettings) throws -> House {
    House(settings, day: house.day, chosen: try house.chosen.map { try read(String(decoding: try JSONEncoder().encode($0), as: UTF8.self)) },
          volume: house.chosenVolume)
}

@Suite struct HouseTests {
    @Test func `it is closed while the schedule is silent, unless somebody chose to be heard; who mutes open hours does not close it`() throws {
        var house = House(try live(hours))
        _ = house.decide(at: sunday, utcOffset: utc)
        #expect(house.isOpen, "13:00")
        try house.use(preset: "silent")
        #expect(house.isOpen)
        try house.use(preset: nil)
        _ = house.decide(at: sunday + 8 * hour, utcOffset: utc)
        #expect(!house.isOpen, "21:00")
        try house.use(preset: "normal")
        #expect(house.isOpen, "an evening by hand")
    }

    @Test func `the week is seven days of spans without a gap, from the last midnight on`() throws {
        let week = House(try live(hours)).week(at: sunday, utcOffset: utc)
        let midnight = sunday - 13 * hour
        #expect(week.spans.first?.start == midnight && week.spans.last?.until == midnight + 7 * day)
        #expect(zip(week.spans, week.spans.dropFirst()).allSatisfy { $0.until == $1.start })
        #expect(week.spans.prefix(5).map(\.preset) == ["silent", "normal", "sensory-friendly", "normal", "silent"])
        #expect(week.spans.prefix(5).map(\.start) == [0, 8, 10, 12, 20].map { midnight + $0 * hour })
        #expect(week.spans.prefix(5).map(\.entry) == ["night", nil, "calm", nil, "night"])
        #expect(week.spans.prefix(5).map(\.isOpen) == [false, true, true, true, false])
        // Each day has as many, and the night goes over midnight as one.
        #expect(week.spans.count == 5 + 6 * 4 && week.chosen == nil)
        #expect(week.days.map(\.start) == (0..<7).map { midnight + $0 * day })
        let unset = House(try live(hours)).week(at: 0, utcOffset: utc)
        #expect(unset.spans.isEmpty && unset.days.isEmpty, "the clock is not set")
    }

    @Test func `the week says of each day its date, and of each span which date decides`() throws {
        // 2026-11-22 is today, a Sunday.
        let settings = try live("""
            {"schedule": {"otherwise": "silent", "hours": {"open": {"days": "daily", "from": "10:00", "to": "18:00", "preset": "normal"}},
              "dates": {"2026-11-24": {"from": "18:00", "to": "01:00", "preset": "quiet-day"}, "2026-12-24": "closed"}}}
            """)
        let week = House(settings).week(at: sunday, utcOffset: utc)
        #expect(week.days.map(\.date) == (22...28).map { "2026-11-\($0)" })
        #expect(week.days.filter(\.isException).map(\.date) == ["2026-11-24"])
        let spans = week.spans.filter { $0.date != nil }
        let tuesday = sunday - 13 * hour + 2 * day
        #expect(spans.map(\.start) == [tuesday, tuesday + 18 * hour] && spans.map(\.until) == [tuesday + 18 * hour, tuesday + 25 * hour])
        #expect(spans.map(\.date) == ["2026-11-24", "2026-11-24"] && spans.map(\.isOpen) == [false, true] && spans.allSatisfy { $0.entry == nil })
        #expect(week.after == ScheduleWeek.Change(start: sunday - 13 * hour + 7 * day + 10 * hour, preset: "normal", isOpen: true, utcOffset: 0))
        var house = House(settings)
        _ = house.decide(at: tuesday + 19 * hour, utcOffset: utc)
        #expect(house.preset == "quiet-day" && house.choice.entry == "2026-11-24" && house.nextChange == tuesday + 25 * hour)
    }

    /// In Berlin, clocks went forward on Sunday 29 March 2026 at 01:00 UTC (directive 2000/84/EC: the last Sunday of March).
    @Test func `the day on which clocks go forward has 23 hours in the week`() throws {
        let change = 1_774_746_000
        let week = House(try live(hours)).week(at: change - 2 * day, utcOffset: { $0 < change ? hour : 2 * hour })
        #expect(zip(week.days, week.days.dropFirst()).map { ($1.start - $0.start) / hour } == [24, 24, 23, 24, 24, 24])
        #expect(week.days.map { $0.utcOffset / hour } == [1, 1, 1, 2, 2, 2, 2])
        #expect(week.spans.allSatisfy { $0.utcOffset == ($0.start < change ? hour : 2 * hour) })
    }

    @Test func `what a country allows is reported beside the limit that keeps it`() throws {
        func rules(_ hearing: String) throws -> HouseReport.HearingRules? {
            let house = House(try live("{\"hearing\": \(hearing)}"))
            return HouseReport(house, at: sunday, volume: .fullScale, ceiling: HouseReport.Ceiling(level: -1, setting: -1),
                               waitingForStart: []).hearing?.rules
        }
        let germany = HouseReport.HearingRules.Country(word: "DE", level: 99, minutes: 30)
        #expect(try rules(#"{"calibration": 96, "country": "DE", "session": 20}"#)
            == HouseReport.HearingRules(calibration: 96, limit: 84, session: 20, country: germany))
        #expect(try rules(#"{"calibration": 96, "limit": 80}"#)
            == HouseReport.HearingRules(calibration: 96, limit: 80, session: 25, country: nil))
    }

    @Test func `without a schedule the week is one span`() throws {
        let spans = House(try live()).week(at: sunday, utcOffset: utc).spans
        #expect(spans.map(\.preset) == ["normal"] && spans.map { $0.until - $0.start } == [7 * day])
    }

    @Test func `a closed house knows when it opens, whatever silence comes before`() throws {
        var house = House(try live("""
            {"presets": {"away": {"volume": -120}}, "schedule": {"otherwise": "silent", "hours": {
              "day": {"days": "daily", "from": "10:00", "to": "18:00", "preset": "normal"},
              "cleaning": {"days": "daily", "from": "06:00", "to": "08:00", "preset": "away"}}}}
            """))
        let midnight = 1_704_067_200
        _ = house.decide(at: midnight + 4 * hour, utcOffset: utc)
        #expect(!house.isOpen && house.nextChange == midnight + 6 * hour && house.opensAt == midnight + 10 * hour)
        _ = house.decide(at: midnight + 7 * hour, utcOffset: utc)
        #expect(!house.isOpen && house.opensAt == midnight + 10 * hour)
        _ = house.decide(at: midnight + 12 * hour, utcOffset: utc)
        #expect(house.isOpen && house.opensAt == nil)
        _ = house.decide(at: midnight + 20 * hour, utcOffset: utc)
        #expect(house.opensAt == midnight + 34 * hour)
    }

    @Test func `a volume by hand comes on top of the preset's, within a fifth of a second, and is never louder`() throws {
        var house = House(try live(hours))
        #expect(house.decide(at: sunday, utcOffset: utc).volume == .fullScale)
        house.use(volume: Decibels(-12), by: "anna", at: sunday)
        let turned = house.decide(at: sunday, utcOffset: utc)
        #expect(turned.volume == Decibels(-12) && turned.fade == Seconds(0.2))
        #expect(house.decide(at: sunday + 1, utcOffset: utc).fade == Seconds(2), "nobody turns it any more")
        // The quiet day is 9 dB down by itself.
        try house.use(preset: "quiet-day")
        #expect(house.decide(at: sunday + 2, utcOffset: utc).volume == Decibels(-21))
        house.use(volume: Decibels(0), by: "anna", at: sunday)
        #expect(house.decide(at: sunday + 3, utcOffset: utc).volume == Decibels(-9) && house.chosenVolume == nil)
        #expect(ChosenVolume.levels == -60...0)
    }

    @Test func `who turns the volume while the schedule goes over is heard when that is done, and no jump goes there`() throws {
        var house = House(try live(hours))
        let morning = sunday - 5 * hour
        #expect(house.decide(at: morning - 1, utcOffset: utc).volume == .silence)
        #expect(house.decide(at: morning, utcOffset: utc).fade == Seconds(10))
        house.use(volume: Decibels(-6), by: "anna", at: morning + 3)
        let turned = house.decide(at: morning + 3, utcOffset: utc)
        #expect(turned.volume == Decibels(-6) && turned.fade == Seconds(7))
        #expect(house.decide(at: morning + 4, utcOffset: utc).fade == Seconds(6), "nor does the hearing guard jump")
        house.use(volume: Decibels(-9), by: "anna", at: morning + 10)
        #expect(house.decide(at: morning + 10, utcOffset: utc).fade == Seconds(0.2), "it is over")
        #expect(house.decide(at: morning - 60, utcOffset: utc).volume == .silence)
        house.use(volume: Decibels(-3), by: "anna", at: morning - 3_600)
        #expect(house.decide(at: morning - 3_600, utcOffset: utc).fade == Seconds(0.2), "a clock that was set back makes no fade of an hour")
    }

    @Test func `a preset as loud as the last one keeps no turn of the volume waiting`() throws {
        var house = House(try live(#"{"presets": {"other": {"volume": 0}}}"#))
        _ = house.decide(at: sunday, utcOffset: utc)
        try house.use(preset: "other")
        _ = house.decide(at: sunday + 1, utcOffset: utc)
        house.use(volume: Decibels(-6), by: "anna", at: sunday + 2)
        #expect(house.decide(at: sunday + 2, utcOffset: utc).fade == Seconds(0.2))
    }

    @Test func `a volume by hand stands over schedule and restart until another is set, and silence stays silence`() throws {
        var house = House(try live(hours))
        house.use(volume: Decibels(-12), by: "anna", at: sunday)
        _ = house.decide(at: sunday, utcOffset: utc)
        #expect(house.decide(at: sunday + 8 * hour, utcOffset: utc).volume == .silence)
        var next = try restarted(house, live(hours))
        #expect(next.decide(at: sunday + day, utcOffset: utc).volume == Decibels(-12))
        #expect(next.chosenVolume == ChosenVolume(level: Decibels(-12), by: "anna", since: sunday))
        next.use(volume: Decibels(-3), by: "bert", at: 60)
        #expect(next.chosenVolume?.since == nil, "the clock was not set")
    }

    @Test func `what somebody chose stands over a restart until the schedule changes`() throws {
        var house = House(try live(hours))
        #expect(heard(&house, at: sunday) == "normal")
        try house.use(preset: "quiet-day")
        #expect(heard(&house, at: sunday) == "quiet-day")
        var again = try restarted(house, live(hours))
        #expect(again.preset == "quiet-day" && again.isByHand)
        #expect(heard(&again, at: sunday + 7 * hour - 1) == "quiet-day")
        #expect(heard(&again, at: sunday + 7 * hour) == "silent")
        #expect(!again.isByHand)
    }

    @Test func `a schedule that changed while nobody ran takes it back, though it is as it was by now`() throws {
        var house = House(try live(hours))
        try house.use(preset: "quiet-day")
        _ = heard(&house, at: sunday)
        var next = try restarted(house, live(hours))
        #expect(heard(&next, at: sunday + day) == "normal")
        #expect(!next.isByHand)
    }

    @Test func `chosen while the clock was years ahead, it stands until the next change after the clock is set back`() throws {
        var house = House(try live(hours))
        try house.use(preset: "quiet-day")
        #expect(heard(&house, at: sunday + 3_640 * day) == "quiet-day")
        #expect(heard(&house, at: sunday) == "quiet-day")
        #expect(heard(&house, at: sunday + 7 * hour) == "silent")
    }

    @Test func `without hours it stands until something else is chosen`() throws {
        var house = House(try live())
        try house.use(preset: "quiet-day")
        _ = heard(&house, at: sunday)
        var next = try restarted(house, live())
        #expect(heard(&next, at: sunday + 400 * day) == "quiet-day")
        try next.use(preset: nil)
        #expect(heard(&next, at: sunday + 400 * day) == "normal")
        #expect(try !restarted(next, live()).isByHand)
    }

    @Test func `a preset that the settings have no more is not kept`() throws {
        let own = #"{"presets": {"own": {"volume": -3}}}"#
        var house = House(try live(own))
        try house.use(preset: "own")
        _ = heard(&house, at: sunday)
        #expect(try restarted(house, live(own)).isByHand)
        #expect(try !restarted(house, live()).isByHand)
    }

    @Test func `a reload leaves a theme that was chosen, with what else the settings say of it, until they name another`() throws {
        var settings = LiveSettings.silent()
        var other = settings.theme
        other.name = "other"
        settings.themes = [settings.theme.name: settings.theme, "other": other]
        var house = House(settings)
        try house.use(theme: "other")
        for name in settings.themes.keys { settings.themes[name]?.ceiling = Decibels(-20) }
        settings.theme.ceiling = Decibels(-20)
        house.change(to: settings)
        #expect(house.theme.name == "other" && house.theme.ceiling == Decibels(-20) && house.isThemeByHand)
        settings.theme.name = "third"
        house.change(to: settings)
        #expect(house.theme.name == "third" && !house.isThemeByHand)
        settings.theme.ceiling = Decibels(-30)
        house.change(to: settings)
        #expect(house.theme.ceiling == Decibels(-30), "one that the settings name is as they say")
    }

    @Test func `a reload leaves what was chosen, until the new schedule's next change`() throws {
        var house = House(try live())
        try house.use(preset: "quiet-day")
        _ = heard(&house, at: sunday - 5 * hour)
        _ = heard(&house, at: sunday)
        house.change(to: try live(hours))
        #expect(heard(&house, at: sunday + 1) == "quiet-day")
        #expect(heard(&house, at: sunday + 7 * hour) == "silent")
    }

    @Test func `a clock in 1970 takes nothing back, and what is chosen under it counts from when it is right`() throws {
        var house = House(try live(hours))
        try house.use(preset: "quiet-day")
        _ = heard(&house, at: sunday)
        var next = try restarted(house, live(hours))
        for instant in [0, 11 * hour, 30 * day] { #expect(heard(&next, at: instant) == "quiet-day") }
        #expect(heard(&next, at: sunday + hour) == "quiet-day")
        #expect(heard(&next, at: sunday + 7 * hour) == "silent")

        var lost = House(try live(hours))
        #expect(heard(&lost, at: hour) == "sensory-friendly")
        try lost.use(preset: "normal")
        #expect(heard(&lost, at: hour) == "normal")
        lost = try restarted(lost, live(hours))
        #expect(heard(&lost, at: sunday - 2 * hour) == "normal")
        #expect(lost.isByHand)
        #expect(heard(&lost, at: sunday - hour) == "normal")
        #expect(!lost.isByHand)
    }

    @Test func `while the clock cannot be right no hours are on, and it is gentle, but not silent`() throws {
        var house = House(try live(hours))
        for instant in [0, 11 * hour, 23 * hour, 1_704_067_199] {
            #expect(heard(&house, at: instant) == "sensory-friendly")
            #expect(house.choice.hours == nil && house.nextChange == nil)
        }
        #expect(heard(&house, at: 1_704_067_200) == "silent")
        #expect(house.choice.hours == "night" && house.nextChange == 1_704_067_200 + 8 * hour)
    }

    /// A sine of full scale at 85 dB makes 100 % in 8 h: 1 % in 288 s.
    @Test func `the day's account waits for a clock that can be right, and is not written meanwhile`() throws {
        let kept = #"{"number": 20779, "dose": 60}"#
        let settings = try live(#"{"hearing": {"calibration": 85}}"#)
        var house = House(settings, day: try read(kept))
        #expect(house.day == nil)
        house.hear(weightedMeanSquare: 0.5, for: Seconds(288), on: nil)
        _ = house.decide(at: hour, utcOffset: utc)
        #expect(house.day == nil)
        #expect(abs((house.guardian?.readings.dayDose ?? 0) - 61) < 1e-6)
        _ = house.decide(at: sunday, utcOffset: utc)
        house.hear(weightedMeanSquare: 0.5, for: Seconds(288), on: 20_779)
        #expect(house.day?.number == 20_779)
        #expect(abs((house.day?.dose ?? 0) - 62) < 1e-6)
    }

    @Test func `a clock that cannot be right is an issue, with the year it stands in`() throws {
        let settings = try live()
        func issues(_ instant: Int) -> [String] { settings.issues(JournalRecorder.Health(), OutputReport(), at: instant) }
        #expect(issues(11 * hour).contains { $0.hasPrefix("the clock stands in 1970: ") })
        #expect(issues(1_704_067_199).contains { $0.hasPrefix("the clock stands in 2023: ") })
        #expect(!issues(1_704_067_200).contains { $0.contains("clock") })
    }

    @Test(arguments: [("stage", "stage", false), ("stage", "cellar", true), ("@DEFAULT_SINK@", "cellar", false), ("3", "cellar", false), (nil, "cellar", false),
                      ("stage", "", false)])
    func `a sink that the settings name and that the sound is not on is an issue`(wanted: String?, found: String, isIssue: Bool) throws {
        var settings = try live()
        (settings.values.output, settings.values.sink) = (.pulse, wanted)
        var report = OutputReport()
        (report.state, report.sink) = (.connected, FixedText(found))
        let issues = settings.issues(JournalRecorder.Health(), report, at: sunday)
        #expect(issues.contains("the sink stage of the settings is gone: the sound is on cellar") == isIssue, "\(issues)")
    }

    @Test(arguments: [(OutputKind.pulse, "a sound server"), (.alsa, "the sound card"), (.null, "nothing")])
    func `what an output waits for is said in the words of its kind`(kind: OutputKind, awaited: String) throws {
        var settings = try live()
        settings.values.output = switch kind {
        case .pulse: .pulse
        case .alsa: .alsa(device: nil)
        case .null: .null
        }
        let issues = settings.issues(JournalRecorder.Health(), OutputReport(), at: sunday)
        #expect(issues == ["no sound: waiting for \(awaited) (it does not ask for audio yet)"])
        var report = Example.status
        report.issues = []
        (report.output.kind, report.output.state) = (kind, .waiting)
        report.output.sink = nil
        #expect(report.summary.contains("waiting for \(awaited); "), "\(report.summary)")
        #expect(settings.output.kind == kind && settings.output.state == (kind == .null ? .null : .waiting))
    }

    @Test(arguments: [(OutputState.connected, true), (.waiting, false)])
    func `a card whose own mixer mutes it is an issue as long as it is there`(state: OutputState, isIssue: Bool) throws {
        var settings = try live()
        settings.values.output = .alsa(device: "hw:0")
        var report = OutputReport()
        (report.state, report.attenuation.sink.isMuted) = (state, true)
        let issues = settings.issues(JournalRecorder.Health(), report, at: sunday)
        #expect(issues.contains("the card hw:0 is muted in its own mixer (alsamixer shows it)") == isIssue, "\(issues)")
    }

    @Test func `sounds that cannot be read are left out of every theme, and said`() throws {
        let sounds = [PatternSound(time: .zero, source: .file("/nowhere/knock.wav")), PatternSound(time: .zero, source: .tone(duration: Seconds(1)))]
        var settings = try live()
        settings.theme.haptics["knock"] = HapticPattern(events: [], sounds: sounds)
        settings.themes = ["standard": settings.theme]
        let readable = settings.withReadableSounds()
        #expect(readable.theme.haptics["knock"]?.sounds == [sounds[1]])
        #expect(readable.themes["standard"] == readable.theme)
        #expect(readable.issues(JournalRecorder.Health(), OutputReport(), at: sunday).contains { $0.hasPrefix("the sound /nowhere/knock.wav cannot be read") })
        #expect(settings.issues(JournalRecorder.Health(), OutputReport(), at: sunday).allSatisfy { !$0.contains("knock") })
    }
}

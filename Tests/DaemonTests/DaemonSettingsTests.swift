import ControlSocket
import Direct
import Foundation
import Logging
import Settings
import Signals
import Testing
import TestSupport
import Units
import Wire

@testable import Daemon
@testable import Live

@Suite struct DaemonSettingsTests {
    /// All that is wrong.
    private func faults(_ text: String, flags: [String: String] = [:], environment: [String: String] = [:]) throws -> [String] {
        do {
            _ = try settings(text, flags: flags, environment: environment)
            return []
        } catch let faults as SettingsFaults {
            return faults.words.map { words in words.firstRange(of: "thrum.yaml").map { String(words[$0.lowerBound...]) } ?? words }
        }
    }

    @Test func `a flag wins over a variable, that over the file, that over the default`() throws {
        let file = "idle: 10\nmax-hold: 20\nqueue: 100\n"
        let values = try settings(file, flags: ["idle": "12"], environment: ["THRUM_IDLE": "11", "THRUM_MAX_HOLD": "21"]).live.values
        #expect(values.idle == Seconds(12) && values.maxHold == Seconds(21))
        #expect(values.queue == .milliseconds(100) && values.sinkLatency == .milliseconds(5))
        #expect(values.isGiven(\.queue) && !values.isGiven(\.sinkLatency))
    }

    @Test func `hours that never apply, or begin when they end, are warnings with file and line`() throws {
        let warnings = try settings("""
            schedule:
              hours:
                open: {days: tue-sun, from: 10:00, to: 18:00, preset: normal}
                long: {days: sun, from: 09:00, to: 09:00, preset: normal}
                lost:
                  days: daily
                  from: 11:00
                  to: 12:00
                  preset: silent
                monday: {days: mon, from: 00:00, to: 24:00, preset: silent}
            """).warnings.map { words in words.firstRange(of: "thrum.yaml").map { String(words[$0.lowerBound...]) } ?? words }
        #expect(warnings == [
            "thrum.yaml:4: schedule.hours.long.to: expected another time than from, or these hours last until the next day's, found the same",
            "thrum.yaml:5: schedule.hours.lost: expected hours that apply at some time of the week, found none, because long, monday, open "
                + "always comes first: of fewer days, of as many and begun later, or first by name",
        ])
    }

    @Test func `in an exhibition, knobs that are not set stand as the piece has them for people who walk up`() throws {
        func course(_ text: String) throws -> (knobs: [String: KnobValue], shown: String?) {
            let live = try settings("experience: colorscroller\n" + text).live
            return (live.knobs.values, live.reports.first { $0.key == "course" }?.value)
        }
        #expect(try course("") == ([:], "500") && course("exhibition: no\n") == ([:], "500"))
        #expect(try course("exhibition: yes\n") == (["course": .number(0), "toast-cooldown": .number(0)], "0"))
        #expect(try course("exhibition: yes\ncourse: 120\n") == (["course": .number(120), "toast-cooldown": .number(0)], "120"))
        #expect(try course("exhibition: yes\ncourse: 500\n") == (["toast-cooldown": .number(0)], "500"), "what is named stays as it is named")
        #expect(try settings("experience: unhooked\n").live.knobs.values == [:])
        #expect(try settings("experience: unhooked\nexhibition: yes\n").live.knobs.values
            == ["visitor-day-minutes": .number(0.5), "walk-up": .flag(true), "away-gems": .number(40)])
        #expect(try settings("experience: scrollkitty\nexhibition: yes\n").live.knobs.values
            == ["visitor-day-minutes": .number(3), "walk-up": .flag(true)])
    }

    @Test func `an empty value counts as not given`() throws {
        let values = try settings("idle: 10\nseed:\n", environment: ["THRUM_IDLE": ""]).live.values
        #expect(values.seed == nil)
    }

    @Test func `what is wrong is told with its line, its variable or its key, also where nothing reads it`() throws {
        #expect(try faults("output: pulse\nnull-speed: 0\nforce-unlock-all: 3\n", flags: ["idle": "x"], environment: ["THRUM_RATE": "7"]) == [
            "thrum.yaml:2: null-speed: expected a number from 1 to 1000 (times), found \"0\"",
            "thrum.yaml:3: force-unlock-all: expected yes or no, found \"3\"",
            "idle: expected a number from 0.1 to 86400 (s), found \"x\"",
            "THRUM_RATE: rate: expected a whole number from 8000 to 192000 (Hz), found \"7\"",
        ])
    }

    @Test func `all that is wrong with a section is told at once`() throws {
        #expect(try faults("""
            schedule:
              fade: -1
              otherwise: louder
              hours:
                open: {days: someday, from: 25:00, to: late, preset: normal}
                late: {days: mon, from: 18:00}
            hearing: {calibration: 1000, limit: 5, session: 0}
            kiosk:
              screens: [any]
              memory: 1
              early: -1
            touchscreens:
              left: {rotate: 45, kind: toucj, grab: 1, area: {left: 2, top: x}}

            """).map { $0.split(separator: " ").prefix(2).joined(separator: " ") } == [
                "thrum.yaml:2: schedule.fade:", "thrum.yaml:3: schedule.otherwise:", "thrum.yaml:5: schedule.hours.open.days:",
                "thrum.yaml:5: schedule.hours.open.from:", "thrum.yaml:5: schedule.hours.open.to:", "thrum.yaml:6: schedule.hours.late.preset:",
                "thrum.yaml:6: schedule.hours.late.to:", "thrum.yaml:7: hearing.calibration:", "thrum.yaml:7: hearing.limit:",
                "thrum.yaml:7: hearing.session:", "thrum.yaml:9: kiosk.screens:", "thrum.yaml:10: kiosk.memory:", "thrum.yaml:11: kiosk.early:",
                "thrum.yaml:13: touchscreens.left.area.left:", "thrum.yaml:13: touchscreens.left.area.top:", "thrum.yaml:13: touchscreens.left.grab:",
                "thrum.yaml:13: touchscreens.left.kind:", "thrum.yaml:13: touchscreens.left.rotate:",
            ])
        let screens = "kiosk: {screens: {HDMI_A_1: {page: direct}, DP-1: {page: /x, rotate: 45}}}\nhttp: 7400\n"
        #expect(try faults(screens).map { $0.split(separator: " ")[1] } == ["kiosk.screens.DP-1.page:", "kiosk.screens.DP-1.rotate:",
                                                                            "kiosk.screens.HDMI_A_1:"])
    }

    @Test func `a setting that needs another beside it says so`() throws {
        #expect(try faults("users: root\nhttp-origins: page\n") == [
            "thrum.yaml:1: users: expected socket-group beside it, without which nobody else gets to the socket, found none",
            "thrum.yaml:2: http-origins: expected origins such as http://localhost:8080, without a path, found \"page\"",
        ])
    }

    @Test func `after a change the keys that need a restart are those of the table, and rules that come to something else`() throws {
        let before = try settings("idle: 10\nrate: 44100\ntouchscreens: {left: {rotate: 0}}\n")
        let same = try settings("idle: 11\nceiling: -9\nschedule: {otherwise: silent}\nforce-unlock-all: yes\nrate: 44100\ntouchscreens: {left: {}}\n")
        #expect(same.waitingForRestart(since: before) == [])
        let other = try settings("output: \"null\"\nmotors: {}\n", flags: ["log": "error"])
        #expect(other.waitingForRestart(since: before) == ["output", "rate", "log", "touchscreens", "motors", "switches"])
    }

    @Test func `pages are served to other machines without encryption only where somebody asks for that by its name`() throws {
        func fault(_ found: String) -> String {
            "thrum.yaml:1: http: expected an address of this machine alone, such as 127.0.0.1:7400, with a proxy for others, or "
                + "http-unencrypted: yes beside it, because nothing is encrypted, found \(found)"
        }
        #expect(try faults("http: 0.0.0.0:7400\n") == [fault("0.0.0.0:7400")])
        #expect(try faults("http: \"[2001:db8::7]:7400\"\n") == [fault("[2001:db8::7]:7400")])
        for address in ["7400", "127.0.0.2:7400", "localhost:7400", "\"[::1]:7400\""] {
            #expect(try settings("http: \(address)\n").live.http != nil, "\(address)")
        }
        #expect(try settings("http: 0.0.0.0:7400\nhttp-unencrypted: yes\n").live.http?.endpoint.address == "0.0.0.0")
    }

    @Test func `what several settings make together is what the engine is told`() throws {
        let live = try settings("""
            osc: 9000
            http: 0.0.0.0:7400
            http-unencrypted: yes
            journal-space: 3
            journal-days: 2
            max-line: 2048
            transducer: 3,4
            """).live
        #expect(live.osc?.port == 9000 && live.osc?.address == "127.0.0.1")
        #expect(live.http?.endpoint.port == 7400 && live.http?.endpoint.address == "0.0.0.0")
        #expect(live.retention.bytes == 3 << 20 && live.retention.age == Seconds(172_800))
        #expect(live.limits.line == 2048 && live.limits.rate == 100_000)
        #expect(live.transducers == [3, 4])
    }

    @Test func `operators over OSC are single machines' addresses, and what is none is named`() throws {
        #expect(try settings("osc: 9000\n").live.osc?.operators == [])
        let live = try settings("osc: 9000\nosc-operators: 192.168.7.20, 2001:DB8::7\n").live
        #expect(live.osc?.operators == Set(["192.168.7.20", "2001:db8:0::7"].compactMap(HostAddress.init)))
        #expect(HostAddress("::ffff:192.168.7.20") == HostAddress("192.168.7.20"))
        for wrong in ["192.168.7.0/24", "192.168.7.20:9000", "desk.example.org", "0.0.0.0", "::", "192.168.7.256"] {
            let expected = "osc-operators: expected IP addresses of single machines, such as 192.168.7.20 or 2001:db8::7, without a port, found \"\(wrong)\""
            #expect(try faults("osc: 9000\nosc-operators: \"127.0.0.1,\(wrong)\"\n").contains { $0.hasSuffix(expected) }, "\(wrong)")
        }
        #expect(try faults("osc-operators: 127.0.0.1\n").contains { $0.contains("osc-operators: expected osc beside it") })
    }

    @Test func `OSC goes to addresses with ports, and tells what strangers may hear`() throws {
        let live = try settings("osc-out: 192.168.7.30:53000, [2001:db8::7]:9000\nosc-out-topics: session,cue\n").live
        #expect(live.oscDestinations.map(\.text) == ["192.168.7.30:53000", "[2001:db8::7]:9000"])
        for wrong in ["192.168.7.30", "desk.example.org:9000", "192.168.7.30:0", "2001:db8::7:9000", "192.168.7.30:65536"] {
            let expected = "osc-out: expected IP addresses with ports, such as 192.168.7.30:53000 or [2001:db8::7]:9000, found \"\(wrong)\""
            #expect(try faults("osc-out: \"127.0.0.1:9000,\(wrong)\"\n").contains { $0.hasSuffix(expected) }, "\(wrong)")
        }
        for wrong in ["event", "fault", "sesion"] {
            let faults = try faults("osc-out: 127.0.0.1:9000\nosc-out-topics: \(wrong)\n")
            #expect(faults.contains { $0.contains("osc-out-topics: expected topics that strangers may hear: session, ") }, "\(wrong)")
        }
        #expect(try faults("osc-out-topics: session\n").contains { $0.contains("osc-out-topics: expected osc-out beside it") })
    }

    @Test func `a theme that lacks what the piece asks for is refused by name where it is wanted, and else passed over`() throws {
        let home = try Scratch()
        let folder = home.file("thrum/themes")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try "chimes: {unlock: none}\n".write(toFile: folder + "/mute.yaml", atomically: true, encoding: .utf8)
        let environment = ["XDG_CONFIG_HOME": home.path]
        let lacking = "expected a theme with the chime unlock, which colorscroller asks for, found \"mute\""
        let read = try settings("experience: colorscroller\n", environment: environment)
        #expect(read.live.themes["mute"] == nil && read.warnings.contains { $0.hasSuffix(lacking) })
        #expect(try faults("experience: colorscroller\ntheme: mute\n", environment: environment).contains { $0.hasSuffix(lacking) })
        // Another piece has no use for it.
        #expect(try settings("theme: mute\n", environment: environment).live.theme.name == "mute")
        // What is read again is for the piece that plays, whatever the next start brings.
        let again = try settings("theme: mute\nexperience: colorscroller\n", environment: environment, running: Direct.self)
        #expect(again.live.piece.declaration.name == "direct" && again.live.theme.name == "mute")
    }

    @Test func `a theme's name that ends as a file's is a file where there is one, and no theme has that name`() throws {
        let home = try Scratch()
        let name = "thrum-\(UUID().uuidString.prefix(8))"
        let here = FileManager.default.currentDirectoryPath
        func read(_ file: String) throws -> [String] { try faults("idle: 10\n", flags: ["theme": file], environment: ["XDG_CONFIG_HOME": home.path]) }
        for ending in ["yaml", "yml"] {
            let file = "\(name).\(ending)"
            #expect(try read(file).contains { $0.contains("theme: expected one of ") && $0.contains("found \"\(file)\"") })
            try "ceiling: -7\n".write(toFile: "\(here)/\(file)", atomically: true, encoding: .utf8)
            defer { try? FileManager.default.removeItem(atPath: "\(here)/\(file)") }
            let theme = try settings("idle: 10\n", flags: ["theme": file], environment: ["XDG_CONFIG_HOME": home.path]).live.theme
            #expect(theme.name == name && theme.ceiling == Decibels(-7))
            try "ceiling: 7\n".write(toFile: "\(here)/\(file)", atomically: true, encoding: .utf8)
            #expect(try read(file).contains { $0.contains("\(file):1: ceiling: expected a number from -60 to 0 (dBFS), found 7") })
        }
        let folder = home.file("thrum/themes")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try "name: \(name).yaml\nceiling: -5\n".write(toFile: folder + "/a.yaml", atomically: true, encoding: .utf8)
        #expect(try settings("idle: 10\n", flags: ["theme": "\(name).yaml"], environment: ["XDG_CONFIG_HOME": home.path]).live.theme.ceiling == Decibels(-5))
    }

    @Test func `the levels of the log are those of the logging library`() throws {
        #expect(try SettingsTable.ofDaemon()["log"]?.shape == .choice(Logger.Level.allCases.map(\.rawValue)))
    }

    @Test func `each setting is told with its value and where it is from`() throws {
        let read = try settings("idle: 30\nqueue: 150\n\nschedule: {otherwise: quiet-day}\n", flags: ["rate": "44100"],
                                environment: ["THRUM_QUEUE": "300"])
        let reports = Dictionary(uniqueKeysWithValues: read.live.reports.map { ($0.key, $0) })
        #expect(read.live.reports.map(\.key) == (try SettingsTable.ofDaemon()).entries.map(\.name))
        #expect(reports["rate"]?.value == "44100" && reports["rate"]?.source == .flag && reports["rate"]?.place == "--rate")
        #expect(reports["queue"]?.value == "300" && reports["queue"]?.source == .variable && reports["queue"]?.place == "THRUM_QUEUE")
        #expect(reports["idle"]?.value == "30" && reports["idle"]?.unit == "s" && reports["idle"]?.source == .file)
        #expect(reports["idle"]?.place?.hasSuffix("/thrum.yaml:1") == true && reports["idle"]?.effect == .reload)
        #expect(reports["schedule"]?.value == "{otherwise: quiet-day}" && reports["schedule"]?.place?.hasSuffix("/thrum.yaml:4") == true)
        #expect(reports["theme"]?.value == "standard" && reports["theme"]?.source == .default && reports["theme"]?.place == nil)
    }

    @Test func `what a reload changes is told by its keys, and what waits for a start is not among it`() throws {
        let first = try settings("idle: 45\nrate: 48000\nschedule: {otherwise: normal}\n")
        let second = try settings("idle: 30\nrate: 44100\nschedule: {otherwise: quiet-day}\n")
        #expect(second.changes(since: first) == [
            ReloadReport.Change(key: "idle", former: "45", value: "30"),
            ReloadReport.Change(key: "schedule", former: "{otherwise: normal}", value: "{otherwise: quiet-day}"),
        ])
        #expect(second.changes(since: second) == [])
        #expect(second.waitingForRestart(since: first) == ["rate"])
    }
}

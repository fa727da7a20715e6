import AudioOutput
import ControlSocket
import Evdev
import JournalFile
import Live
import Logging
import SettingsFile
import Signals
import SystemPackage
import Systemd
import Units
import Venue
import Wire

/// Everything thrumd is told, from flags, environment and files, read and checked.
struct Settings: Sendable {
    let live: LiveSettings
    let logLevel: Logger.Level
    /// What is not as it should be, and does no harm.
    let warnings: [String]
    /// The files all this is from.
    let files: [SettingsFiles.File]
    private let given: [String: String]

    /// `theme`, if there is one, counts instead of what the settings say about themes and patterns. Throws `SettingsFaults`: all
    /// that is wrong.
    init(_ flags: Flags, _ environment: [String: String], files: [SettingsFiles.File], theme: Theme? = nil, socket: PassedSocket?) throws {
        let layers: SettingsFiles
        do {
            layers = try SettingsFiles(files)
        } catch {
            throw SettingsFaults(words: ["\(error)"])
        }
        let values = Values(flags: flags.values, environment: environment, files: layers)
        // Not in the way of the last good settings: what is no setting now was none then.
        if theme == nil { values.noteStrangeVariables() }
        self.files = files
        given = values.given
        let rules = values.section(DeviceRules.self, keys: Key.deviceSections) ?? DeviceRules()
        let wardrobe = ThemeSettings(values, environment, fixed: theme)
        warnings = wardrobe.warnings
        let pulse = PulseSettings(
            server: values.text("server"), sink: values.text("sink"),
            queue: .milliseconds(values.number("queue") ?? 200), sinkLatency: .milliseconds(values.number("sink-latency") ?? 5),
            transducers: values.channels("transducer"), revises: values.isOn("revise") ?? true)
        live = LiveSettings(
            output: values.choice("output") == "null" ? .null(speed: values.number("null-speed") ?? 1) : .pulse(pulse),
            rate: values.integer("rate").flatMap { SampleRate($0) } ?? .standard,
            socket: socket.map { .passed($0) } ?? values.text("socket").map { .path($0) } ?? Place.socket(environment),
            access: values.access,
            limits: values.limits,
            webSocket: values.webSocket,
            osc: values.osc,
            oscSocket: values.text("osc-socket"),
            metrics: values.integer("metrics").map {
                LiveSettings.Metrics(address: values.text("metrics-address") ?? "127.0.0.1", port: $0)
            },
            sessions: values.text("sessions") ?? values.attempt { try Place.sessions(environment) } ?? "",
            retention: Retention(bytes: Int64(values.integer("journal-space") ?? 4096) << 20,
                                 age: values.integer("journal-days").map { Seconds(Double($0) * 86_400) }),
            state: Place.state(environment)?.string,
            idle: Seconds(values.number("idle") ?? 45), maxHold: Seconds(values.number("max-hold") ?? 600),
            experience: values.choice("experience").flatMap { ExperienceName(rawValue: $0) } ?? .direct,
            theme: wardrobe.theme,
            themes: wardrobe.themes,
            venue: values.section(Venue.self, keys: Key.venueSections) ?? .standard,
            tuning: values.tuning,
            seed: values.integer("seed").map { UInt64($0) },
            version: version,
            devices: values.isOn("devices") == false ? .none : rules,
            recognizesGestures: values.isOn("gestures") ?? true)
        logLevel = values.choice("log").flatMap { Logger.Level(rawValue: $0) } ?? .info
        guard values.faults.isEmpty else { throw SettingsFaults(words: values.faults) }
    }

    /// Settings in which this one differs, and which only the next start can change.
    func waitingForRestart(since other: Settings) -> [String] {
        let keys = Key.all.filter { !$0.isLive && given[$0.name] != other.given[$0.name] }.map(\.name)
        return keys + (live.devices == other.live.devices ? [] : Key.deviceSections)
    }
}

/// What is wrong with the settings, each with its place, in words.
struct SettingsFaults: Error, CustomStringConvertible {
    var words: [String]

    var description: String { words.joined(separator: "\n") }
}

func writeToStandardError(_ text: String) { _ = try? FileDescriptor.standardError.writeAll(text.utf8) }

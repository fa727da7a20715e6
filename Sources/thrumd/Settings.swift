import AudioOutput
import Configuration
import ControlSocket
import Evdev
import Glibc
import Journal
import JournalFile
import Live
import Logging
import PatternFile
import Signals
import SoundFile
import SystemPackage
import Units
import Wire

/// Everything thrumd is told, from flags, environment and file, read and checked.
struct Settings {
    let live: LiveSettings
    let logLevel: Logger.Level
    /// What is not as it should be, and does no harm.
    let warnings: [String]

    /// Throws `Fault` naming the key, or what the YAML parser says.
    init(_ flags: Flags) async throws {
        let environment = Self.environment
        let file: FilePath? = flags.config.map { FilePath($0) } ?? DeviceRules.standardFile(environment)
        // First, because it knows best what is wrong with them.
        let rules = try Self.rules(file)
        var providers: [any ConfigProvider] = [
            InMemoryProvider(name: "flags", values: Dictionary(uniqueKeysWithValues: flags.values.map { key, value in
                (AbsoluteConfigKey([key]), ConfigValue(.string(value), isSecret: false))
            })),
            EnvironmentVariablesProvider().prefixKeys(with: "thrum"),
        ]
        if let file, !Self.isBlank(file) {
            do {
                providers.append(try await FileProvider<YAMLSnapshot>(filePath: file, allowMissing: flags.config == nil))
            } catch {
                throw Fault(field: file.string, expected: "a YAML file of settings", found: "\(error)")
            }
        }
        let values = try await Values(ConfigReader(providers: providers))

        let output = try values.choice("output", ["pulse", "null"]) ?? "pulse"
        let pulse = PulseSettings(
            server: values.text("server"), sink: values.text("sink"),
            queue: .milliseconds(try values.number("queue", in: 50...500, unit: "ms") ?? 200),
            sinkLatency: .milliseconds(try values.number("sink-latency", in: 1...200, unit: "ms") ?? 5),
            transducers: try values.channels("transducer"),
            revises: try values.choice("revise", ["yes", "no"]) != "no")
        var theme = Theme.standard
        if let path = values.text("patterns") {
            let folder = try PatternFolder(FilePath(path))
            theme.haptics.merge(folder.patterns) { $1 }
            warnings = folder.ignored.map { "\($0.file): passed over: " + $0.paths.prefix(10).joined(separator: ", ") }
            try Self.check(theme)
            try Self.checkSounds(folder)
        } else {
            warnings = []
        }
        if let ceiling = try values.number("ceiling", in: -60...0, unit: "dBFS") { theme.ceiling = Decibels(ceiling) }
        live = LiveSettings(
            output: output == "null" ? .null : .pulse(pulse),
            rate: try values.integer("rate", in: SampleRate.supported, unit: "Hz").flatMap { SampleRate($0) } ?? .standard,
            socket: try values.text("socket") ?? Self.standardSocket(environment),
            access: try values.access(),
            limits: try values.limits(),
            webSocket: try values.webSocket(),
            osc: try values.integer("osc", in: 1...65_535).map { port in
                LiveSettings.OSC(address: values.text("osc-address") ?? "127.0.0.1", port: port)
            },
            oscSocket: values.text("osc-socket"),
            sessions: try values.text("sessions") ?? Self.standardSessions(environment),
            idle: Seconds(try values.number("idle", in: 0.1...86_400, unit: "s") ?? 45),
            experience: try values.choice("experience", ExperienceName.allCases.map(\.rawValue))
                .flatMap { ExperienceName(rawValue: $0) } ?? .direct,
            theme: theme,
            tuning: try values.tuning(),
            seed: try values.integer("seed", in: 0...(1 << 53 - 1)).map { UInt64($0) },
            version: version,
            devices: try values.choice("devices", ["yes", "no"]) == "no" ? .none : rules,
            recognizesGestures: try values.choice("gestures", ["yes", "no"]) != "no")
        logLevel = try values.choice("log", Logger.Level.allCases.map(\.rawValue))
            .flatMap { Logger.Level(rawValue: $0) } ?? .info
    }

    /// Every journal begins with the theme, and must be read again.
    private static func check(_ theme: Theme) throws {
        let header = JournalHeader(sampleRate: .standard, seed: 0, experience: .direct, started: "now", theme: theme)
        let line = JournalLine.encode(.header(header)).dropLast()
        guard line.count < JournalScan.longestLine else {
            throw Fault(field: "patterns", expected: "patterns that a journal has room for, 1 MiB in all", found: "\(line.count) bytes")
        }
        guard try JournalLine.decodeHeader(line).theme == theme else { preconditionFailure("what is written is what is read") }
    }

    private static func checkSounds(_ folder: PatternFolder) throws {
        for (name, pattern) in folder.patterns.sorted(by: { $0.key < $1.key }) {
            for case .file(let path) in pattern.sounds.map(\.source) {
                do {
                    try SoundFileReader.check(path)
                } catch {
                    throw Fault(field: "patterns", expected: "sound files that can be read", found: "\(path) in \(name): \(error)")
                }
            }
        }
    }

    private static func rules(_ file: FilePath?) throws -> DeviceRules {
        guard let file else { return DeviceRules() }
        do {
            return try DeviceRules(file: file)
        } catch Errno.noSuchFileOrDirectory {
            return DeviceRules()
        } catch let fault as Fault {
            let field = fault.field.isEmpty ? file.string : "\(file): \(fault.field)"
            throw Fault(field: field, expected: fault.expected, found: fault.found)
        } catch {
            throw Fault(field: file.string, expected: "a YAML file of settings", found: "\(error)")
        }
    }

    private static var environment: [String: String] {
        var variables: [String: String] = [:]
        for name in ["HOME", "XDG_RUNTIME_DIR", "XDG_STATE_HOME", "XDG_CONFIG_HOME"] {
            if let value = getenv(name), value.pointee != 0 { variables[name] = String(cString: value) }
        }
        return variables
    }

    /// Whether the file holds comments only; the YAML reader wants at least one key.
    private static func isBlank(_ file: FilePath) -> Bool {
        guard let descriptor = try? FileDescriptor.open(file, .readOnly) else { return false }
        defer { try? descriptor.close() }
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        guard let count = try? bytes.withUnsafeMutableBytes({ try descriptor.read(into: $0) }) else { return false }
        return String(decoding: bytes[..<count], as: UTF8.self).split(separator: "\n").allSatisfy { line in
            line.drop(while: \.isWhitespace).first.map { $0 == "#" } ?? true
        }
    }

    /// Makes the socket's directory, for its owner only.
    private static func standardSocket(_ environment: [String: String]) throws -> String {
        guard let path = SocketPath.standard(environment) else {
            throw Fault(field: "socket", expected: "a path, because XDG_RUNTIME_DIR is not set to an absolute one", found: "nothing")
        }
        let directory = FilePath(path).removingLastComponent().string
        guard mkdir(directory, 0o700) == 0 || errno == EEXIST else {
            throw Fault(field: "socket", expected: "\(directory) to be a directory or possible to make",
                        found: String(cString: strerror(errno)))
        }
        return path
    }

    private static func standardSessions(_ environment: [String: String]) throws -> String {
        guard let path = SessionFolder.standard(environment) else {
            throw Fault(field: "sessions", expected: "a path, because neither XDG_STATE_HOME nor HOME is set",
                        found: "nothing")
        }
        return path.string
    }
}

func writeToStandardError(_ text: String) { _ = try? FileDescriptor.standardError.writeAll(text.utf8) }

import ArgumentParser
import ControlSocket
import Evdev
import FoundationEssentials
import Glibc
import JournalFile
import Offline
import SettingsFile
import SystemPackage
import Units
import Venue
import YAML

/// Where thrumd's control socket is.
struct DaemonSocket: ParsableArguments {
    @Option(help: """
                thrumd's control socket. (default: $THRUM_SOCKET, or else $XDG_RUNTIME_DIR/thrum/control.sock, or else \
                \(SocketPath.system))
                """, completion: .file())
    var socket: String?

    var path: String {
        socket ?? SocketPath.sought(ProcessInfo.processInfo.environment) { access($0, F_OK) == 0 }
    }

    /// How to name another, for somebody who has named none and whose shell has no place for the usual one; else empty.
    var advice: String {
        let environment = ProcessInfo.processInfo.environment
        guard socket == nil, environment["THRUM_SOCKET"]?.isEmpty != false, SocketPath.standard(environment) == nil else { return "" }
        return " (XDG_RUNTIME_DIR is not set; --socket or THRUM_SOCKET names another socket)"
    }
}

/// The flag for thrumd's settings file, for commands that need settings.
struct SettingsOption: ParsableArguments {
    @Option(help: "The YAML file of settings. (default: $XDG_CONFIG_HOME/thrum/thrum.yaml over /etc/thrum/thrum.yaml)",
            completion: .file(extensions: ["yaml", "yml"]))
    var config: String?

    /// Throws `FileFault`, or `Errno` where `config` names no file.
    func files() throws -> SettingsFiles {
        if let config { return try SettingsFiles([SettingsFiles.File(path: config, text: try SettingsFiles.text(of: FilePath(config)))]) }
        return try SettingsFiles(try SettingsFiles.read(SettingsFiles.standardPaths(ProcessInfo.processInfo.environment)))
    }

    /// The house's rules. What is wrong with the settings is printed and becomes an exit status.
    func venue() throws -> Venue {
        do {
            return try files().decode(Venue.self, keys: ["presets", "schedule", "hearing"])
        } catch let errno as Errno {
            throw failure("\(config ?? "the settings"): \(errno)", Exit.noInput)
        } catch let fault as FileFault {
            throw failure("\(fault)", Exit.settings)
        }
    }

    /// Which devices are used. Throws as `files` does.
    func rules() throws -> DeviceRules { try files().decode(DeviceRules.self, keys: ["touchscreens", "motors"]) }
}

/// Where recorded sessions are.
struct SessionsOption: ParsableArguments {
    @Option(help: "Directory of journals. (default: $XDG_STATE_HOME/thrum/sessions)", completion: .directory)
    var sessions: FileArgument?

    /// Nil where neither the option nor the environment says.
    var path: FilePath? { sessions?.path ?? Self.standard }

    static var standard: FilePath? { SessionFolder.standard(ProcessInfo.processInfo.environment) }

    /// Every one, the oldest first. A folder that nobody named and that is not there yet has none.
    func read() throws -> [SessionFolder.Session] { try Self.read(path, isNamed: sessions != nil) }

    static func read(_ folder: FilePath?, isNamed: Bool) throws -> [SessionFolder.Session] {
        guard let folder else {
            throw failure("--sessions is needed, because neither XDG_STATE_HOME nor HOME is set", Exit.noInput)
        }
        do {
            return try SessionFolder(folder).sessions()
        } catch Errno.noSuchFileOrDirectory where !isNamed {
            // The first session makes it.
            return []
        } catch let errno as Errno {
            throw failure("\(folder): \(errno)", Exit.noInput)
        }
    }
}

/// Whose figures are shown.
struct HouseholdOption: ParsableArguments {
    @Option(name: .customLong("household"),
            help: ArgumentHelp("The household's name. (default: the one that is there)", valueName: "household"))
    var name: String?

    /// For `Message`.
    var pairs: [String] {
        get throws { try name.map { [try Message.pair("household", $0)] } ?? [] }
    }
}

/// Which rules a journal is played by.
struct RulesOption: ParsableArguments {
    enum Choice: String, CaseIterable, ExpressibleByArgument { case journal, today }

    @Option(help: "journal: as the session was played; today: by the rules of this Thrum, which may be others.")
    var rules = Choice.journal

    /// For cues, which a journal has itself.
    var forCues: ReplayRules { rules == .today ? .today : .recorded }

    /// For announcements and telemetry, which only rules give.
    var forRecords: ReplayRules { rules == .today ? .today : .same }
}

/// Which part of a session is wanted.
struct CutOption: ParsableArguments {
    @Option(help: ArgumentHelp("From this moment on: seconds, m:ss, h:mm:ss or a mark's text.", valueName: "time|mark"))
    var from: SessionPoint?

    @Option(help: ArgumentHelp("Up to this moment.", valueName: "time|mark"))
    var to: SessionPoint?

    @Option(help: ArgumentHelp("From this mark to the next one, or to the end.", valueName: "text"))
    var mark: String?

    func validate() throws {
        guard mark == nil || from == nil && to == nil else {
            throw ValidationError("--mark: expected none beside --from and --to, found \"\(mark ?? "")\"")
        }
    }

    /// What the part is called in names of files, beside the session: `-from-1m30s-to-1m45.5s`; nothing for the whole.
    var nameSuffix: String {
        [("from", from), ("to", to), ("mark", mark.map { .mark($0) })]
            .compactMap { word, point in point.map { "-\(word)-" + $0.fileName } }.joined()
    }

    var cut: SessionCut { mark.map { .mark($0) } ?? .between(from, to) }
}

extension SessionPoint: ExpressibleByArgument {
    /// In a file's name: of a mark its letters and digits, at most 40.
    fileprivate var fileName: String {
        switch self {
        case .time(let time):
            // Always with three digits after the point.
            let parts = time.clock(3).replacing(/\.?0+$/, with: "").split(separator: ":")
            return zip(parts, ["h", "m", "s"].suffix(parts.count)).map { $0 + $1 }.joined()
        case .mark(let text):
            return text.prefix(40).split { !$0.isLetter && !$0.isNumber }.joined(separator: "-")
        }
    }

    /// What is no time is a mark's text.
    public init(argument: String) {
        guard let time = argument.wholeMatch(of: /(?:(?:([0-9]{1,4}):)?([0-9]{1,4}):)?([0-9]{1,9}(?:\.[0-9]{1,9})?)/),
              let seconds = Double(time.3) else {
            self = .mark(argument)
            return
        }
        let minutes = time.2.flatMap { Int($0) }
        let hours = time.1.flatMap { Int($0) }
        // 1:75 is a slip, not a time.
        guard minutes == nil || seconds < 60, hours == nil || (minutes ?? 0) < 60 else {
            self = .mark(argument)
            return
        }
        self = .time(Seconds(Double((hours ?? 0) * 60 + (minutes ?? 0)) * 60 + seconds))
    }
}

import ArgumentParser
import Evdev
import FoundationEssentials
import Glibc
import JournalFile
import Offline
import SettingsFile
import SystemPackage
import Units
import Venue
import Wire
import YAML

/// The option that names thrumd's control socket.
struct DaemonSocket: ParsableArguments {
    @Option(help: """
                thrumd's control socket. (default: $THRUM_SOCKET, or else $XDG_RUNTIME_DIR/thrum/control.sock, or else \
                \(SocketPath.system))
                """, completion: .file())
    var socket: String?

    var path: String {
        socket ?? SocketPath.sought(ProcessInfo.processInfo.environment) { access($0, F_OK) == 0 }
    }

    /// Words for the end of an error message, which say how to name the socket. They are empty where the socket was named, or where its
    /// usual place is known.
    var advice: String {
        let environment = ProcessInfo.processInfo.environment
        guard socket == nil, environment["THRUM_SOCKET"]?.isEmpty != false, SocketPath.standard(environment) == nil else { return "" }
        return " (XDG_RUNTIME_DIR is not set; --socket or THRUM_SOCKET names another socket)"
    }
}

/// The option that names thrumd's settings file.
struct SettingsOption: ParsableArguments {
    @Option(help: "The YAML file of settings. (default: $XDG_CONFIG_HOME/thrum/thrum.yaml over /etc/thrum/thrum.yaml)",
            completion: .file(extensions: ["yaml", "yml"]))
    var config: String?

    /// Reads the settings files. Throws `FileFault`, or `Errno` where `config` names a file that cannot be read.
    func files() throws -> SettingsFiles {
        if let config { return try SettingsFiles([SettingsFiles.File(path: config, text: try SettingsFiles.text(of: FilePath(config)))]) }
        return try SettingsFiles(try SettingsFiles.read(SettingsFiles.standardPaths(ProcessInfo.processInfo.environment)))
    }

    /// Reads the settings of the house: presets, schedule and hearing. Faults in the settings are printed and become an exit status.
    func venue() throws -> Venue {
        do {
            return try files().decode(Venue.self, keys: ["presets", "schedule", "hearing"])
        } catch let errno as Errno {
            throw failure("\(config ?? "the settings"): \(errno)", Exit.noInput)
        } catch let fault as FileFault {
            throw failure("\(fault)", Exit.settings)
        }
    }

    /// Reads the settings that say which touchscreens, motors and switches are used. Throws as `files` does.
    func rules() throws -> DeviceRules { try files().decode(DeviceRules.self, keys: ["touchscreens", "motors", "switches"]) }
}

/// The option that names the directory of recorded sessions.
struct SessionsOption: ParsableArguments {
    @Option(help: "Directory of journals. (default: $XDG_STATE_HOME/thrum/sessions)", completion: .directory)
    var sessions: FileArgument?

    /// The directory; nil where neither the option nor the environment names one.
    var path: FilePath? { sessions?.path ?? Self.standard }

    static var standard: FilePath? { SessionFolder.standard(ProcessInfo.processInfo.environment) }

    /// Returns all sessions in the directory, the oldest first. A directory that no option names may be missing, and then has none.
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

/// The option that names the household whose figures are shown.
struct HouseholdOption: ParsableArguments {
    @Option(name: .customLong("household"),
            help: ArgumentHelp("The household's name. (default: the one that is there)", valueName: "household"))
    var name: String?

    /// The option as `key=value` parameters of a `Message`; empty where no household is named.
    var pairs: [String] {
        get throws { try name.map { [try Message.pair("household", $0)] } ?? [] }
    }
}

/// The options for a part of a session.
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

    /// The part of the session as an ending for file names, for instance `-from-1m30s-to-1m45.5s`; empty for the whole session.
    var nameSuffix: String {
        [("from", from), ("to", to), ("mark", mark.map { .mark($0) })]
            .compactMap { word, point in point.map { "-\(word)-" + $0.fileName } }.joined()
    }

    var cut: SessionCut { mark.map { .mark($0) } ?? .between(from, to) }
}

extension SessionPoint: ExpressibleByArgument {
    /// This point of a session as a part of file names. For a mark these are its letters and digits, at most 40.
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

    /// Reads a point of a session: a time, or else the name of a mark.
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

/// The options for the rules by which a journal is played, and for the model by which they predict.
struct RulesOption: ParsableArguments {
    enum Choice: String, CaseIterable, ExpressibleByArgument { case journal, today }

    @Option(help: "journal: as the session was played; today: by the rules of this Thrum, which may be others.")
    var rules = Choice.journal

    @Option(help: ArgumentHelp("""
        The file of the model that the session was played by; today: the piece's standard in its place. (default: the model that the \
        journal names, from models beside it)
        """, valueName: "file|today"), completion: .file(extensions: ["mlmodel"]))
    var model: FileArgument?

    /// The rules by which cues are computed. The journal's own cues are used, unless an option asks for other rules or for a model that may
    /// give other cues.
    var forCues: ReplayRules { rules == .today || model != nil ? forRecords : .recorded }

    /// The rules for announcements and telemetry, which journals do not contain.
    var forRecords: ReplayRules { (rules == .today ? ReplayRules.today : .same).predicting(by: replayModel) }

    var replayModel: ReplayModel { model.map { ReplayModel($0) } ?? .recorded }

    /// If a model other than the session's is used, says so on standard error.
    func noteModel(of session: SessionFile) {
        guard let header = SessionEntry.header(session.path), let note = replayModel.note(header, Pieces.current.all) else { return }
        warn("\(session): warning: \(note)")
    }
}

extension ReplayModel {
    /// Reads the value of `--model`.
    fileprivate init(_ argument: FileArgument) { self = argument.word == "today" ? .today : .file(argument.path) }
}

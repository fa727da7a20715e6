import Experience
import Fields
import Files
import FoundationEssentials
import Glibc
import JournalFile
import Live
import Settings
import SettingsFile
import Signals
import Synchronization
import SystemPackage
import Systemd
import Wire
import YAML

/// The sources from which the settings are read: flags, environment and files. They are the same for the start and each reload.
struct SettingsSource: Sendable {
    /// The settings to start with.
    struct Found: Sendable {
        var settings: DaemonSettings
        /// The faults because of which the settings of the files were not used; empty when they were used.
        var issues: [String] = []
    }

    let pieces: [any Experience.Type]
    /// The settings of `pieces` and of the engine.
    let table: SettingsTable
    /// The file that `--config` names, which is read instead of those in the usual places; nil without the flag.
    let file: String?
    /// The texts of the flags that were given on the command line, by the setting's key.
    let flags: [String: String]
    let environment: [String: String]
    /// The control socket, if systemd passed it.
    let socket: PassedSocket?

    /// The paths where settings are looked for.
    var paths: [FilePath] { file.map { [FilePath($0)] } ?? SettingsFiles.standardPaths(environment) }

    /// Reads the settings as they are now. `running` is the piece that plays already; nil at a start. Throws `SettingsFaults`.
    func read(running: (any Experience.Type)? = nil) throws -> DaemonSettings {
        let files: [SettingsFiles.File]
        do {
            files = try SettingsFiles.read(paths)
            if let named = file, files.isEmpty {
                throw SettingsFaults(words: ["\(named): expected a YAML file of settings, found nothing there"])
            }
        } catch let error as FileFault {
            throw SettingsFaults(words: ["\(error)"])
        }
        return try DaemonSettings(self, files: files, running: running)
    }

    /// Reads the settings as they are now. If they have faults, reads the last good ones instead. Throws `SettingsFaults` where there are
    /// none.
    func find() throws -> Found {
        do {
            return Found(settings: try read())
        } catch {
            guard let state = DefaultPaths.state(environment), let last = LastGood.read(in: state, of: paths),
                  let settings = try? DaemonSettings(self, last, at: LastGood.file(in: state))
            else { throw error }
            let faults = "\(error)".split(separator: "\n")
            return Found(settings: settings, issues: faults.map { "the settings are bad, and those that were good last are used: \($0)" })
        }
    }

    /// Returns the settings in use in the form in which they are stored, for a later start whose settings are bad. `settings` were read
    /// last; `start` were read at the start.
    func lastGood(_ settings: DaemonSettings, start: DaemonSettings) -> LastGood {
        let atStart = start.atStart ?? start.files
        return LastGood(paths: paths.map(\.string), files: settings.files, atStart: atStart == settings.files ? nil : atStart,
                        theme: settings.live.theme)
    }

    func keep(_ last: LastGood) throws {
        guard let state = DefaultPaths.state(environment) else { return }
        try last.write(in: state)
    }
}

/// The settings that thrumd last ran with. They are stored for a start whose settings are bad, because a bad line must not silence an
/// exhibit.
struct LastGood: Codable {
    /// The paths where settings were looked for; `files` are the files that existed there.
    var paths: [String]
    var files: [SettingsFiles.File]
    /// The files as they were when thrumd started. Settings that need a restart are still those of these files. Nil where they equal
    /// `files`.
    var atStart: [SettingsFiles.File]?
    var theme: Theme
    /// The sequence number of these settings within this process; later ones have a greater number, so that `write` never replaces later
    /// ones by earlier ones.
    private let number = Self.count.add(1, ordering: .relaxed).newValue

    private enum CodingKeys: CodingKey { case paths, files, atStart, theme }

    init(paths: [String], files: [SettingsFiles.File], atStart: [SettingsFiles.File]?, theme: Theme) {
        self.paths = paths
        self.files = files
        self.atStart = atStart
        self.theme = theme
    }

    private static let count = Atomic(0)

    /// The largest size of the file of last good settings, in bytes. It has room for two files of up to 1 MiB, each twice, and a theme;
    /// JSON can take six characters for one byte.
    private static let longest = 32 << 20

    /// The sequence number of the settings that were written last, by folder. Writers hold the lock while they write, because a slow disk
    /// may still be writing earlier settings.
    private static let written = Mutex<[String: Int]>([:])

    static func file(in state: FilePath) -> FilePath { state.appending("last-good.json") }

    /// Reads the last good settings. Returns nil when there are none, or when they were looked for elsewhere than in `paths`.
    static func read(in state: FilePath, of paths: [FilePath]) -> LastGood? {
        guard let bytes = try? PlainFile.bytes(of: file(in: state), atMost: longest),
              let last = try? JSONDecoder().decode(LastGood.self, from: Data(bytes)),
              last.paths == paths.map(\.string) else { return nil }
        return last
    }

    /// Replaces the earlier settings, whole or not at all. Does nothing where later settings have been written. Only the file's owner may
    /// read it, because the settings may be confidential. Throws when the file cannot be written.
    func write(in state: FilePath) throws {
        try Self.written.withLock { written in
            guard written[state.string, default: 0] <= number else { return }
            try PlainFile.replace(Self.file(in: state), with: [UInt8](JSONEncoder().encode(self)), .ownerReadWrite)
            written[state.string] = number
        }
    }
}

/// The default paths of sockets and directories.
enum DefaultPaths {
    /// The variables of the environment that are not empty. For a service of the system, systemd names the directories in them.
    static var environment: [String: String] { ProcessInfo.processInfo.environment.filter { !$0.value.isEmpty } }

    /// Returns the path of the control socket. The directory of a user's own socket is made, for that user only. The system's directory is
    /// never made here: it exists where the system's service runs.
    static func socket(_ environment: [String: String]) -> LiveSettings.Socket {
        SocketPath.standard(environment).map { .path($0, makesDirectory: true) } ?? .path(SocketPath.system)
    }

    static func sessions(_ environment: [String: String]) throws -> String {
        guard let state = state(environment) else {
            throw Fault(field: "sessions", expected: "a path, because neither XDG_STATE_HOME nor HOME is set", found: "nothing")
        }
        return state.appending("sessions").string
    }

    /// The state directory; nil where there is none.
    static func state(_ environment: [String: String]) -> FilePath? {
        if let directories = environment["STATE_DIRECTORY"], let first = directories.split(separator: ":").first {
            return FilePath(String(first))
        }
        return SessionFolder.standard(environment)?.removingLastComponent()
    }
}

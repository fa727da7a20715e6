import Experience
import Settings
import SettingsFile
import SystemPackage
import Systemd
import YAML

/// The sources of the settings, the same for the start and each reload.
struct SettingsSource: Sendable {
    /// Settings to start with.
    struct Found: Sendable {
        var settings: DaemonSettings
        /// Why the files' settings were not used, a fault each; empty when they were.
        var issues: [String] = []
    }

    let pieces: [any Experience.Type]
    /// Of these pieces.
    let table: SettingsTable
    /// The file that `--config` names, which counts instead of those in the usual places.
    let file: String?
    /// By key, those that were given.
    let flags: [String: String]
    let environment: [String: String]
    /// The control socket, if systemd passed it.
    let socket: PassedSocket?

    /// Where settings are looked for.
    var paths: [FilePath] { file.map { [FilePath($0)] } ?? SettingsFiles.standardPaths(environment) }

    /// As they are now. `running` is the piece that plays already; nil at a start. Throws `SettingsFaults`.
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

    /// The settings as they are now, or else the last good ones. Throws `SettingsFaults` where there are none.
    func find() throws -> Found {
        do {
            return Found(settings: try read())
        } catch {
            guard let state = Place.state(environment), let last = LastGood.read(in: state, of: paths),
                  let settings = try? DaemonSettings(self, last, at: LastGood.file(in: state))
            else { throw error }
            let faults = "\(error)".split(separator: "\n")
            return Found(settings: settings, issues: faults.map { "the settings are bad, and those that were good last are used: \($0)" })
        }
    }

    /// What is in use, for a start with bad settings: `settings` were read last, and those of `start` were there at the start.
    func lastGood(_ settings: DaemonSettings, start: DaemonSettings) -> LastGood {
        let atStart = start.atStart ?? start.files
        return LastGood(paths: paths.map(\.string), files: settings.files, atStart: atStart == settings.files ? nil : atStart,
                        theme: settings.live.theme)
    }

    func keep(_ last: LastGood) throws {
        guard let state = Place.state(environment) else { return }
        try last.write(in: state)
    }
}

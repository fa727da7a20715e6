import ArgumentParser
import Evdev
import FoundationEssentials
import SettingsFile
import SystemPackage

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

    /// Which devices are used. Throws as `files` does.
    func rules() throws -> DeviceRules { try files().decode(DeviceRules.self, keys: ["touchscreens", "motors"]) }
}

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

    /// Which devices are used. Throws `FileFault`, or `Errno` where `config` names no file.
    func rules() throws -> DeviceRules {
        let files: [SettingsFiles.File]
        if let config {
            files = [SettingsFiles.File(path: config, text: try SettingsFiles.text(of: FilePath(config)))]
        } else {
            files = try SettingsFiles.read(SettingsFiles.standardPaths(ProcessInfo.processInfo.environment))
        }
        return try SettingsFiles(files).decode(DeviceRules.self, keys: ["touchscreens", "motors"])
    }
}

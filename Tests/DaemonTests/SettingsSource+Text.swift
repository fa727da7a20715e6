import Experience
import Foundation
import Registry
import Settings
import TestSupport

@testable import Daemon

extension SettingsTable {
    /// That of thrumd.
    static func ofDaemon() throws -> SettingsTable { try SettingsTable(pieces: Registry.pieces.map { $0.declaration }) }
}

/// As thrumd reads a file of `text`; again, where a piece is `running`.
func settings(_ text: String, flags: [String: String] = [:], environment: [String: String] = [:],
              running: (any Experience.Type)? = nil) throws -> DaemonSettings {
    let scratch = try Scratch()
    let folders = ["XDG_STATE_HOME": scratch.file("state"), "XDG_RUNTIME_DIR": scratch.path]
    let source = SettingsSource(pieces: Registry.pieces, table: try .ofDaemon(), file: try scratch.write(text, to: "thrum.yaml"),
                                flags: flags, environment: folders.merging(environment) { $1 }, socket: nil)
    return try source.read(running: running)
}

import Experience
import Glibc
import Settings

/// The program `thrumd`, apart from its executable, so that tests can reach into it.
public enum DaemonProgram {
    /// Runs the command line of this process, and returns when the daemon has stopped; else ends the process with an exit status.
    public static func main(pieces: [any Experience.Type]) async {
        let table: SettingsTable
        do {
            table = try SettingsTable(pieces: pieces.map { $0.declaration })
        } catch {
            writeToStandardError("thrumd: \(error)\n")
            exit(70)
        }
        await Thrumd.$pieces.withValue(pieces) {
            await SettingFlags.$table.withValue(table) { await Thrumd.start() }
        }
    }
}

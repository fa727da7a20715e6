import Experience
import Glibc
import Registry
import Settings

/// The program `thrumd`, apart from its executable, so that tests can reach into it.
public enum DaemonProgram {
    /// Runs the command line of this process, and returns when the daemon has stopped; else ends the process with an exit status.
    /// `pieces` are those there are.
    public static func main(_ pieces: [any Experience.Type] = Registry.pieces) async {
        let table: SettingsTable
        do {
            table = try SettingsTable(pieces: pieces.map { PieceSettings($0.declaration) })
        } catch {
            writeToStandardError("thrumd: \(error)\n")
            exit(70)
        }
        await Pieces.$all.withValue(pieces) { await SettingFlags.$table.withValue(table) { await Thrumd.main() } }
    }
}

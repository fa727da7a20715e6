import ControlSocket
import Fields
import FoundationEssentials
import Glibc
import JournalFile
import Live
import Signals
import SystemPackage

/// Default places of sockets and directories.
enum Place {
    /// As a service of the system, systemd names the directories.
    static var environment: [String: String] { ProcessInfo.processInfo.environment.filter { !$0.value.isEmpty } }

    /// Its directory is made, for its owner only; the system's is there, or its service is not.
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

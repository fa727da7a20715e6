import ArgumentParser
import ControlSocket
import FoundationEssentials
import Glibc

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

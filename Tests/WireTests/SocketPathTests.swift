import Testing
import Wire

/// Where a client looks for the control socket.
@Suite struct SocketPathTests {
    private static let own = "/run/user/1000/thrum/control.sock"
    private static let system = "/run/thrum/control.sock"

    @Test(arguments: [
        (["THRUM_SOCKET": "/tmp/a", "XDG_RUNTIME_DIR": "/run/user/1000"], [own, system], "/tmp/a"),
        (["THRUM_SOCKET": "", "XDG_RUNTIME_DIR": "/run/user/1000"], [own, system], own),
        (["XDG_RUNTIME_DIR": "/run/user/1000"], [own, system], own),
        (["XDG_RUNTIME_DIR": "/run/user/1000"], [system], system),
        (["XDG_RUNTIME_DIR": "/run/user/1000"], [], own),
        (["XDG_RUNTIME_DIR": "run"], [], system),
        ([:], [], system),
    ] as [([String: String], [String], String)])
    func `a client uses the socket that is named, else its user's, else the system's`(variables: [String: String], there: [String],
                                                                                      path: String) {
        #expect(SocketPath.sought(variables) { there.contains($0) } == path)
    }
}

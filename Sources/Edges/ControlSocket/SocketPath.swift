/// Where the control socket is when nobody says otherwise.
public enum SocketPath {
    /// Of a daemon that is a service of the system.
    public static let system = "/run/thrum/control.sock"

    /// `$XDG_RUNTIME_DIR/thrum/control.sock`; nil where there is no such directory to be had.
    public static func standard(_ environment: [String: String]) -> String? {
        guard let runtime = environment["XDG_RUNTIME_DIR"], runtime.hasPrefix("/") else { return nil }
        return runtime + "/thrum/control.sock"
    }
}

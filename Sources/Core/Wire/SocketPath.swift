/// The default paths of the control socket.
public enum SocketPath {
    /// The path for a daemon that runs as a system service.
    public static let system = "/run/thrum/control.sock"

    /// The path for a user's own daemon, `$XDG_RUNTIME_DIR/thrum/control.sock`; nil where XDG_RUNTIME_DIR is no absolute path.
    public static func standard(_ environment: [String: String]) -> String? {
        guard let runtime = environment["XDG_RUNTIME_DIR"], runtime.hasPrefix("/") else { return nil }
        return runtime + "/thrum/control.sock"
    }

    /// Returns the path to which a client connects: that in THRUM_SOCKET, if it is set; else the user's own. The system's path is taken
    /// where only that exists, or where there is no runtime directory, as `thrumd` does.
    public static func sought(_ environment: [String: String], isThere: (String) -> Bool) -> String {
        if let named = environment["THRUM_SOCKET"], !named.isEmpty { return named }
        guard let own = standard(environment) else { return system }
        return !isThere(own) && isThere(system) ? system : own
    }
}

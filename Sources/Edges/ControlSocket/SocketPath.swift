/// Where the control socket is when nobody says otherwise.
public enum SocketPath {
    /// Of a daemon that is a service of the system.
    public static let system = "/run/thrum/control.sock"

    /// `$XDG_RUNTIME_DIR/thrum/control.sock`; nil where there is no such directory to be had.
    public static func standard(_ environment: [String: String]) -> String? {
        guard let runtime = environment["XDG_RUNTIME_DIR"], runtime.hasPrefix("/") else { return nil }
        return runtime + "/thrum/control.sock"
    }

    /// Where a client looks for it: what THRUM_SOCKET says; else the user's own, or the system's where only that is there. Without a
    /// runtime directory it is the system's, as for `thrumd`.
    public static func sought(_ environment: [String: String], isThere: (String) -> Bool) -> String {
        if let named = environment["THRUM_SOCKET"], !named.isEmpty { return named }
        guard let own = standard(environment) else { return system }
        return !isThere(own) && isThere(system) ? system : own
    }
}

import Fields
import Signals

/// What a front end may ask of the engine; nothing changes by it.
public enum EngineQuestion: Equatable, Sendable {
    case session
    /// So many recorded ones, the newest first.
    case sessions(count: Int)
    case journal
    case devices
    case sinks
    case latency
    case chimes
    case patterns
    case themes
    case presets

    public static let methods = ["session.status", "session.list", "journal.path", "device.list", "output.sinks", "output.latency",
                                 "chime.list", "haptic.list", "theme.list", "preset.list"]
    public static let mostSessions = 256

    /// Nil when no question is called so.
    init?(method: String, _ parameters: Fields) throws {
        guard Self.methods.contains(method) else { return nil }
        try parameters.refuseAll(but: method == "session.list" ? ["count"] : [])
        switch method {
        case "session.status": self = .session
        case "session.list":
            self = .sessions(count: try parameters.integerIfPresent("count", in: 1...Self.mostSessions, about: "20 by default") ?? 20)
        case "journal.path": self = .journal
        case "device.list": self = .devices
        case "output.sinks": self = .sinks
        case "output.latency": self = .latency
        case "chime.list": self = .chimes
        case "theme.list": self = .themes
        case "preset.list": self = .presets
        default: self = .patterns
        }
    }
}

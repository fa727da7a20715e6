import Logging
import Signals
import Units

extension Key {
    private static let yesOrNo = Kind.choice(["yes", "no"])
    private static let token = Kind.text("letters and digits of ASCII, and . _ ~ -, which need no escapes in an address")
    private static let port = Kind.integer(1...65_535)

    /// Every key with a single value.
    static let all: [Key] = [
        Key("experience", .choice(ExperienceName.allCases.map(\.rawValue)), standard: "direct"),
        Key("output", .choice(["pulse", "null"]), standard: "pulse"),
        Key("server", .text("a PulseAudio server string"), standard: "the user's own"),
        Key("sink", .text("the name of a sink"), standard: "the server's default sink"),
        Key("transducer", .text("channels from 1 to 8, as in 3,4"), standard: "none"),
        Key("queue", .number(50...500), unit: "ms", standard: "200"),
        Key("sink-latency", .number(1...200), unit: "ms", standard: "5"),
        Key("revise", yesOrNo, standard: "yes"),
        Key("rate", .integer(SampleRate.supported), unit: "Hz", standard: "48000"),
        Key("null-speed", .number(1...1000), unit: "times", standard: "1"),
        Key("socket", .path("a path of at most 107 bytes"), standard: "$XDG_RUNTIME_DIR/thrum/control.sock"),
        Key("socket-group", .text("a group of this machine"), standard: "none"),
        Key("users", .text("users of this machine, separated by commas"), standard: "everybody of the group"),
        Key("watchers", .text("users of this machine, separated by commas"), standard: "none"),
        Key("max-clients", .integer(1...4096), standard: "256"),
        Key("max-line", .integer(1024...1_048_576), unit: "bytes", standard: "65536"),
        Key("max-rate", .integer(1...1_000_000), unit: "requests a second", standard: "100000"),
        Key("max-subscribers", .integer(0...4096), standard: "256"),
        Key("websocket", port, standard: "none"),
        Key("websocket-origins", .text("origins, separated by commas"), standard: "none"),
        Key("websocket-token", token, standard: "none"),
        Key("websocket-watch-token", token, standard: "none"),
        Key("osc", port, standard: "none"),
        Key("osc-address", .text("an address of this machine"), standard: "127.0.0.1"),
        Key("osc-socket", .path("a path of at most 107 bytes"), standard: "none"),
        Key("metrics", port, standard: "none"),
        Key("metrics-address", .text("an address of this machine"), standard: "127.0.0.1"),
        Key("sessions", .path("a directory"), standard: "$XDG_STATE_HOME/thrum/sessions"),
        Key("journal-space", .integer(1...16_777_216), unit: "MiB", standard: "4096"),
        Key("journal-days", .integer(1...36_500), unit: "days", standard: "for ever"),
        Key("max-hold", .number(1...86_400), unit: "s", standard: "600", isLive: true),
        Key("idle", .number(0.1...86_400), unit: "s", standard: "45", isLive: true),
        Key("theme", .path("the name of a theme, or the path of its file"), standard: "standard", isLive: true),
        Key("patterns", .path("a folder of AHAP files"), standard: "none", isLive: true),
        Key("ceiling", .number(-60...0), unit: "dBFS", standard: "the theme's", isLive: true),
        Key("seed", .integer(0...(1 << 53 - 1)), standard: "random for each session"),
        Key("devices", yesOrNo, standard: "yes"),
        Key("gestures", yesOrNo, standard: "yes"),
        Key(Parameter.forceUnlockAll.rawValue, yesOrNo, standard: "no", isLive: true),
        Key(Parameter.toastCooldown.rawValue, .number(0...60), unit: "s", standard: "3", isLive: true),
        Key(Parameter.chanceEarly.rawValue, .number(0...1), standard: "0.2", isLive: true),
        Key(Parameter.chanceMiddle.rawValue, .number(0...1), standard: "0.12", isLive: true),
        Key(Parameter.chanceLate.rawValue, .number(0...1), standard: "0.08", isLive: true),
        Key("log", .choice(Logger.Level.allCases.map(\.rawValue)), standard: "info"),
    ]

    static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

    /// Environment variables that are no settings. Scripts, tests and the packaging read them, and may start thrumd with them.
    static let otherVariables: Set = ["THRUM_BIN", "THRUM_FUZZ", "THRUM_OUT", "THRUM_PAIRS", "THRUM_REVISION", "THRUM_ROOT", "THRUM_VM"]

    /// Keys of a file that are mappings, and are read as a whole.
    static let deviceSections = ["touchscreens", "motors"]
    static let venueSections = ["schedule", "presets", "hearing"]
}

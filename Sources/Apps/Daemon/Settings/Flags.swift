import ArgumentParser

/// Flags win over everything. Each is one key of the settings.
struct Flags: ParsableArguments {
    @Option(help: "A YAML file of settings. (default: $XDG_CONFIG_HOME/thrum/thrum.yaml over /etc/thrum/thrum.yaml)",
            completion: .file(extensions: ["yaml", "yml"]))
    var config: String?

    @Option(help: "direct: front ends say what to sound; colorscroller: the whole piece. (default: direct)")
    var experience: String?

    @Option(help: "pulse, or null for a timer that plays into nothing. (default: pulse)")
    var output: String?

    @Option(help: "PulseAudio server. (default: the user's own)")
    var server: String?

    @Option(help: "PulseAudio sink by name. (default: the server's default sink)")
    var sink: String?

    @Option(help: "Channels of the sink with a transducer in place of a speaker, 1 to 8, as in 3,4. (default: none)")
    var transducer: String?

    @Option(help: "Audio rendered ahead and held by the server, 50 to 500 ms. (default: 200)")
    var queue: String?

    @Option(help: "What the sink is asked for while a visitor is there, 1 to 200 ms. (default: 5)")
    var sinkLatency: String?

    @Option(help: "yes to overwrite what is queued when an event comes, no for a short queue of 20 ms. (default: yes)")
    var revise: String?

    @Option(help: "Sample rate, 8000 to 192000 Hz. (default: 48000)")
    var rate: String?

    @Option(help: "How many times as fast as real the null output's time goes, 1 to 1000. (default: 1)")
    var nullSpeed: String?

    @Option(help: "Control socket. (default: $XDG_RUNTIME_DIR/thrum/control.sock)")
    var socket: String?

    @Option(help: "A group whose members may connect to the control socket, too. (default: none)")
    var socketGroup: String?

    @Option(help: "Users who may, separated by commas; others of the group are refused. (default: everybody of the group)")
    var users: String?

    @Option(help: "Users who may only watch, separated by commas. (default: none)")
    var watchers: String?

    @Option(help: "Clients at once, 1 to 4096. (default: 256)")
    var maxClients: String?

    @Option(help: "Bytes of a client's line, 1024 to 1048576. (default: 65536)")
    var maxLine: String?

    @Option(help: "Requests of a client in a second, 1 to 1000000. (default: 100000)")
    var maxRate: String?

    @Option(help: "Clients that are told of something, 0 to 4096. (default: 256)")
    var maxSubscribers: String?

    @Option(help: "Port of 127.0.0.1 on which browsers may open a WebSocket. (default: none)")
    var websocket: String?

    @Option(help: "Origins of the pages that may, as in http://localhost:8080,null; null is a page that is a file. (default: none)")
    var websocketOrigins: String?

    @Option(help: "A token that admits whoever adds ?token=… to the address. (default: none)")
    var websocketToken: String?

    @Option(help: "A token like it for those who may only watch. (default: none)")
    var websocketWatchToken: String?

    @Option(help: "UDP port for Open Sound Control. (default: none)")
    var osc: String?

    @Option(help: "Address to hear OSC on; 0.0.0.0 lets anybody on the network in. (default: 127.0.0.1)")
    var oscAddress: String?

    @Option(help: "Unix datagram socket for Open Sound Control. (default: none)")
    var oscSocket: String?

    @Option(help: "TCP port on which to be asked for metrics over HTTP. (default: none)")
    var metrics: String?

    @Option(help: "Address for it; 0.0.0.0 lets anybody on the network ask. (default: 127.0.0.1)")
    var metricsAddress: String?

    @Option(help: "Directory of journals. (default: $XDG_STATE_HOME/thrum/sessions)")
    var sessions: String?

    @Option(help: "What journals may take up, the oldest going first, 1 to 16777216 MiB. (default: 4096)")
    var journalSpace: String?

    @Option(help: "Days for which journals are kept, 1 to 36500. (default: for ever)")
    var journalDays: String?

    @Option(help: "Time without events after which a session ends, 0.1 to 86400 s. (default: 45)")
    var idle: String?

    @Option(help: "Longest that a finger or a tone is held without a sign of life, 1 to 86400 s. (default: 600)")
    var maxHold: String?

    @Option(help: "The name of a theme, or the path of its file: thrum theme list. (default: standard)")
    var theme: String?

    @Option(parsing: .unconditional, help: "Level no sample passes, -60 to 0 dBFS. (default: the theme's)")
    var ceiling: String?

    @Option(help: "Seed of every session, 0 to 9007199254740991. (default: random for each session)")
    var seed: String?

    @Option(help: "yes to read touchscreens and drive force-feedback devices, no to leave them alone. (default: yes)")
    var devices: String?

    @Option(help: "yes to see swipes and taps on the touchscreens, no if the front end reports them. (default: yes)")
    var gestures: String?

    @Option(help: "A folder of AHAP files: each is the pattern of its file's name, in place of a built-in one. (default: none)",
            completion: .directory)
    var patterns: String?

    @Flag(help: "Say whether the settings are good, and end.")
    var checkConfig = false

    @Option(help: "trace, debug, info, notice, warning, error or critical. (default: info)")
    var log: String?

    /// By key, those that were given.
    var values: [String: String] {
        let all = ["experience": experience, "output": output, "server": server, "sink": sink, "transducer": transducer, "queue": queue,
                   "sink-latency": sinkLatency, "revise": revise, "rate": rate, "null-speed": nullSpeed, "socket": socket,
                   "websocket": websocket, "websocket-origins": websocketOrigins, "websocket-token": websocketToken,
                   "websocket-watch-token": websocketWatchToken, "osc": osc, "osc-address": oscAddress, "osc-socket": oscSocket,
                   "socket-group": socketGroup, "users": users, "watchers": watchers, "max-clients": maxClients, "max-line": maxLine,
                   "max-rate": maxRate, "max-subscribers": maxSubscribers,
                   "metrics": metrics, "metrics-address": metricsAddress, "sessions": sessions, "journal-space": journalSpace,
                   "journal-days": journalDays, "idle": idle, "max-hold": maxHold, "theme": theme, "ceiling": ceiling, "seed": seed,
                   "devices": devices, "gestures": gestures, "patterns": patterns, "log": log]
        return all.compactMapValues { $0 }
    }
}

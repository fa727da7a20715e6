import Experience
import Signals
import Units
import Wire

/// The settings of thrumd. Each property is a setting: its flag, its variable, its key in files, their checks, the help, its row in
/// docs/configuration.md and its lines in the example file are derived from the property. `SettingValues` has its value under the
/// property's name. Parts that keep a copy of a value are informed at a reload (docs/architecture.md, "A setting").
public struct SettingsCatalog: Sendable {
    /// A heading above the settings of one subject.
    struct Heading: Sendable {
        var words: String

        init(_ words: String) { self.words = words }
    }

    public enum LocalRole: String, CaseIterable, Sendable {
        case none, visitor, watch, `operator`
    }

    private let playing = Heading("The piece")
    public let experience: Setting<String>
    public let exhibition = Setting(
        "exhibition", .yesOrNo, standard: false,
        "yes for people who walk up and stay for minutes: knobs that are not set stand as the piece has them for that", .reload)
    public let theme = Setting(
        "theme", .file("the name of a theme, or the path of its file"), standard: Theme.standard.name,
        "What cues sound and feel like: the name of a theme, as thrum theme list has them, or the path of a file", .reload)
    public let patterns = Setting(
        "patterns", .directory("a folder of AHAP files"), otherwise: "none", example: "/etc/thrum/patterns",
        "A folder of AHAP files: each is the pattern of its file's name, in place of the theme's", .reload)
    public let churnModel: Setting<String?>
    public let idle = Setting(
        "idle", .seconds(0.1...86_400), standard: Seconds(45), "Time without events after which a session ends", .reload)
    public let maxHold = Setting(
        "max-hold", .seconds(1...86_400), standard: Seconds(600), "Longest that a finger or a tone is held without a sign of life", .reload)
    public let seed = Setting(
        "seed", .seed, otherwise: "random for each session", example: "20260101", "Seed of every session, for the same tone steps in each")

    private let ears = Heading("Ears and hours")
    public let ceiling = Setting(
        "ceiling", .fullScale(-60...0), otherwise: "the theme's", example: "-1", "Level no sample passes, whatever the theme", .reload)
    public let presets = MappingSetting(
        "presets", "see hearing.md", otherwise: "the built-in ones", example: """
            
              school-class: {ceiling: -20, volume: -6, slowness: 2, cap: 1500}
            """,
        "Presets beside normal, quiet-day, sensory-friendly and silent; all of a preset's keys may be left out", .reload)
    public let schedule = MappingSetting(
        "schedule", "see hearing.md", otherwise: "always normal", example: """
            
              fade: 10
              otherwise: normal
              hours:
                night: {days: daily, from: 18:00, to: 10:00, preset: silent}
                sunday-morning: {days: sun, from: 10:00, to: 12:00, preset: sensory-friendly}
              dates:
                2026-12-24: closed
                2026-12-31: {from: 18:00, to: 01:00, preset: normal}
            """,
        "Which preset is for when, by the machine's time zone; hours of fewer days count before others, dates replace the "
            + "week's hours, and going over takes fade seconds",
        .reload)
    public let hearing = MappingSetting(
        "hearing", "see hearing.md", otherwise: "nothing accounted", example: " {calibration: 96, limit: 85, session: 25}",
        "How loud a full-scale sine of 1 kHz is where people listen, in dB, and how much sound a visitor and a day may have", .reload)

    private let sound = Heading("Sound")
    public let output = Setting(
        "output", .output, standard: Output.pulse,
        OutputKind.allCases.map { "\($0.rawValue) for \($0.purpose)" }.joined(separator: ", ") + "; a file has \"null\" in quotes")
    public let server = Setting(
        "server", .text("a PulseAudio server string"), otherwise: "the user's own", example: "tcp:10.0.0.5", "PulseAudio server")
    public let sink = Setting(
        "sink", .text("the name of a sink"), otherwise: "the server's default sink",
        example: "alsa_output.usb-speakers.analog-stereo", "PulseAudio sink by name")
    public let transducer = Setting(
        "transducer", .channels, standard: [], words: "none", example: "3,4",
        "Channels of the sink with a transducer in place of a speaker, 1 to 8, as in 3,4")
    public let queue = Setting(
        "queue", .milliseconds(50...500), standard: .milliseconds(200), "Audio rendered ahead and held by the server")
    public let sinkLatency = Setting(
        "sink-latency", .milliseconds(1...200), standard: .milliseconds(5), "What the sink is asked for while a visitor is there")
    public let revises = Setting(
        "revise", .yesOrNo, standard: true, "yes to overwrite what is queued when an event comes, no for a short queue of 20 ms")
    public let rate = Setting("rate", .sampleRate, standard: .standard, "Sample rate")
    public let nullSpeed = Setting(
        "null-speed", .number(1...1000, unit: "times"), standard: 1, "Speed of the null output's clock")

    private let things = Heading("Devices")
    public let devices = Setting(
        "devices", .yesOrNo, standard: true, "yes to read touchscreens and drive force-feedback devices, no to leave them alone")
    public let recognizesGestures = Setting(
        "gestures", .yesOrNo, standard: true, "yes to see swipes and taps on the touchscreens, no if the front end reports them")
    public let touchscreens = MappingSetting(
        "touchscreens", "rules, see below", otherwise: "every one", example: """
            
              left: {path: "*-usb-0:1.2:*", rotate: 90}
            """,
        "Only touchscreens that fit one of these rules are read: thrum devices shows what is there", .start)
    public let motors = MappingSetting(
        "motors", "rules, see below", otherwise: "every one", example: """
            
              pad: {name: "*DualSense*", latency: 12, gain: 0.8}
            """,
        "Only force-feedback devices that fit one of these rules are driven", .start)
    public let switches = MappingSetting(
        "switches", "rules, see below", otherwise: "none", example: """
            
              phones: {key: SW_HEADPHONE_INSERT, use: explore}
            """,
        "Keys, buttons and jacks that are read: for exploring by touch, for one switch, and for who only stands there", .start)

    private let clients = Heading("Front ends")
    public let socket = Setting(
        "socket", .socket, otherwise: "$XDG_RUNTIME_DIR/thrum/control.sock", example: "/run/thrum/control.sock",
        "Control socket, where systemd does not make it")
    public let socketGroup = Setting(
        "socket-group", .text("a group of this machine"), otherwise: "none", example: "root",
        "A group whose members may connect to the control socket, too, by name or number")
    public let users = Setting(
        "users", .users, otherwise: "everybody of the group", example: "root",
        "Users who may, separated by commas; others of the group are refused")
    public let watchers = Setting(
        "watchers", .users, otherwise: "none", example: "root", "Users who may only watch, separated by commas")
    public let maxClients = Setting("max-clients", .whole(1...4096), standard: 256, "Clients at once")
    public let maxLine = Setting(
        "max-line", .whole(1024...1_048_576, unit: "bytes"), standard: LineFramer.standardLimit, "Longest line of a client")
    public let maxRate = Setting(
        "max-rate", .whole(1...1_000_000, unit: "requests a second"), standard: 100_000, "What a client may ask")
    public let maxSubscribers = Setting(
        "max-subscribers", .whole(0...4096), standard: 256, "Clients that are told of something, at once")
    public let http = Setting(
        "http", .endpoint, otherwise: "none", example: "7400",
        "Where pages, their WebSocket, metrics and health are: a port of 127.0.0.1, or an address and a port, as in 0.0.0.0:7400")
    public let httpUnencrypted = Setting(
        "http-unencrypted", .yesOrNo, standard: false,
        "yes to let http have an address that other machines reach, although nothing is encrypted; no for a proxy with TLS on this machine")
    public let httpNames = Setting(
        "http-names", .text("host names, separated by commas"), otherwise: "none", example: "console.example.org",
        "Names by which others reach it, beside localhost and its address; requests to other names are refused")
    public let httpOrigins = Setting(
        "http-origins", .text("origins, separated by commas"), otherwise: "none", example: "http://localhost:8080,null",
        "Origins of pages from elsewhere that may ask, as in http://localhost:8080,null; null is a page that is a file")
    public let httpLocalRole = Setting(
        "http-local-role", .choice, standard: LocalRole.visitor, "What pages on this machine may do without a token")
    public let www = Setting(
        "www", .directory("a directory"), otherwise: "/usr/share/thrum/www, or www beside the sources", example: "/usr/share/thrum/www",
        "Directory of pages")
    public let osc = Setting("osc", .port, otherwise: "none", example: "9000", "UDP port for Open Sound Control")
    public let oscAddress = Setting(
        "osc-address", .address, standard: "127.0.0.1", "Address to hear OSC on; 0.0.0.0 lets anybody on the network in")
    public let oscOperators = Setting(
        "osc-operators", .text("IP addresses, separated by commas"), otherwise: "none", example: "192.168.7.20",
        "Addresses from which OSC over UDP directs a show: theme, preset, mute, ceiling, knobs; from all others it only plays")
    public let oscSocket = Setting(
        "osc-socket", .socket, otherwise: "none", example: "/run/thrum/osc.sock", "Unix datagram socket for Open Sound Control")
    public let oscOut = Setting(
        "osc-out", .text("addresses with ports, separated by commas"), otherwise: "none", example: "192.168.7.30:53000",
        "Where Open Sound Control tells what happens: to a light desk, Pd, Max or QLab")
    public let oscOutTopics = Setting(
        "osc-out-topics", .text("topics, separated by commas"), otherwise: "all that do not come many times a second",
        example: "session,unlock", "What it tells there; strangers may hear it, so it names no household and no money")

    private let shop = Heading("Purchases")
    public let receiptRoot = Setting(
        "receipt-root", .file("a certificate's file, PEM or DER"), otherwise: "none", example: "/etc/thrum/AppleRootCA-G3.cer",
        "The root certificate to which the chains of signed receipts (x5c) must lead; without it and receipt-key there are no purchases")
    public let receiptKey = Setting(
        "receipt-key", .file("a public key's file, PEM, of the curve P-256"), otherwise: "none", example: "/etc/thrum/receipts.pem",
        "The public key by which receipts must be signed, in place of receipt-root")
    public let receiptBundleId = Setting(
        "receipt-bundle-id", .text("a bundle ID"), otherwise: "none", example: "org.example.app",
        "The bundle ID of the app whose receipts count; receipt-root and receipt-key need it")
    public let receiptEnvironment = Setting(
        "receipt-environment", .choice, standard: PurchaseEnvironment.production,
        "Production for receipts that were paid for, Sandbox to try it out")

    private let screens = Heading("The kiosk")
    public let kiosk = MappingSetting(
        "kiosk", "see operations.md", otherwise: "no kiosk", example: """
            
              screens:
                any: {page: colorscroller, rotate: 90}
              memory: 1500
              early: 5
            """,
        "What the screens of this machine show, for thrum kiosk, which reads it when it starts", .reload)

    private let alone = Heading("Running by itself")
    public let sessions = Setting(
        "sessions", .directory("a directory"), otherwise: "$XDG_STATE_HOME/thrum/sessions", example: "/var/lib/thrum/sessions",
        "Directory of journals")
    public let journalSpace = Setting(
        "journal-space", .whole(1...16_777_216, unit: "MiB"), standard: 4096, "What journals may take up, the oldest going first")
    public let journalAge = Setting(
        "journal-days", .days(1...36_500), otherwise: "for ever", example: "365", "How long journals are kept")
    public let log = Setting(
        "log", .word(of: ["trace", "debug", "info", "notice", "warning", "error", "critical"]), standard: "info",
        "The least severe messages that are logged: trace, debug, info, notice, warning, error or critical")

    /// Hints for people who look for a setting under another word. A key is that word; the value names the settings that they need.
    public static let elsewhere = [
        "volume": "volume in one of presets, or ceiling", "loudness": "hearing", "loudness-limit": "limit in hearing",
    ]

    init(pieces: [Declaration]) {
        experience = Setting(
            "experience", .word(of: pieces.map(\.name)), standard: "direct",
            "The piece: " + pieces.map { "\($0.name), \($0.about)" }.joined(separator: "; "))
        let models = pieces.compactMap(\.prediction).flatMap(\.models)
        churnModel = Setting(
            "churn-model", .file(models.map { $0 + ", " }.joined() + "or the path of a .mlmodel"),
            otherwise: models.first ?? "the piece's own", example: models.first ?? "/etc/thrum/churn.mlmodel",
            "By what a piece predicts who is about to leave, from the next visit on: one of its own models, or a file", .reload)
    }
}

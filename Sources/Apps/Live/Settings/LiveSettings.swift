import AudioOutput
import ControlSocket
import Evdev
import JournalFile
import Signals
import Systemd
import Units
import Venue

/// Everything the live engine can be told.
public struct LiveSettings: Sendable {
    public enum Output: Sendable {
        case pulse(PulseSettings)
        /// On a timer, into nothing; `speed` times as fast as time goes, 1…1000.
        case null(speed: Double)
    }

    public struct WebSocket: Sendable {
        /// Of 127.0.0.1.
        public var port: Int
        public var access: WebSocketAccess

        public init(port: Int, access: WebSocketAccess) {
            self.port = port
            self.access = access
        }
    }

    public struct OSC: Sendable {
        public var address: String
        public var port: Int

        public init(address: String, port: Int) {
            self.address = address
            self.port = port
        }
    }

    public enum Socket: Sendable {
        /// `makesDirectory`: its directory is made where it is missing.
        case path(String, makesDirectory: Bool = false)
        /// The service manager listens on it already.
        case passed(PassedSocket)

        public var path: String {
            switch self {
            case .path(let path, _): path
            case .passed(let passed): passed.path
            }
        }
    }

    public struct Metrics: Sendable {
        public var address: String
        public var port: Int

        public init(address: String, port: Int) {
            self.address = address
            self.port = port
        }
    }

    public var output: Output
    public var rate: SampleRate
    /// The control socket.
    public var socket: Socket
    /// Who may connect to it.
    public var access: PeerAccess
    public var limits: Limits
    /// For browsers; nil for none.
    public var webSocket: WebSocket?
    /// For music software; nil for none.
    public var osc: OSC?
    /// A Unix datagram socket for the same; nil for none.
    public var oscSocket: String?
    /// Where to be asked for metrics over HTTP; nil for nowhere.
    public var metrics: Metrics?
    /// Where journals are kept, and which of them.
    public var sessions: String
    public var retention: Retention
    /// Where to keep what must outlast a start; nil for nowhere.
    public var state: String?
    /// Without events, and with nothing held, a session ends after it.
    public var idle: Seconds
    /// Whoever holds something for so long without a sign of life is let go.
    public var maxHold: Seconds
    public var experience: ExperienceName
    public var theme: Theme
    /// By name, to change to.
    public var themes: [String: Theme]
    /// Opening hours, presets, and what a listener may be given.
    public var venue: Venue
    /// How the experience's knobs stand at first.
    public var tuning: Tuning
    /// Of every session; random for each when nil.
    public var seed: UInt64?
    public var version: String
    public var devices: DeviceRules
    /// Whether swipes and taps are seen in what the touchscreens report.
    public var recognizesGestures: Bool

    /// Sounds that the themes are without because their files cannot be read, and why.
    var unreadableSounds: [String: String] = [:]

    /// Whether haptic patterns go to a channel of the sink, too.
    var hasTransducer: Bool { !transducers.isEmpty }
    var transducers: [Int] { if case .pulse(let pulse) = output { pulse.transducers } else { [] } }

    public init(output: Output, rate: SampleRate, socket: Socket, access: PeerAccess = PeerAccess(), limits: Limits = Limits(),
                webSocket: WebSocket? = nil, osc: OSC? = nil, oscSocket: String? = nil, metrics: Metrics? = nil, sessions: String,
                retention: Retention = Retention(), state: String? = nil,
                idle: Seconds, maxHold: Seconds = Seconds(600),
                experience: ExperienceName = .direct, theme: Theme, themes: [String: Theme] = [:],
                venue: Venue = .standard, tuning: Tuning = .standard, seed: UInt64?,
                version: String, devices: DeviceRules = DeviceRules(), recognizesGestures: Bool = true) {
        self.output = output
        self.rate = rate
        self.socket = socket
        self.access = access
        self.limits = limits
        self.webSocket = webSocket
        self.osc = osc
        self.oscSocket = oscSocket
        self.metrics = metrics
        self.sessions = sessions
        self.retention = retention
        self.state = state
        self.idle = idle
        self.maxHold = maxHold
        self.experience = experience
        self.theme = theme
        self.themes = themes
        self.venue = venue
        self.tuning = tuning
        self.seed = seed
        self.version = version
        self.devices = devices
        self.recognizesGestures = recognizesGestures
    }
}

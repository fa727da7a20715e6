import AudioOutput
import Classifier
import ControlSocket
import Evdev
import Experience
import Fields
import Files
import HTTPServer
import JournalFile
import Offline
import Settings
import Signals
import SignedReceipts
import SoundFile
import SystemPackage
import Systemd
import ThemeFile
import Units
import Venue
import Wire

/// All settings of the live engine.
@dynamicMemberLookup
public struct LiveSettings: Sendable {
    public struct HTTP: Sendable {
        public var endpoint: Endpoint
        public var access: HTTPAccess
        /// The pieces' pages; nil where there are none.
        public var pages: Pages?
        /// The files that pages share; nil where there are none.
        public var kit: Pages?
        /// The documentation as pages; nil where there is none.
        public var docs: Pages?
        /// Makes the file of `/support`, as in `HTTPServer.Settings`; nil where there is no such file.
        public var support: (@Sendable (Identity) throws -> CInt)?

        public init(endpoint: Endpoint, access: HTTPAccess, pages: Pages?, kit: Pages? = nil, docs: Pages? = nil) {
            self.endpoint = endpoint
            self.access = access
            self.pages = pages
            self.kit = kit
            self.docs = docs
        }
    }

    public struct OSC: Sendable {
        public var address: String
        public var port: Int
        /// The addresses whose senders are operators. They may do what OSC allows operators.
        public var operators: Set<HostAddress>

        public init(address: String, port: Int, operators: Set<HostAddress> = []) {
            self.address = address
            self.port = port
            self.operators = operators
        }
    }

    public enum Socket: Sendable {
        /// A socket at this path. `makesDirectory` says whether a missing directory is made.
        case path(String, makesDirectory: Bool = false)
        /// A socket on which systemd listens already.
        case passed(PassedSocket)

        public var path: String {
            switch self {
            case .path(let path, _): path
            case .passed(let passed): passed.path
            }
        }
    }

    /// The settings of `SettingsCatalog`. Each is also a property of this type, under its name in the catalog.
    public var values: SettingValues
    /// The sample rate. It is a stored property because each event needs it, and because the card may choose it.
    public internal(set) var rate: SampleRate
    /// The control socket.
    public var socket: Socket
    /// Who may connect to the control socket.
    public var access: PeerAccess
    /// The server for browsers, metrics and health; nil where the settings switch it off.
    public var http: HTTP?
    /// The directory for the journals, one for each recorded session.
    public var sessions: String
    /// The directory for the state database and the key of the journals; nil where no state is stored.
    public var state: String?
    public var piece: any Experience.Type
    public var theme: Theme
    /// The themes that can be chosen, by name.
    public var themes: [String: Theme]
    /// The patterns that replace those of every theme, by name.
    public var patterns: [String: HapticPattern] = [:]
    /// Opening hours, presets, and the hearing guard's limits.
    public var venue: Venue
    /// The model by which the piece predicts.
    public var prediction = Prediction()
    /// The initial values of the piece's knobs.
    public var knobs: KnobSettings
    public var version: String
    public var devices: DeviceRules
    /// Verifies receipts of purchases; nil where purchases are not possible.
    public var receipts: ReceiptVerifier?

    /// The outputs on which `thrum kiosk` shows pages, by name.
    public var kioskScreens: [String] = []
    /// The settings as clients get them, each with its source, in the order of the documentation.
    public var reports: [SettingReport] = []
    /// The sounds that were left out of the themes, by path, and why their files cannot be read.
    var unreadableSounds: [String: String] = [:]

    public init(_ values: SettingValues, piece: any Experience.Type, socket: Socket, access: PeerAccess = PeerAccess(),
                http: HTTP? = nil, sessions: String, state: String? = nil, theme: Theme, themes: [String: Theme] = [:],
                venue: Venue = .standard, knobs: KnobSettings = .standard, version: String, devices: DeviceRules = DeviceRules(),
                receipts: ReceiptVerifier? = nil) {
        self.values = values
        self.piece = piece
        rate = values.rate
        self.socket = socket
        self.access = access
        self.http = http
        self.sessions = sessions
        self.state = state
        self.theme = theme
        self.themes = themes
        self.venue = venue
        self.knobs = knobs
        self.version = version
        self.devices = devices
        self.receipts = receipts
    }

    public subscript<Value>(dynamicMember path: KeyPath<SettingsCatalog, Setting<Value>>) -> Value { values[dynamicMember: path] }
}

// What several settings make together.
extension LiveSettings {
    public var output: Output {
        switch values.output {
        case .null: .null(speed: values.nullSpeed)
        case .alsa(let device): .alsa(AlsaSettings(device: device, queue: values.queue, transducers: values.transducer))
        case .pulse:
            .pulse(PulseSettings(server: values.server, sink: values.sink, queue: values.queue, sinkLatency: values.sinkLatency,
                                 transducers: values.transducer, revises: values.revises))
        }
    }

    public var limits: Limits {
        Limits(clients: values.maxClients, line: values.maxLine, rate: values.maxRate, subscribers: values.maxSubscribers)
    }

    /// The address at which a browser finds the piece's page; nil where none is served. If `http` listens on every address of this machine,
    /// the page's address has the first of the machine's names (`http-names`), or else `localhost`.
    var pageAddress: String? {
        piece.declaration.page.flatMap { page in pagesAddress.map { "\($0)\(page)/" } }
    }

    /// The address at which a browser finds the console; nil where no pages are served.
    var consoleAddress: String? { pagesAddress.map { $0 + "console/" } }

    private var pagesAddress: String? {
        guard let http, http.pages != nil else { return nil }
        var endpoint = http.endpoint
        if ["0.0.0.0", "::"].contains(endpoint.address) { endpoint.address = Self.words(values.httpNames).first ?? "localhost" }
        return "http://\(endpoint.host)/"
    }

    /// The address and UDP port for music software; nil where the settings give no port.
    public var osc: OSC? {
        let operators = Set(Self.words(values.oscOperators).compactMap { HostAddress($0) })
        return values.osc.map { OSC(address: values.oscAddress, port: $0, operators: operators) }
    }

    /// The destinations of the OSC messages that tell what happens.
    public var oscDestinations: [OSCSender.Destination] { Self.words(values.oscOut).compactMap { OSCSender.Destination($0) } }

    /// Returns the words of a comma-separated list.
    public static func words(_ list: String?) -> [String] {
        (list ?? "").split(separator: ",").map { String($0.drop { $0 == " " }) }
    }

    public var retention: Retention { Retention(bytes: Int64(values.journalSpace) << 20, age: values.journalAge) }

    /// Whether haptic patterns go to a channel of the sink as well.
    var hasTransducer: Bool { !transducers.isEmpty }
    var transducers: [Int] { output.transducers }
}

extension LiveSettings {
    /// Returns the settings without the sounds whose files cannot be read now. So journals contain only what is heard, and a later reload
    /// that can read the sounds finds a changed theme.
    func withReadableSounds() -> LiveSettings {
        var settings = self
        // Several patterns may have the same sound.
        var checked: [String: String?] = [:]
        // Without this each file on a file system that hangs would take the whole time limit.
        var hangs = false
        func refusal(of path: String) -> String? {
            if let known = checked[path] { return known }
            let reason = hangs ? "not tried, because another sound did not answer" : Self.refusal(of: path)
            if reason?.contains("\(BlockingWork.noAnswer)") == true { hangs = true }
            checked[path] = .some(reason)
            return reason
        }
        func readable(_ theme: Theme) -> Theme {
            var theme = theme
            theme.haptics = theme.haptics.mapValues { pattern in
                var pattern = pattern
                pattern.sounds.removeAll { sound in
                    guard case .file(let path) = sound.source, let reason = refusal(of: path) else { return false }
                    settings.unreadableSounds[path] = reason
                    return true
                }
                return pattern
            }
            return theme
        }
        settings.unreadableSounds = [:]
        settings.theme = readable(theme)
        settings.themes = themes.mapValues(readable)
        return settings
    }

    /// Returns why a sound file cannot be read; nil when it can.
    private static func refusal(of path: String) -> String? {
        do {
            try SoundFileReader.check(path)
            return nil
        } catch {
            return "\(error)"
        }
    }
}

extension LiveSettings {
    /// The model by which the piece predicts, according to the settings.
    public struct Prediction: Sendable {
        /// The model; nil for the piece's standard model.
        public var model: PredictionModel?
        /// The bytes of the learned model's file, until they are stored beside the journals. The file itself may have changed since it was
        /// read.
        public var bytes: [UInt8]?
        /// Why the file in the settings is not used, in words; nil where it is used.
        public var refusal: String?
        /// Why the model's file could not be stored beside the journals, in words; nil where it could.
        var saveFailure: String?

        public init(model: PredictionModel? = nil, bytes: [UInt8]? = nil, refusal: String? = nil) {
            self.model = model
            self.bytes = bytes
            self.refusal = refusal
        }

        /// The issues of the model, in words.
        var issues: [String] { [refusal, saveFailure].compactMap { $0 } }
    }

    /// The model for the status; nil for a piece that predicts nothing.
    var reportedModel: StatusReport.Model? {
        piece.declaration.prediction.map { prediction.model ?? $0.standard }.map { StatusReport.Model(name: $0.name, digest: $0.digest) }
    }

    /// Returns the settings after storing the file of their learned model beside the journals, so that sessions can be replayed. May wait
    /// for a disk. If the file cannot be stored, the returned settings contain the reason.
    func withKeptModel() -> LiveSettings {
        guard case .learned(let classifier)? = prediction.model, let bytes = prediction.bytes else { return self }
        var settings = self
        settings.prediction.bytes = nil
        do {
            try BlockingWork.wait { [folder = FilePath(sessions)] in try classifier.keep(bytes, in: folder) }
        } catch {
            settings.prediction.saveFailure = "the model \(classifier.name) could not be kept in \(sessions)/models, "
                + "without which its sessions are not replayed: \(error)"
        }
        return settings
    }
}

extension Classifier {
    /// Stores `bytes`, the file of this classifier, in the folder of the journals, unless they are there already. Replaces a damaged copy.
    /// A reader finds all bytes or no file. Throws `Errno`.
    func keep(_ bytes: [UInt8], in folder: FilePath) throws {
        let path = ReplayModel.file(digest: digest, in: folder)
        if let kept = try? PlainFile.bytes(of: path, atMost: bytes.count), kept == bytes { return }
        try PlainFile.replace(path, with: bytes, [.ownerReadWrite, .groupRead])
    }
}

extension Theme {
    /// Returns the theme with the settings applied: with their `patterns`, and limited to their ceiling.
    public func fitted(_ patterns: [String: HapticPattern], ceiling: Decibels?) -> Theme {
        var theme = self
        theme.haptics.merge(patterns) { $1 }
        if let ceiling { theme.ceiling = min(theme.ceiling, ceiling) }
        return theme
    }
}

extension LiveSettings {
    /// Returns the theme that a file with the text `yaml` has, fitted and checked. May read the sounds that the theme names, which may take
    /// a while. Throws `FileFault` and `Fault`.
    func theme(of yaml: String) throws -> Theme {
        let file = try ThemeFile(Array(yaml.utf8), path: "yaml") { _ in
            throw Fault(field: "", expected: "the pattern itself, because its file may be out of reach")
        }
        let theme = file.theme.fitted(patterns, ceiling: values.ceiling)
        try theme.check(for: piece.declaration)
        return theme
    }
}

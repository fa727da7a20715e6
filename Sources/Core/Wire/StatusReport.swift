import Signals

/// The answer to `status`: the state of the engine, for people and scripts. Counters have counted since the daemon's start. The meanings of
/// the fields are declared below, as `StatusField`, together with their metrics.
public struct StatusReport: Codable, Equatable, Sendable {
    public struct Session: Codable, Equatable, Sendable {
        public var journal: String?
        public var seconds: Double
        public var events: Int
        public var isHeld: Bool

        public init(journal: String?, seconds: Double, events: Int, isHeld: Bool) {
            self.journal = journal
            self.seconds = seconds
            self.events = events
            self.isHeld = isHeld
        }
    }

    /// Counts forced releases, by the reason: the engine has released the fingers and tones of a client or a touchscreen.
    public struct Released: Codable, Equatable, Sendable {
        public var held: UInt64
        public var silent: UInt64
        public var unread: UInt64

        public init(held: UInt64 = 0, silent: UInt64 = 0, unread: UInt64 = 0) {
            self.held = held
            self.silent = silent
            self.unread = unread
        }
    }

    /// Counts refused requests whose senders may not know why.
    public struct Refused: Codable, Equatable, Sendable {
        public var hosts: UInt64
        public var origins: UInt64
        public var tokens: UInt64
        public var notifications: UInt64
        public var lastNotification: String?
        public var clients: UInt64
        public var rates: UInt64

        public init(hosts: UInt64 = 0, origins: UInt64 = 0, tokens: UInt64 = 0, notifications: UInt64 = 0,
                    lastNotification: String? = nil, clients: UInt64 = 0, rates: UInt64 = 0) {
            self.hosts = hosts
            self.origins = origins
            self.tokens = tokens
            self.notifications = notifications
            self.lastNotification = lastNotification
            self.clients = clients
            self.rates = rates
        }
    }

    /// A page that reports the frames that it draws.
    public struct Page: Codable, Equatable, Sendable {
        public var client: Int
        public var name: String?
        public var frames: Int
        public var secondsSinceFrame: Double
        public var screen: String?

        public init(client: Int, name: String?, frames: Int, secondsSinceFrame: Double, screen: String? = nil) {
            self.client = client
            self.name = name
            self.screen = screen
            self.frames = frames
            self.secondsSinceFrame = secondsSinceFrame
        }
    }

    /// The kiosk of this machine.
    public struct Kiosk: Codable, Equatable, Sendable {
        /// The latest report of the kiosk.
        public var report: KioskReport
        public var secondsSinceReport: Double

        public init(report: KioskReport, secondsSinceReport: Double) {
            self.report = report
            self.secondsSinceReport = secondsSinceReport
        }
    }

    /// The public key with which anybody can check the journals that this box signs.
    public struct JournalKey: Codable, Equatable, Sendable {
        public var fingerprint: String
        public var pem: String

        public init(fingerprint: String, pem: String) {
            self.fingerprint = fingerprint
            self.pem = pem
        }
    }

    /// The model by which the piece predicts.
    public struct Model: Codable, Equatable, Sendable {
        public var name: String
        /// The SHA-256 of the model's file, in hexadecimal digits; nil for a model that the piece itself has.
        public var digest: String?

        public init(name: String, digest: String? = nil) {
            self.name = name
            self.digest = digest
        }
    }

    public var version = ""
    public var experience = ""
    /// The model by which the next visit is predicted; nil for a piece that predicts nothing.
    public var model: Model?
    public var uptimeSeconds = 0.0
    public var clients = 0
    public var pageAddress: String?
    /// The pages, ordered by the numbers of their clients.
    public var pages: [Page] = []
    /// The kiosk; nil where none has reported.
    public var kiosk: Kiosk?
    public var output = Output()
    /// The current session; nil between visitors.
    public var session: Session?
    public var sessions = 0
    public var synth = EngineCounters()
    public var devices = Devices()
    public var house: HouseReport
    public var released = Released()
    public var refused = Refused()
    public var lostEntries: UInt64 = 0
    public var reopenedListeners: UInt64 = 0
    public var disturbedJournals = 0
    /// The key with which journals are signed; nil where they are not signed.
    public var journalKey: JournalKey?
    public var issues: [String] = []

    public init(house: HouseReport) { self.house = house }
}

extension StatusField {
    static let daemon: [StatusField] = [
        .gauge("", "always 1: the daemon answers", "thrum_up") { _ in 1 },
        .info("version", "the daemon's version", "thrum_build_info") { ["version": $0.version] },
        .field("experience", "the piece that runs"),
        .field("model.name", "by what the next visit is predicted; left out for a piece that predicts nothing"),
        .field("model.digest", "SHA-256 of the model's file, in hexadecimal digits; left out for a model of the piece's own"),
        .gauge("uptimeSeconds", "seconds since the daemon's start", "thrum_uptime_seconds", \.uptimeSeconds),
        .gauge("clients", "clients that are connected", also: "the one that asks included", "thrum_clients") { Double($0.clients) },
        .field("pageAddress", "where a browser finds the piece's page; left out while none is served"),
        .field("pages.client", "the client's number"),
        .field("pages.name", "what it called itself in hello; left out where it did not"),
        .page("pages.frames", "frames that a page has drawn", also: "since it was loaded", "thrum_page_frames_total", .counter) {
            Double($0.frames)
        },
        .page("pages.secondsSinceFrame", "seconds since a page last told of a new frame", "thrum_page_frame_age_seconds", .gauge) {
            $0.secondsSinceFrame
        },
        .field("pages.screen", "the kiosk's name for the screen that it is on; left out where it is on none"),
        .samples("released", "clients and touchscreens that the engine released by itself", "thrum_released_total", .counter) { report in
            [("held", report.released.held), ("silent", report.released.silent), ("unread", report.released.unread)].map {
                Metric.Sample(labels: ["reason": $0.0], value: Double($0.1))
            }
        },
        .field("released.held", "clients and touchscreens that held something for longer than max-hold without a sign of life"),
        .field("released.silent", "clients from which nothing came for as long as their ping allows"),
        .field("released.unread", "clients that did not read what they were sent"),
        .counter("refused.notifications", "requests without an id that were refused: they got no answer",
                 "thrum_refused_notifications_total") { Double($0.refused.notifications) },
        .field("refused.lastNotification", "why the last of them was refused, in words for people; left out where none was"),
        .counter("refused.clients", "clients that were turned away for want of a place",
                 also: "and those that may only watch and stop because of it", "thrum_refused_clients_total") {
            Double($0.refused.clients)
        },
        .counter("refused.rates", "what others than operators did faster than people can", "thrum_refused_rates_total") {
            Double($0.refused.rates)
        },
        .samples("refused", "requests over HTTP that were refused because of who asks", "thrum_refused_requests_total",
                 .counter) { report in
            [("host", report.refused.hosts), ("origin", report.refused.origins), ("token", report.refused.tokens)].map {
                Metric.Sample(labels: ["reason": $0.0], value: Double($0.1))
            }
        },
        .field("refused.hosts", "requests over HTTP for a name that is not this machine's"),
        .field("refused.origins", "requests over HTTP of pages from elsewhere"),
        .field("refused.tokens", "requests over HTTP with a wrong token, without one that was needed, or after too many wrong ones"),
        .field("issues", "what is not as it should be, in words for people; empty when all is well"),
        .gauge("", "things that are not as they should be; /health says which", "thrum_issues") { Double($0.issues.count) },
    ]

    private static func page(_ path: String, _ about: String, also: String? = nil, _ metric: String, _ kind: Metric.Kind,
                             _ value: @escaping @Sendable (StatusReport.Page) -> Double) -> StatusField {
        samples(path, about, also: also, metric, kind) { report in
            report.pages.map { Metric.Sample(labels: ["client": "\($0.client)", "name": $0.name ?? ""], value: value($0)) }
        }
    }

    static let session: [StatusField] = [
        .counter("sessions", "visitors' sessions", "thrum_sessions_total") { Double($0.sessions) },
        .flag("session", "whether there is a session now", "thrum_session_active") { $0.session != nil },
        .field("session.journal", "the path of its journal; left out while there is no such file"),
        .gauge("session.seconds", "how long the session has lasted", "thrum_session_seconds") { $0.session?.seconds ?? 0 },
        .gauge("session.events", "events of the session", "thrum_session_events") { Double($0.session?.events ?? 0) },
        .flag("session.isHeld", "whether a finger is down or a tone is held", "thrum_session_held") { $0.session?.isHeld ?? false },
        .counter("lostEntries", "journal entries that are in no file", "thrum_journal_lost_entries_total") { Double($0.lostEntries) },
        .counter("disturbedJournals", "journals that others changed while they were written", also: "and that were set aside",
                 "thrum_journals_disturbed_total") { Double($0.disturbedJournals) },
        .field("journalKey.fingerprint", "SHA-256 of the key in DER, in hexadecimal digits; signed journals name it"),
        .field("journalKey.pem", "the public key by which journals are signed"),
        .counter("reopenedListeners", "listening sockets that were lost and opened again",
                 also: "for example because their file was removed", "thrum_reopened_listeners_total") { Double($0.reopenedListeners) },
    ] + counters("synth", EngineCounters.fields, \.synth)

    static let kiosk: [StatusField] = [
        .samples("kiosk.report.restarts", "times that a kiosk has started something anew, by cause", "thrum_kiosk_restarts_total",
                 .counter) { report in
            (report.kiosk?.report.restarts ?? [:]).sorted { $0.key < $1.key }.map { cause, count in
                Metric.Sample(labels: ["cause": cause], value: Double(count))
            }
        },
        .field("kiosk.report.lastCause", "why something was last started anew; left out where there was none"),
        .field("kiosk.report.screens.name", "the kiosk's name for the screen, or any"),
        .screen("kiosk.report.screens.isDrawing", "whether the page on a kiosk's screen draws", "thrum_kiosk_drawing") {
            $0.isDrawing ? 1 : 0
        },
        .screen("kiosk.report.screens.memory", "what a screen's browser takes up", also: "in bytes", "thrum_kiosk_memory_bytes") {
            Double($0.memory)
        },
        .field("kiosk.report.screens.issue", "why nothing new is seen on it, for people; left out where it draws, or is off"),
        .gauge("kiosk.report.areScreensOn", "whether a kiosk's screens are lit", "thrum_kiosk_screens_on") {
            $0.kiosk.map { $0.report.areScreensOn ? 1 : 0 }
        },
        .gauge("kiosk.secondsSinceReport", "seconds since a kiosk last reported", "thrum_kiosk_report_age_seconds") {
            $0.kiosk?.secondsSinceReport
        },
    ] + KioskReport.Cause.allCases.map { .field("kiosk.report.restarts.\($0.rawValue)", "restarts because of it, since the kiosk's start") }

    private static func screen(_ path: String, _ about: String, also: String? = nil, _ metric: String,
                               _ value: @escaping @Sendable (KioskReport.Screen) -> Double) -> StatusField {
        samples(path, about, also: also, metric, .gauge) { report in
            (report.kiosk?.report.screens ?? []).map { Metric.Sample(labels: ["screen": $0.name], value: value($0)) }
        }
    }
}

import Signals

/// The answer to `status`: how the engine is, for people and scripts. Counters count since the daemon's start.
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

    /// Counts the clients and touchscreens whose fingers and tones the engine released by itself, by reason.
    public struct Released: Codable, Equatable, Sendable {
        /// Releases of clients that held something for longer than `max-hold` without a sign of life.
        public var held: UInt64
        /// Releases of clients from which nothing came for as long as their `ping` allows.
        public var silent: UInt64
        /// Releases of clients that did not read what they were sent.
        public var unread: UInt64

        public init(held: UInt64 = 0, silent: UInt64 = 0, unread: UInt64 = 0) {
            self.held = held
            self.silent = silent
            self.unread = unread
        }
    }

    /// Counts requests that were refused, whose senders may not know why.
    public struct Refused: Codable, Equatable, Sendable {
        /// HTTP requests for a name that is not this machine's, refused with status 401, 403 or 429.
        public var hosts: UInt64
        /// HTTP requests of pages from elsewhere.
        public var origins: UInt64
        /// HTTP requests with a wrong token, without one where one is needed, or after too many wrong ones.
        public var tokens: UInt64
        /// Requests without an id, of all clients. They get no answer.
        public var notifications: UInt64
        /// The reason why the last of these requests was refused; nil where none was.
        public var lastNotification: String?
        /// Clients that were turned away for want of a place, with those that were admitted only to watch and stop because of it.
        public var clients: UInt64
        /// Requests of visitors and players that came faster than people can act.
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

    /// A page that reports the frames it has drawn.
    public struct Page: Codable, Equatable, Sendable {
        public var client: Int
        /// The name that the page gave in `hello`; nil when it gave none.
        public var name: String?
        /// The number of frames drawn since the page was loaded.
        public var frames: Int
        /// The seconds since the page last reported a new frame.
        public var secondsSinceFrame: Double
        /// The kiosk's name for the screen that it is on; nil where it is on none.
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
        /// The kiosk's last report.
        public var report: KioskReport
        public var secondsSinceReport: Double

        public init(report: KioskReport, secondsSinceReport: Double) {
            self.report = report
            self.secondsSinceReport = secondsSinceReport
        }
    }

    /// The public half of the key by which this box signs its journals.
    public struct JournalKey: Codable, Equatable, Sendable {
        /// SHA-256 of the key in DER, in hexadecimal digits.
        public var fingerprint: String
        public var pem: String

        public init(fingerprint: String, pem: String) {
            self.fingerprint = fingerprint
            self.pem = pem
        }
    }

    public var version = ""
    /// The piece that runs, by name.
    public var experience = ""
    public var uptimeSeconds = 0.0
    public var clients = 0
    /// The address at which a browser finds the piece's page; nil where no page is served now.
    public var pageAddress: String?
    /// The pages in the order of their clients' numbers.
    public var pages: [Page] = []
    /// The kiosk; nil where none has reported.
    public var kiosk: Kiosk?
    public var output = Output()
    /// The session under way; nil between visitors.
    public var session: Session?
    public var sessions = 0
    public var synth = EngineCounters()
    public var devices = Devices()
    public var house: HouseReport
    public var released = Released()
    public var refused = Refused()
    /// Journal entries that are in no file.
    public var lostEntries: UInt64 = 0
    /// Listening sockets that were lost, for example because their file was removed, and opened again.
    public var reopenedListeners: UInt64 = 0
    /// Journals that were set aside because others had changed them while they were written.
    public var disturbedJournals = 0
    /// The key by which journals are signed; nil where they are not.
    public var journalKey: JournalKey?
    /// Everything that is not as it should be, in words; empty when all is well.
    public var issues: [String] = []

    public init(house: HouseReport) { self.house = house }
}

extension Metric {
    static let daemon: [Metric] = [
        .gauge("thrum_up", "Always 1: the daemon answers.") { _ in 1 },
        .info("thrum_build_info", "The daemon's version.") { ["version": $0.version] },
        .gauge("thrum_uptime_seconds", "Since the daemon's start.", \.uptimeSeconds),
        .gauge("thrum_clients", "Clients that are connected.") { Double($0.clients) },
        Metric("thrum_page_frames_total", .counter, "Frames that a page has drawn.") { report in
            report.pages.map { Sample(labels: ["client": "\($0.client)", "name": $0.name ?? ""], value: Double($0.frames)) }
        },
        Metric("thrum_page_frame_age_seconds", .gauge, "Since a page last told of a new frame.") { report in
            report.pages.map { Sample(labels: ["client": "\($0.client)", "name": $0.name ?? ""], value: $0.secondsSinceFrame) }
        },
        Metric("thrum_released_total", .counter, "Clients and touchscreens that the engine released by itself.") { report in
            [("held", report.released.held), ("silent", report.released.silent), ("unread", report.released.unread)].map {
                Sample(labels: ["reason": $0.0], value: Double($0.1))
            }
        },
        .counter("thrum_refused_notifications_total", "Requests without an id that were refused: they got no answer.") {
            Double($0.refused.notifications)
        },
        .counter("thrum_refused_clients_total", "Clients that were turned away for want of a place.") { Double($0.refused.clients) },
        .counter("thrum_refused_rates_total", "What visitors and players did faster than people can.") { Double($0.refused.rates) },
        Metric("thrum_refused_requests_total", .counter, "Requests over HTTP that were refused because of who asks.") { report in
            [("host", report.refused.hosts), ("origin", report.refused.origins), ("token", report.refused.tokens)].map {
                Sample(labels: ["reason": $0.0], value: Double($0.1))
            }
        },
        .gauge("thrum_issues", "Things that are not as they should be; /health says which.") { Double($0.issues.count) },
    ]

    static let session: [Metric] = [
        .counter("thrum_sessions_total", "Visitors' sessions.") { Double($0.sessions) },
        .flag("thrum_session_active", "Whether there is a session now.") { $0.session != nil },
        .gauge("thrum_session_seconds", "How long it has lasted; 0 between visitors.") { $0.session?.seconds ?? 0 },
        .gauge("thrum_session_events", "Its events; 0 between visitors.") { Double($0.session?.events ?? 0) },
        .flag("thrum_session_held", "Whether a finger is down or a tone is held.") { $0.session?.isHeld ?? false },
        .counter("thrum_journal_lost_entries_total", "Journal entries that are in no file.") { Double($0.lostEntries) },
        .counter("thrum_journals_disturbed_total", "Journals that others changed while they were written.") {
            Double($0.disturbedJournals)
        },
        .counter("thrum_reopened_listeners_total", "Listening sockets that were lost and opened again.") {
            Double($0.reopenedListeners)
        },
    ] + counters(EngineCounters.fields, \.synth)

    static let kiosk: [Metric] = [
        Metric("thrum_kiosk_restarts_total", .counter, "Times that a kiosk has started something anew, by cause.") { report in
            (report.kiosk?.report.restarts ?? [:]).sorted { $0.key < $1.key }.map { cause, count in
                Sample(labels: ["cause": cause], value: Double(count))
            }
        },
        Metric("thrum_kiosk_drawing", .gauge, "Whether the page on a kiosk's screen draws.") { report in
            (report.kiosk?.report.screens ?? []).map { Sample(labels: ["screen": $0.name], value: $0.isDrawing ? 1 : 0) }
        },
        Metric("thrum_kiosk_memory_bytes", .gauge, "What a screen's browser takes up.") { report in
            (report.kiosk?.report.screens ?? []).map { Sample(labels: ["screen": $0.name], value: Double($0.memory)) }
        },
        .gauge("thrum_kiosk_screens_on", "Whether a kiosk's screens are lit, 1 for yes.") {
            $0.kiosk.map { $0.report.areScreensOn ? 1 : 0 }
        },
        .gauge("thrum_kiosk_report_age_seconds", "Since a kiosk last reported.") { $0.kiosk?.secondsSinceReport },
    ]
}

/// The answer to `status`: how the engine is, for people and scripts. Counters count since the daemon's start.
public struct StatusReport: Codable, Equatable, Sendable {
    public struct Output: Codable, Equatable, Sendable {
        public enum Kind: String, CaseIterable, Codable, Sendable {
            case pulse, alsa, null
        }

        public enum State: String, CaseIterable, Codable, Sendable {
            case connected
            /// For a sound server, or a card.
            case waiting
            case null
        }

        public var kind: Kind
        public var state: State
        /// Why it is waiting, in words; nil when it is not.
        public var issue: String?
        /// Who plays, in the server's own words; nil while it waits.
        public var server: String?
        public var sink: String?
        /// Whether the sink, or our stream on it, is muted by another program.
        public var isMutedByOthers: Bool
        /// What the volumes of sink and stream come to, in dB; 0 leaves everything as it is, −120 is silence.
        public var volumeByOthers: Double
        /// Whether the server has suspended the sink, or the machine slept and its card is not back yet: it takes nothing.
        public var isSuspended: Bool
        /// The peak of the sink's monitor in the last 200 ms, in dBFS, from −120 on; nil while it is not listened to.
        public var monitorPeak: Double?
        public var sampleRate: Int
        /// Whether queued audio is overwritten when an event comes; if not, a short queue is used.
        public var isRevising: Bool
        /// Whether the render thread has real-time priority.
        public var isRealtime: Bool
        public var latency: Latency
        public var rewrites: UInt64
        /// Changes that reached the server after their frame had been taken.
        public var lateRewrites: UInt64
        /// Events that took effect after the frame they were due at.
        public var lateEvents: UInt64
        public var connections: UInt64
        public var underruns: UInt64
        /// Of the render thread.
        public var wakeUpsPerSecond: Double

        public init(kind: Kind, state: State, issue: String?, server: String?, sink: String?, isMutedByOthers: Bool = false,
                    volumeByOthers: Double = 0, isSuspended: Bool = false, monitorPeak: Double? = nil, sampleRate: Int,
                    isRevising: Bool, isRealtime: Bool, latency: Latency, rewrites: UInt64, lateRewrites: UInt64,
                    lateEvents: UInt64, connections: UInt64, underruns: UInt64, wakeUpsPerSecond: Double) {
            self.kind = kind
            self.state = state
            self.issue = issue
            self.server = server
            self.sink = sink
            self.isMutedByOthers = isMutedByOthers
            self.volumeByOthers = volumeByOthers
            self.isSuspended = isSuspended
            self.monitorPeak = monitorPeak
            self.sampleRate = sampleRate
            self.isRevising = isRevising
            self.isRealtime = isRealtime
            self.latency = latency
            self.rewrites = rewrites
            self.lateRewrites = lateRewrites
            self.lateEvents = lateEvents
            self.connections = connections
            self.underruns = underruns
            self.wakeUpsPerSecond = wakeUpsPerSecond
        }
    }

    public struct Latency: Codable, Equatable, Sendable {
        /// From an event to its first sample leaving the sink, as the server knows it.
        public var touchToSoundMilliseconds: Double
        /// From the sample being heard to the first that can still be changed.
        public var marginMilliseconds: Double
        /// Rendered ahead.
        public var queuedMilliseconds: Double
        /// The most the sink has lately taken at once.
        public var sinkBlockMilliseconds: Double
        /// Root mean square of what the clock's predictions are off by.
        public var clockErrorMicroseconds: Double
        /// Of the server's clock against the system's.
        public var driftPartsPerMillion: Double
        /// From an event that says when it happened to its sound being written: half of the last 32 took no longer.
        public var touchToRewriteMilliseconds: Double

        public init(touchToSoundMilliseconds: Double, touchToRewriteMilliseconds: Double, marginMilliseconds: Double,
                    queuedMilliseconds: Double,
                    sinkBlockMilliseconds: Double, clockErrorMicroseconds: Double, driftPartsPerMillion: Double) {
            self.touchToSoundMilliseconds = touchToSoundMilliseconds
            self.touchToRewriteMilliseconds = touchToRewriteMilliseconds
            self.marginMilliseconds = marginMilliseconds
            self.queuedMilliseconds = queuedMilliseconds
            self.sinkBlockMilliseconds = sinkBlockMilliseconds
            self.clockErrorMicroseconds = clockErrorMicroseconds
            self.driftPartsPerMillion = driftPartsPerMillion
        }
    }

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

    public struct Synth: Codable, Equatable, Sendable {
        /// Of the running session.
        public var stolenNotes: UInt64
        public var refusedNotes: UInt64
        public var limitedFrames: UInt64
        /// Haptic patterns that the synth left out because 16 others were heard or felt on a transducer.
        public var refusedPatterns: UInt64
        /// Textures that the synth left out because four others sounded.
        public var refusedTextures: UInt64
        /// Events refused, and commands left out, because they came faster than they could be played.
        public var overload: UInt64

        public init(stolenNotes: UInt64, refusedNotes: UInt64, limitedFrames: UInt64, refusedPatterns: UInt64, refusedTextures: UInt64,
                    overload: UInt64) {
            self.stolenNotes = stolenNotes
            self.refusedNotes = refusedNotes
            self.limitedFrames = limitedFrames
            self.refusedPatterns = refusedPatterns
            self.refusedTextures = refusedTextures
            self.overload = overload
        }
    }

    /// Touchscreens that are read, and what plays haptic patterns.
    public struct Devices: Codable, Equatable, Sendable {
        public var touchscreens: [Touchscreen]
        public var motors: [Motor]
        /// Those that could be used as something, and are not.
        public var unused: [UnusedDevice]
        /// Asked for, whether or not there is a device that plays them.
        public var patterns: UInt64
        /// Input devices that may not be opened.
        public var refused: Int
        /// Rules of the settings for which there is no device.
        public var missing: [String]
        /// Channels of the sink that carry patterns, from 1.
        public var transducers: [Int]

        public init(touchscreens: [Touchscreen], motors: [Motor], unused: [UnusedDevice], patterns: UInt64, refused: Int,
                    missing: [String], transducers: [Int]) {
            self.touchscreens = touchscreens
            self.motors = motors
            self.unused = unused
            self.patterns = patterns
            self.refused = refused
            self.missing = missing
            self.transducers = transducers
        }
    }

    public struct Touchscreen: Codable, Equatable, Sendable {
        public var name: String
        public var node: String
        /// Times that the kernel had to drop events, because they were not read in time; no finger was lost by it.
        public var drops: Int

        public init(name: String, node: String, drops: Int) {
            self.name = name
            self.node = node
            self.drops = drops
        }
    }

    /// An input device that could be used as something, and is not.
    public struct UnusedDevice: Codable, Equatable, Sendable {
        public var name: String
        public var node: String
        /// Why, in words.
        public var reason: String
        /// The rule for the settings file that would use it; nil where none would.
        public var rule: String?

        public init(name: String, node: String, reason: String, rule: String?) {
            self.name = name
            self.node = node
            self.reason = reason
            self.rule = rule
        }
    }

    /// A force-feedback device. Counters count since it was plugged in.
    public struct Motor: Codable, Equatable, Sendable {
        public var name: String
        public var node: String
        public enum Drive: String, CaseIterable, Codable, Sendable {
            case sine, rumble, constant
        }

        public var drive: Drive
        /// Effects its memory has room for, and those it holds.
        public var slots: Int
        public var held: Int
        public var plays: UInt64
        /// Effects not played, because the device was busy or refused them.
        public var missed: UInt64
        public var uploads: UInt64
        /// From a touch on one of the touchscreens, by the kernel's time, to its effect being started: of the last 128 half took no
        /// longer. Nil when there was none.
        public var touchToEffectMilliseconds: Double?
        /// What is wrong with it, in words; nil when nothing is.
        public var issue: String?

        public init(name: String, node: String, drive: Drive, slots: Int, held: Int, plays: UInt64, missed: UInt64, uploads: UInt64,
                    touchToEffectMilliseconds: Double?, issue: String?) {
            self.name = name
            self.node = node
            self.drive = drive
            self.slots = slots
            self.held = held
            self.plays = plays
            self.missed = missed
            self.uploads = uploads
            self.touchToEffectMilliseconds = touchToEffectMilliseconds
            self.issue = issue
        }
    }

    /// Clients and touchscreens whose fingers and tones the engine released by itself, by reason.
    public struct Released: Codable, Equatable, Sendable {
        /// They held something for longer than `max-hold` without a sign of life.
        public var held: UInt64
        /// Nothing came from them for as long as their `ping` allows.
        public var silent: UInt64
        /// They did not read what they were sent.
        public var unread: UInt64

        public init(held: UInt64 = 0, silent: UInt64 = 0, unread: UInt64 = 0) {
            self.held = held
            self.silent = silent
            self.unread = unread
        }
    }

    /// Requests that were refused, and of which whoever made them may not have been told why.
    public struct Refused: Codable, Equatable, Sendable {
        /// Over HTTP, with status 401, 403 or 429: for a name that is not this machine's.
        public var hosts: UInt64
        /// Of pages from elsewhere.
        public var origins: UInt64
        /// With a wrong token, without one where one is needed, or after too many wrong ones.
        public var tokens: UInt64
        /// Of all clients' requests without an id, which get no answer.
        public var notifications: UInt64
        /// Why the last of them was refused; nil where none was.
        public var lastNotification: String?
        /// Clients that were turned away for want of a place; those count that may only watch and stop because of it.
        public var clients: UInt64
        /// What visitors and players did faster than people can.
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

    /// A page that tells which frames it has drawn.
    public struct Page: Codable, Equatable, Sendable {
        public var client: Int
        /// By its own `hello`; nil when it said none.
        public var name: String?
        /// Drawn since it was loaded.
        public var frames: Int
        /// Since it last told of a frame that it had not told of before.
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
        /// As it told it last.
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

    public var version: String
    /// The piece that runs, by name.
    public var experience: String
    public var uptimeSeconds: Double
    public var clients: Int
    /// The address at which a browser finds the piece's page; nil where no page is served now.
    public var pageAddress: String?
    /// By client.
    public var pages: [Page]
    /// Nil where none has reported.
    public var kiosk: Kiosk?
    public var output: Output
    /// Nil between visitors.
    public var session: Session?
    public var sessions: Int
    public var synth: Synth
    public var devices: Devices
    public var house: HouseReport
    public var released: Released
    public var refused: Refused
    /// Journal entries that are in no file.
    public var lostEntries: UInt64
    /// Listening sockets that were lost, for example because their file was removed, and opened again.
    public var reopenedListeners: UInt64
    /// Journals that were set aside because others had changed them while they were written.
    public var disturbedJournals: Int
    /// By what journals are signed; nil where they are not.
    public var journalKey: JournalKey?
    /// What is not as it should be, in words; empty when all is well.
    public var issues: [String]

    public init(version: String, experience: String, uptimeSeconds: Double, clients: Int, pageAddress: String? = nil, pages: [Page],
                kiosk: Kiosk? = nil,
                output: Output, session: Session?, sessions: Int, synth: Synth, devices: Devices, house: HouseReport, released: Released,
                refused: Refused = Refused(), lostEntries: UInt64, reopenedListeners: UInt64, disturbedJournals: Int,
                journalKey: JournalKey? = nil, issues: [String]) {
        self.version = version
        self.experience = experience
        self.uptimeSeconds = uptimeSeconds
        self.clients = clients
        self.pageAddress = pageAddress
        self.pages = pages
        self.kiosk = kiosk
        self.output = output
        self.session = session
        self.sessions = sessions
        self.synth = synth
        self.devices = devices
        self.house = house
        self.released = released
        self.refused = refused
        self.lostEntries = lostEntries
        self.reopenedListeners = reopenedListeners
        self.disturbedJournals = disturbedJournals
        self.journalKey = journalKey
        self.issues = issues
    }
}

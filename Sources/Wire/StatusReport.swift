/// The answer to `status`: how the engine is, for people and scripts. Counters count since the daemon's start.
public struct StatusReport: Codable, Equatable, Sendable {
    public struct Output: Codable, Equatable, Sendable {
        /// `pulse` or `null`.
        public var kind: String
        /// `connected`, `waiting` (for a sound server) or `null`.
        public var state: String
        /// Why it is waiting, in words; nil when it is not.
        public var trouble: String?
        public var sampleRate: Int
        /// From an event to the frame its sound begins at, by design; the server's own buffer comes on top.
        public var leadMilliseconds: Double
        public var connections: UInt64
        public var underruns: UInt64

        public init(kind: String, state: String, trouble: String?, sampleRate: Int, leadMilliseconds: Double,
                    connections: UInt64, underruns: UInt64) {
            self.kind = kind
            self.state = state
            self.trouble = trouble
            self.sampleRate = sampleRate
            self.leadMilliseconds = leadMilliseconds
            self.connections = connections
            self.underruns = underruns
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
        /// Commands that came after their frame had been rendered.
        public var lateCommands: UInt64
        /// Commands lost or put off because the render thread stood still.
        public var droppedCommands: UInt64

        public init(stolenNotes: UInt64, refusedNotes: UInt64, limitedFrames: UInt64, lateCommands: UInt64,
                    droppedCommands: UInt64) {
            self.stolenNotes = stolenNotes
            self.refusedNotes = refusedNotes
            self.limitedFrames = limitedFrames
            self.lateCommands = lateCommands
            self.droppedCommands = droppedCommands
        }
    }

    public struct Haptics: Codable, Equatable, Sendable {
        /// What happens to patterns, in words.
        public var state: String
        public var patterns: UInt64

        public init(state: String, patterns: UInt64) {
            self.state = state
            self.patterns = patterns
        }
    }

    public var version: String
    public var uptimeSeconds: Double
    public var clients: Int
    public var output: Output
    /// Nil between visitors.
    public var session: Session?
    public var sessions: Int
    public var synth: Synth
    public var haptics: Haptics
    /// What is not as it should be, in words; empty when all is well.
    public var troubles: [String]

    public init(version: String, uptimeSeconds: Double, clients: Int, output: Output, session: Session?, sessions: Int,
                synth: Synth, haptics: Haptics, troubles: [String]) {
        self.version = version
        self.uptimeSeconds = uptimeSeconds
        self.clients = clients
        self.output = output
        self.session = session
        self.sessions = sessions
        self.synth = synth
        self.haptics = haptics
        self.troubles = troubles
    }
}

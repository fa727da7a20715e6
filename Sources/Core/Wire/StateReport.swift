/// The state of fingers, tone and output, as the topic `state` tells it.
public struct StateReport: Codable, Equatable, Sendable {
    public struct Tone: Codable, Equatable, Sendable {
        public var isOpen = false
        /// Hz; where it is going to, if it glides.
        public var frequency = 0.0
        /// dBFS.
        public var level = -120.0

        public init() {}
    }

    /// Whether a session is under way.
    public var hasSession: Bool
    /// Whether a finger is down or a client holds the tone on.
    public var isHeld: Bool
    /// That are down.
    public var fingers: Int
    public var tone: Tone
    public var isMuted: Bool
    /// dBFS; no sample passes it.
    public var ceiling: Double
    public var output: StatusReport.Output.State

    public init(hasSession: Bool, isHeld: Bool, fingers: Int, tone: Tone, isMuted: Bool, ceiling: Double,
                output: StatusReport.Output.State) {
        self.hasSession = hasSession
        self.isHeld = isHeld
        self.fingers = fingers
        self.tone = tone
        self.isMuted = isMuted
        self.ceiling = ceiling
        self.output = output
    }
}

/// What the topic `meters` tells: how loud it was since it was told before, in dBFS, −120 and up.
public struct MeterReport: Codable, Equatable, Sendable {
    public var peak: Double
    /// Root mean square; that of a sine is 3 dB below its peak.
    public var rms: Double

    public init(peak: Double, rms: Double) {
        self.peak = peak
        self.rms = rms
    }
}

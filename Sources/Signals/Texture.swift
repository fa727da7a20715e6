import Units

/// A sound that lasts until it is ended: noise between two frequencies that pulses and breathes, such as a purr.
public struct Texture: Equatable, Sendable, BitwiseCopyable {
    /// The noise's RMS at the crest of pulse and breath, −120…0 dBFS; a sine of full scale has −3.01.
    public var level: Decibels
    public var noise: Band
    public var pulse: Pulse?
    public var breath: Breath?
    public var voice: Voice?
    /// What a transducer has hands feel.
    public var touch: Feel?
    /// A raised cosine at its beginning, 0.005…10 s.
    public var attack: Seconds
    /// A raised cosine at its end, 0.005…10 s.
    public var release: Seconds

    public init(level: Decibels, noise: Band, pulse: Pulse? = nil, breath: Breath? = nil, voice: Voice? = nil, touch: Feel? = nil,
                attack: Seconds = .milliseconds(300), release: Seconds = .milliseconds(300)) {
        self.level = level
        self.noise = noise
        self.pulse = pulse
        self.breath = breath
        self.voice = voice
        self.touch = touch
        self.attack = attack
        self.release = release
    }

    /// The band's edges, where the noise is 3 dB down.
    public struct Band: Equatable, Sendable, BitwiseCopyable {
        /// 20…1,000 Hz.
        public var low: Hertz
        /// 1.5 · `low`…2,000 Hz.
        public var high: Hertz

        public init(low: Hertz, high: Hertz) {
            self.low = low
            self.high = high
        }
    }

    /// How the loudness rises and falls in each cycle, as a raised cosine.
    public struct Pulse: Equatable, Sendable, BitwiseCopyable {
        /// Cycles a second while it breathes out, and always where it does not breathe, 1…100 Hz.
        public var rate: Hertz
        /// Cycles a second while it breathes in, 1…100 Hz.
        public var inhaled: Hertz
        /// From 0, steady, to 1, silent between pulses.
        public var depth: Double
        /// How far a cycle's rate is off at most, as a part of it, 0…0.5; each cycle's own.
        public var jitter: Double
        /// The part of cycles that are left out, 0…1.
        public var gaps: Double

        public init(rate: Hertz, inhaled: Hertz? = nil, depth: Double, jitter: Double = 0, gaps: Double = 0) {
            self.rate = rate
            self.inhaled = inhaled ?? rate
            self.depth = depth
            self.jitter = jitter
            self.gaps = gaps
        }
    }

    /// Out in the first half of the period, in during the second; softest at the turns.
    public struct Breath: Equatable, Sendable, BitwiseCopyable {
        /// 0.5…60 s.
        public var period: Seconds
        /// From 0, steady, to 1, silent at the turns.
        public var depth: Double

        public init(period: Seconds, depth: Double) {
            self.period = period
            self.depth = depth
        }
    }

    /// A sine in it, which does not pulse.
    public struct Voice: Equatable, Sendable, BitwiseCopyable {
        /// 20…5,000 Hz.
        public var frequency: Hertz
        /// Its RMS against the noise's, −120…24 dB.
        public var level: Decibels

        public init(frequency: Hertz, level: Decibels) {
            self.frequency = frequency
            self.level = level
        }
    }

    /// The same pulse and breath under a finger.
    public struct Feel: Equatable, Sendable, BitwiseCopyable {
        /// 0…1.
        public var intensity: Double
        /// 0…1, from round to crisp.
        public var sharpness: Double

        public init(intensity: Double, sharpness: Double) {
            self.intensity = intensity
            self.sharpness = sharpness
        }
    }

    /// The high edge is at least so many times the low one.
    public static var narrowest: Double { @_noLocks @_noAllocation get { 1.5 } }
}

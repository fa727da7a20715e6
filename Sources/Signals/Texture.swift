import Fields
import Units

/// A sound that lasts until it is ended, such as a purr: band-limited noise whose loudness follows a fast pulse and a slow breath.
public struct Texture: Equatable, Sendable, BitwiseCopyable {
    /// The RMS of the noise where pulse and breath are loudest, −120…0 dBFS. (A full-scale sine has −3.01.)
    public var level: Decibels
    public var noise: Band
    public var pulse: Pulse?
    public var breath: Breath?
    public var voice: Voice?
    /// The vibration that a transducer plays; nil for a texture that is only heard.
    public var touch: Feel?
    /// The duration of the fade-in, a raised cosine, 0.005…10 s.
    public var attack: Seconds
    /// The duration of the fade-out, a raised cosine, 0.005…10 s.
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

    /// The band of the noise, between two frequencies at which the noise is 3 dB down.
    public struct Band: Equatable, Sendable, BitwiseCopyable {
        /// The lower edge, 20…1,000 Hz.
        public var low: Hertz
        /// The upper edge, 1.5 · `low`…2,000 Hz.
        public var high: Hertz

        public init(low: Hertz, high: Hertz) {
            self.low = low
            self.high = high
        }
    }

    /// The fast rise and fall of the loudness. Each cycle is a raised cosine.
    public struct Pulse: Equatable, Sendable, BitwiseCopyable {
        /// The rate while the texture breathes out, or all the time if it has no breath, 1…100 Hz.
        public var rate: Hertz
        /// The rate while the texture breathes in, 1…100 Hz.
        public var inhaled: Hertz
        /// The depth, from 0 (steady) to 1 (silent between pulses).
        public var depth: Double
        /// The largest random deviation of a cycle's rate, as a fraction of the rate, 0…0.5. Each cycle has its own deviation.
        public var jitter: Double
        /// The fraction of cycles that are left out at random, 0…1.
        public var gaps: Double

        public init(rate: Hertz, inhaled: Hertz? = nil, depth: Double, jitter: Double = 0, gaps: Double = 0) {
            self.rate = rate
            self.inhaled = inhaled ?? rate
            self.depth = depth
            self.jitter = jitter
            self.gaps = gaps
        }
    }

    /// The slow rise and fall of the loudness. The first half of the period is breathing out, the second half is breathing in. The texture
    /// is softest at each change from one to the other.
    public struct Breath: Equatable, Sendable, BitwiseCopyable {
        /// The period, 0.5…60 s.
        public var period: Seconds
        /// The depth, from 0 (steady) to 1 (silent where the direction of breath changes).
        public var depth: Double

        public init(period: Seconds, depth: Double) {
            self.period = period
            self.depth = depth
        }
    }

    /// A sine that sounds within the texture and does not pulse.
    public struct Voice: Equatable, Sendable, BitwiseCopyable {
        /// The frequency of the sine, 20…5,000 Hz.
        public var frequency: Hertz
        /// The RMS of the sine relative to the RMS of the noise, −120…24 dB.
        public var level: Decibels

        public init(frequency: Hertz, level: Decibels) {
            self.frequency = frequency
            self.level = level
        }
    }

    /// The vibration under a finger. It follows the pulse and breath of the sound.
    public struct Feel: Equatable, Sendable, BitwiseCopyable {
        /// The strength, 0…1.
        public var intensity: Double
        /// The sharpness, from round (0) to crisp (1).
        public var sharpness: Double

        public init(intensity: Double, sharpness: Double) {
            self.intensity = intensity
            self.sharpness = sharpness
        }
    }

    /// The smallest allowed ratio of a band's upper edge to its lower edge.
    public static var narrowest: Double { @_noLocks @_noAllocation get { 1.5 } }
}

extension Texture: Codable {
    public init(from decoder: any Decoder) throws {
        let fields = try Fields(decoder)
        try fields.refuseAll(but: ["level", "noise", "pulse", "breath", "voice", "touch", "attack", "release"])
        self.init(
            level: Decibels(try fields.number("level", in: -120...0, unit: "dBFS")),
            noise: try fields.nested(Band.self, "noise", expected: "an object with low and high"),
            pulse: try fields.part(Pulse.self, "pulse"),
            breath: try fields.part(Breath.self, "breath"),
            voice: try fields.part(Voice.self, "voice"),
            touch: try fields.part(Feel.self, "touch"),
            attack: Seconds(try fields.number("attack", in: 0.005...10, unit: "seconds")),
            release: Seconds(try fields.number("release", in: 0.005...10, unit: "seconds")))
    }
}

extension Fields {
    fileprivate func part<Part: Decodable>(_ type: Part.Type, _ name: String) throws -> Part? {
        contains(name) ? try nested(type, name, expected: "an object") : nil
    }
}

extension Texture.Band: Codable {
    public init(from decoder: any Decoder) throws {
        let fields = try Fields(decoder)
        try fields.refuseAll(but: ["low", "high"])
        let low = try fields.number("low", in: 20...1_000, unit: "Hz")
        self.init(low: Hertz(low), high: Hertz(try fields.number("high", in: (low * Texture.narrowest)...2_000, unit: "Hz")))
    }
}

extension Texture.Pulse: Codable {
    public init(from decoder: any Decoder) throws {
        let fields = try Fields(decoder)
        try fields.refuseAll(but: ["rate", "inhaled", "depth", "jitter", "gaps"])
        self.init(
            rate: Hertz(try fields.number("rate", in: 1...100, unit: "Hz")),
            inhaled: Hertz(try fields.number("inhaled", in: 1...100, unit: "Hz")),
            depth: try fields.number("depth", in: 0...1),
            jitter: try fields.number("jitter", in: 0...0.5),
            gaps: try fields.number("gaps", in: 0...1))
    }
}

extension Texture.Breath: Codable {
    public init(from decoder: any Decoder) throws {
        let fields = try Fields(decoder)
        try fields.refuseAll(but: ["period", "depth"])
        self.init(period: Seconds(try fields.number("period", in: 0.5...60, unit: "seconds")), depth: try fields.number("depth", in: 0...1))
    }
}

extension Texture.Voice: Codable {
    public init(from decoder: any Decoder) throws {
        let fields = try Fields(decoder)
        try fields.refuseAll(but: ["frequency", "level"])
        self.init(frequency: Hertz(try fields.number("frequency", in: 20...5_000, unit: "Hz")),
                  level: Decibels(try fields.number("level", in: -120...24, unit: "dB")))
    }
}

extension Texture.Feel: Codable {
    public init(from decoder: any Decoder) throws {
        let fields = try Fields(decoder)
        try fields.refuseAll(but: ["intensity", "sharpness"])
        self.init(intensity: try fields.number("intensity", in: 0...1), sharpness: try fields.number("sharpness", in: 0...1))
    }
}

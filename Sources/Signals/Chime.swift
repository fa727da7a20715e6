import Fields
import Units

/// A short melody of the theme: notes that are played together under one name.
public struct Chime: Equatable, Sendable {
    public var notes: [ChimeNote]

    public init(notes: [ChimeNote]) { self.notes = notes }
}

/// One note by additive synthesis: its partials are added under a raised-cosine attack and an exponential decay.
public struct ChimeNote: Equatable, Sendable {
    public static let maximumPartials = 8

    /// The time from the chime's start to the note's start, 0…10 s.
    public var start: Seconds
    /// The note's frequency, to which partials' ratios refer, 20…20,000 Hz.
    public var frequency: Hertz
    /// The peak level of a partial whose own level is 0 dB, −120…0 dBFS.
    public var level: Decibels
    /// The duration of the attack, 0.001…10 s.
    public var attack: Seconds
    /// The time in which the note falls by 60 dB (T60), 0.01…30 s.
    public var decay: Seconds
    /// The note's partials, 1 to 8.
    public var partials: [Partial]
    /// The change of pitch that begins with the note; nil for a note whose pitch does not change.
    public var glide: Glide?

    /// A change of pitch that begins with the note. It is linear in hertz, and the same for all partials.
    public struct Glide: Equatable, Sendable, BitwiseCopyable {
        /// The frequency at the end of the change, 20…20,000 Hz.
        public var to: Hertz
        /// The duration of the change, 0.01…30 s.
        public var time: Seconds

        public init(to: Hertz, time: Seconds) {
            self.to = to
            self.time = time
        }
    }

    public init(start: Seconds, frequency: Hertz, level: Decibels, attack: Seconds, decay: Seconds,
                partials: [Partial], glide: Glide? = nil) {
        self.start = start
        self.frequency = frequency
        self.level = level
        self.attack = attack
        self.decay = decay
        self.partials = partials
        self.glide = glide
    }
}

/// One sine of a note.
public struct Partial: Equatable, Sendable, BitwiseCopyable {
    /// The partial's frequency as a multiple of the note's frequency, 0.1…32.
    public var ratio: Double
    /// The partial's level relative to the note's level, −120…0 dB.
    public var level: Decibels

    public init(ratio: Double, level: Decibels) {
        self.ratio = ratio
        self.level = level
    }
}

/// A chime is written as the list of its notes.
extension Chime: Codable {
    public init(from decoder: any Decoder) throws {
        let notes = try decoder.singleValueContainer().decode([ChimeNote].self)
        guard (1...16).contains(notes.count) else {
            throw Fault(field: Fields.path(decoder.codingPath), expected: "1 to 16 notes", found: "\(notes.count)")
        }
        self.init(notes: notes)
    }

    public func encode(to encoder: any Encoder) throws { try notes.encode(to: encoder) }
}

extension ChimeNote: Codable {
    public init(from decoder: any Decoder) throws {
        let fields = try Fields(decoder)
        try fields.refuseAll(but: ["start", "frequency", "level", "attack", "decay", "partials", "glide"])
        self.init(
            start: Seconds(try fields.number("start", in: 0...10, unit: "seconds")),
            frequency: Hertz(try fields.number("frequency", in: 20...20_000, unit: "Hz")),
            level: Decibels(try fields.number("level", in: -120...0, unit: "dBFS")),
            attack: Seconds(try fields.number("attack", in: 0.001...10, unit: "seconds")),
            decay: Seconds(try fields.number("decay", in: 0.01...30, unit: "seconds to fall by 60 dB")),
            partials: try fields.nested([Partial].self, "partials", expected: "a list of partials"),
            glide: fields.contains("glide") ? try fields.nested(Glide.self, "glide", expected: "an object with to and time") : nil)
        guard (1...Self.maximumPartials).contains(partials.count) else {
            throw fields.fault("partials", "1 to \(Self.maximumPartials) partials", found: "\(partials.count)")
        }
    }
}

extension ChimeNote.Glide: Codable {
    public init(from decoder: any Decoder) throws {
        let fields = try Fields(decoder)
        try fields.refuseAll(but: ["to", "time"])
        self.init(to: Hertz(try fields.number("to", in: 20...20_000, unit: "Hz")),
                  time: Seconds(try fields.number("time", in: 0.01...30, unit: "seconds")))
    }
}

extension Partial: Codable {
    public init(from decoder: any Decoder) throws {
        let fields = try Fields(decoder)
        try fields.refuseAll(but: ["ratio", "level"])
        self.init(ratio: try fields.number("ratio", in: 0.1...32),
                  level: Decibels(try fields.number("level", in: -120...0, unit: "dB")))
    }
}

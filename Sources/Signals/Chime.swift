import Units

/// Notes that sound together as one named thing.
public struct Chime: Equatable, Sendable {
    public var notes: [ChimeNote]

    public init(notes: [ChimeNote]) { self.notes = notes }
}

/// One additive note: partials under a raised-cosine attack and an exponential decay.
public struct ChimeNote: Equatable, Sendable {
    public static let maximumPartials = 8

    /// From the chime's start to the note's, 0…10 s.
    public var start: Seconds
    /// Of the partial with ratio 1, 20…20,000 Hz.
    public var frequency: Hertz
    /// The level at which partials of level 0 dB peak, −120…0 dBFS.
    public var level: Decibels
    /// 0.001…10 s.
    public var attack: Seconds
    /// The time in which the note falls by 60 dB (T60), 0.01…30 s.
    public var decay: Seconds
    /// 1 to 8 of them.
    public var partials: [Partial]
    /// Nil for a note that stays on its pitch.
    public var glide: Glide?

    /// On the way to another pitch from the note's start on, evenly in hertz; all partials alike.
    public struct Glide: Equatable, Sendable, BitwiseCopyable {
        /// 20…20,000 Hz.
        public var to: Hertz
        /// 0.01…30 s.
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
    /// Frequency as a multiple of the note's, 0.1…32.
    public var ratio: Double
    /// Relative to the note's level, −120…0 dB.
    public var level: Decibels

    public init(ratio: Double, level: Decibels) {
        self.ratio = ratio
        self.level = level
    }
}

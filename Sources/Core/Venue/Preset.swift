import Signals
import Units

/// Limits how loud and how high a piece may sound, whatever theme it has.
public struct Preset: Equatable, Sendable {
    /// The level that no sample exceeds, −60…0 dBFS; nil to keep the theme's own.
    public var ceiling: Decibels?
    /// The gain by which the sound is turned down, −120…0 dB; −120 is silence.
    public var volume: Decibels
    /// The factor by which the tone changes more slowly, 1…10. The tone's curve takes that many times as many views.
    public var slowness: Double
    /// The highest frequency of tones and notes, 100…5000 Hz; nil to keep the theme's own.
    public var cap: Hertz?

    public init(ceiling: Decibels? = nil, volume: Decibels = Decibels(0), slowness: Double = 1, cap: Hertz? = nil) {
        self.ceiling = ceiling
        self.volume = volume
        self.slowness = slowness
        self.cap = cap
    }

    public static let normal = Preset()

    /// The built-in presets, by their names.
    public static let builtIn: [String: Preset] = [
        "normal": normal,
        "quiet-day": Preset(ceiling: Decibels(-12), volume: Decibels(-9)),
        // Ears are most sensitive from 2 to 5 kHz (ISO 226), and a tone at such a pitch is felt as a punishment. This preset stays an
        // octave below.
        "sensory-friendly": Preset(ceiling: Decibels(-18), volume: Decibels(-6), slowness: 2, cap: Hertz(1000)),
        "silent": Preset(volume: .silence),
    ]

    /// Returns `theme` with this preset's limits. The volume is not among them: it is applied elsewhere.
    public func applied(to theme: Theme) -> Theme {
        var theme = theme
        if let ceiling { theme.ceiling = min(theme.ceiling, ceiling) }
        // All points are stretched by the same factor, so that they keep their order.
        let stretch = min(slowness, Double(ToneCurve.mostViews) / Double(theme.toneCurve.views))
        for index in theme.toneCurve.points.indices {
            theme.toneCurve.points[index].views = Int((Double(theme.toneCurve.points[index].views) * stretch).rounded())
        }
        guard let cap else { return theme }
        for index in theme.toneCurve.points.indices {
            theme.toneCurve.points[index].frequency = min(theme.toneCurve.points[index].frequency, cap)
        }
        theme.chimes = theme.chimes.mapValues { chime in
            Chime(notes: chime.notes.map { note in
                var note = note
                // Moved down by whole octaves, so that it stays the same note.
                while max(note.frequency, note.glide?.to ?? note.frequency) > cap {
                    note.frequency = Hertz(note.frequency.rawValue / 2)
                    if let to = note.glide?.to { note.glide?.to = Hertz(to.rawValue / 2) }
                }
                return note
            })
        }
        theme.textures = theme.textures.mapValues { texture in
            var texture = texture
            while let voice = texture.voice, voice.frequency > cap { texture.voice?.frequency = Hertz(voice.frequency.rawValue / 2) }
            return texture
        }
        return theme
    }
}

/// A preset that somebody chose by hand. It applies until the schedule changes, even after a restart.
public struct ChosenPreset: Encodable, Equatable, Sendable {
    public var name: String
    /// When it was chosen, in seconds since 1970-01-01 in UTC; nil while the time is unknown. The choice ends when other hours of the
    /// schedule begin.
    public var since: Int?

    public init(name: String, since: Int? = nil) {
        self.name = name
        self.since = since
    }
}

/// A volume that somebody set by hand. It applies until somebody sets another one, even after a restart.
public struct ChosenVolume: Equatable, Sendable {
    /// The volumes that may be set, in dB. By hand, the house can only become softer than its preset and its hearing guard allow. For
    /// silence, there is a mute.
    public static let levels = -60.0...0

    /// The gain of all sound, in dB; below 0.
    public var level: Decibels
    /// Who set the volume: the client's name and number, and to whom its credentials belong.
    public var by: String
    /// When the volume was set, in seconds since 1970-01-01 in UTC; nil while the time is unknown.
    public var since: Int?

    /// Creates a volume set by hand; nil for a level of 0 dB, which turns nothing down.
    public init?(level: Decibels, by: String, since: Int?) {
        guard level < .fullScale else { return nil }
        self.level = level
        self.by = by
        self.since = since
    }
}

import Signals
import Units

/// Limits how loud and how high a piece may sound, whatever its theme.
public struct Preset: Equatable, Sendable {
    /// The level that no sample exceeds, −60…0 dBFS; nil for the theme's own.
    public var ceiling: Decibels?
    /// The gain by which the sound is turned down, −120…0 dB; −120 is silence.
    public var volume: Decibels
    /// The factor by which the tone's steps are smaller and its growth slower, 1…10.
    public var slowness: Double
    /// The highest frequency of tones and notes, 100…5000 Hz; nil for the theme's own.
    public var cap: Hertz?

    public init(ceiling: Decibels? = nil, volume: Decibels = Decibels(0), slowness: Double = 1, cap: Hertz? = nil) {
        self.ceiling = ceiling
        self.volume = volume
        self.slowness = slowness
        self.cap = cap
    }

    public static let normal = Preset()

    /// The built-in presets, by name.
    public static let builtIn: [String: Preset] = [
        "normal": normal,
        "quiet-day": Preset(ceiling: Decibels(-12), volume: Decibels(-9)),
        // Ears are keenest from 2 to 5 kHz (ISO 226), and a tone pushed up there is felt as a punishment: it stays an octave below.
        "sensory-friendly": Preset(ceiling: Decibels(-18), volume: Decibels(-6), slowness: 2, cap: Hertz(1000)),
        "silent": Preset(volume: .silence),
    ]

    /// Returns `theme` with all of this preset except the volume, which is applied separately.
    public func applied(to theme: Theme) -> Theme {
        var theme = theme
        if let ceiling { theme.ceiling = min(theme.ceiling, ceiling) }
        // All alike, so that each point of the tone's curve stays after the one before.
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
                // By octaves, so that it stays the same note.
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

/// A preset that somebody chose by hand. It stands until the schedule changes, and outlasts a restart.
public struct ChosenPreset: Equatable, Sendable {
    public var name: String
    /// When it was chosen, in seconds since 1970-01-01 in UTC; nil while the time is unknown. The schedule's next edge ends the choice.
    public var since: Int?

    public init(name: String, since: Int? = nil) {
        self.name = name
        self.since = since
    }
}

/// A volume that somebody set by hand. It stands until somebody sets another, and outlasts a restart.
public struct ChosenVolume: Equatable, Sendable {
    /// The levels that may be set, in dB. The house is never louder by hand than by its preset and its hearing guard; silence is a mute's.
    public static let levels = -60.0...0

    /// By how much all sound is turned down, in dB; below 0.
    public var level: Decibels
    /// Who set it: the client's name and number, and whose credentials it has.
    public var by: String
    /// When it was set, in seconds since 1970-01-01 in UTC; nil while the time is unknown.
    public var since: Int?

    /// Creates a choice of a volume. Nil for a level of 0 dB, which turns nothing down.
    public init?(level: Decibels, by: String, since: Int?) {
        guard level < .fullScale else { return nil }
        self.level = level
        self.by = by
        self.since = since
    }
}

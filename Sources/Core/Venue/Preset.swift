import Signals
import Units

/// How loud and high a piece may sound, whatever its theme.
public struct Preset: Equatable, Sendable {
    /// No sample passes it, −60…0 dBFS; nil: the theme's own.
    public var ceiling: Decibels?
    /// How far the sound is turned down, −120…0 dB; −120 is silence.
    public var volume: Decibels
    /// By how much the tone's steps are smaller and its growth slower, 1…10.
    public var slowness: Double
    /// No tone and no note is higher, 100…5000 Hz; nil: as the theme has it.
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

    /// `theme` with all of this except the volume, which is applied separately.
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

import Units

/// What a house sounds and feels like: the chimes, textures and haptic patterns by their names, and the tone under the finger.
public struct Theme: Equatable, Sendable {
    public var name: String
    public var toneCurve: ToneCurve
    /// The duration of the tone's fade-in and of its fade-out, 0.001…1 s.
    public var toneFade: Seconds
    /// The tone's partials, 1 to 8.
    public var tonePartials: [TonePartial]
    /// The level that no sample exceeds, −60…0 dBFS.
    public var ceiling: Decibels
    public var chimes: [String: Chime]
    public var textures: [String: Texture]
    public var haptics: [String: HapticPattern]

    public init(name: String, toneCurve: ToneCurve, toneFade: Seconds, tonePartials: [TonePartial] = TonePartial.sine, ceiling: Decibels,
                chimes: [String: Chime], textures: [String: Texture] = [:], haptics: [String: HapticPattern]) {
        self.name = name
        self.toneCurve = toneCurve
        self.toneFade = toneFade
        self.tonePartials = tonePartials
        self.ceiling = ceiling
        self.chimes = chimes
        self.textures = textures
        self.haptics = haptics
    }
}

// The sounds and patterns of the standard theme. `make docs` writes this theme to `themes/standard.yaml`.
extension Theme {
    /// The theme that thrumd has without a theme file. Whatever another theme's file leaves out is taken from this theme.
    public static let standard = Theme(
        name: "standard", toneCurve: .standard, toneFade: .milliseconds(5), ceiling: Decibels(-1),
        chimes: melodies.mapValues { notes in
            Chime(notes: notes.map { bell(at: Seconds($0.start), Hertz($0.frequency), decay: Seconds($0.decay)) })
        }.merging(mews) { $1 }.merging(earcons) { $1 },
        textures: breaths,
        haptics: feelings.mapValues { events in
            HapticPattern(events: events.map { event in
                HapticEvent(time: Seconds(event.time), kind: event.lasts.map { .continuous(duration: Seconds($0)) } ?? .transient,
                            intensity: event.intensity, sharpness: event.sharpness)
            })
        })

    /// The pitches that the standard theme uses, in hertz. They are in equal temperament: 440 · 2^(n/12) is n semitones above A4.
    private enum Pitch {
        static let d3 = 146.8324, e3 = 164.8138, g3 = 195.9977, a3 = 220.0
        static let c4 = 261.6256, d4 = 293.6648, e4 = 329.6276, g4 = 391.9954, a4 = 440.0
        static let c5 = 523.2511, d5 = 587.3295, e5 = 659.2551, f5 = 698.4565, g5 = 783.9909, b5 = 987.7666
        static let c6 = 1046.5023, g6 = 1567.9817
    }

    // MARK: Bells

    /// Melodies of bells, by the names of their chimes. Start is in seconds, frequency in hertz; decay is the time to fall by 60 dB, in
    /// seconds. Chimes from `bypass` on can be distinguished by their rhythms: no two have the same start times, and notes are at least 82
    /// ms apart.
    private static let melodies: [String: [(start: Double, frequency: Double, decay: Double)]] = [
        // ColorScroller, in order: a rising fifth; one note.
        "unlock": [(0, Pitch.e5, 0.9), (0.12, Pitch.b5, 1.4)],
        "ding": [(0, Pitch.g6, 1.2)],
        // ScrollKitty, in order: two quick falling notes; a calm rising fourth; three even falling notes; a rising long, short, short; two
        // falling notes far apart; one low, long note; four quick rising notes.
        "bypass": [(0, Pitch.a3, 0.5), (0.1, Pitch.e3, 0.7)],
        "shield-back": [(0, Pitch.g4, 0.6), (0.25, Pitch.c5, 0.9)],
        "band-drop": [(0, Pitch.e4, 0.5), (0.16, Pitch.d4, 0.5), (0.32, Pitch.c4, 0.8)],
        "welcome": [(0, Pitch.c4, 0.5), (0.3, Pitch.e4, 0.4), (0.42, Pitch.g4, 1)],
        "nightly": [(0, Pitch.e4, 1.2), (0.6, Pitch.a3, 1.8)],
        "terminal": [(0, Pitch.g3, 3)],
        "streak": [(0, Pitch.c5, 0.3), (0.09, Pitch.d5, 0.3), (0.18, Pitch.f5, 0.3), (0.27, Pitch.g5, 1)],
        // Unhooked, in order: three quick equal notes; three rising; three slowly rising; four rising, faster and faster; an octave; two
        // falling notes far apart; two quick high notes; five quick rising notes.
        "eating": [(0, Pitch.g4, 0.15), (0.14, Pitch.g4, 0.15), (0.28, Pitch.g4, 0.3)],
        "award": [(0, Pitch.c5, 0.3), (0.1, Pitch.g5, 0.3), (0.2, Pitch.c6, 0.9)],
        "cure": [(0, Pitch.e4, 0.8), (0.35, Pitch.g4, 0.8), (0.7, Pitch.c5, 1.4)],
        "revive": [(0, Pitch.g3, 1), (0.4, Pitch.c4, 0.8), (0.7, Pitch.g4, 0.6), (0.9, Pitch.c5, 1.6)],
        "restart": [(0, Pitch.c4, 0.3), (0.2, Pitch.c5, 1)],
        "memorial": [(0, Pitch.c4, 1.6), (0.8, Pitch.g3, 2.2)],
        "purchase": [(0, Pitch.g5, 0.2), (0.09, Pitch.c6, 0.6)],
        "growth": [(0, Pitch.c4, 0.25), (0.11, Pitch.e4, 0.25), (0.22, Pitch.g4, 0.25), (0.33, Pitch.a4, 0.25), (0.44, Pitch.c5, 1)],
    ]

    /// Returns a note of a small bell. Its partials are those of a struck bar (1, 2.76, 5.40: Fletcher & Rossing, The Physics of Musical
    /// Instruments, ch. 2.15), so soft that the strike note alone gives the pitch.
    private static func bell(at start: Seconds, _ frequency: Hertz, decay: Seconds) -> ChimeNote {
        ChimeNote(start: start, frequency: frequency, level: Decibels(-16), attack: .milliseconds(3), decay: decay, partials: [
            Partial(ratio: 1, level: Decibels(0)), Partial(ratio: 2.756, level: Decibels(-20)), Partial(ratio: 5.404, level: Decibels(-32)),
        ])
    }

    // MARK: Voices

    /// The voices of ScrollKitty's cat by its state: the healthier it is, the higher, quicker and louder (262, 196, 147 Hz; 0, −6, −10 dB).
    /// A weak cat's partials are 3 % too wide. A dead cat's voice waits until the purr has faded, and sinks; so do the voices of Unhooked's
    /// pets.
    private static let mews: [String: Chime] = {
        let last = mew(at: 0.3, Pitch.d3, level: -20, lasts: 2, glide: ChimeNote.Glide(to: Hertz(125), time: Seconds(2)))
        return [
            "mew-healthy": [mew(at: 0, Pitch.c4, level: -20, lasts: 0.12), mew(at: 0.12, Pitch.e4, level: -20, lasts: 0.12),
                            mew(at: 0.24, Pitch.g4, level: -20, lasts: 0.12)],
            "mew-concerned": [mew(at: 0, Pitch.c4, level: -20, lasts: 0.12), mew(at: 0.12, Pitch.c4, level: -20, lasts: 0.12)],
            "mew-tired": [mew(at: 0, Pitch.g3, level: -26, lasts: 0.25), mew(at: 0.25, Pitch.e3, level: -26, lasts: 0.25)],
            "mew-weak": [mew(at: 0, Pitch.d3, level: -30, lasts: 0.5, stretch: 1.03)],
            "mew-dead": [last],
            "death": [last],
        ].mapValues { Chime(notes: $0) }
    }()

    /// Returns a note of a voice, which is more like a vowel than a bell: it swells, and its partials are harmonics. `lasts` is in seconds.
    private static func mew(at start: Double, _ frequency: Double, level: Double, lasts: Double, stretch: Double = 1,
                            glide: ChimeNote.Glide? = nil) -> ChimeNote {
        ChimeNote(start: Seconds(start), frequency: Hertz(frequency), level: Decibels(level), attack: Seconds(0.02), decay: Seconds(lasts),
                  partials: [
                      Partial(ratio: 1, level: Decibels(0)), Partial(ratio: 2 * stretch, level: Decibels(-10)),
                      Partial(ratio: 3 * stretch, level: Decibels(-18)),
                  ], glide: glide)
    }

    // MARK: Earcons

    /// The earcons for people who explore a page by touch: for exploring on and off, for each role of a region that a finger comes upon
    /// (`Region.Role`), and for an empty place. They are short sines below 1.2 kHz, 4 dB softer than the bells, so that they suit every
    /// theme.
    private static let earcons: [String: Chime] = {
        let melodies: [String: [(start: Double, frequency: Double)]] = [
            "explore-on": [(0, Pitch.c4), (0.15, Pitch.g4), (0.3, Pitch.c5)],
            "explore-off": [(0, Pitch.c5), (0.15, Pitch.g4), (0.3, Pitch.c4)],
            // Regions that can be operated have two notes or a high one. Regions that only inform have a low one.
            "explore-button": [(0, Pitch.g5)],
            "explore-slider": [(0, Pitch.c5), (0.09, Pitch.e5), (0.18, Pitch.g5)],
            "explore-toggle": [(0, Pitch.c5), (0.09, Pitch.g5)],
            "explore-image": [(0, Pitch.e4)],
            "explore-heading": [(0, Pitch.g4), (0.09, Pitch.g4)],
            "explore-text": [(0, Pitch.c4)],
            "explore-blank": [(0, Pitch.g3)],
        ]
        return melodies.mapValues { notes in
            Chime(notes: notes.map {
                ChimeNote(start: Seconds($0.start), frequency: Hertz($0.frequency), level: Decibels(-20), attack: .milliseconds(3),
                          decay: Seconds(0.3), partials: [Partial(ratio: 1, level: Decibels(0))])
            })
        }
    }()

    // MARK: Textures

    /// The textures by their names. Unhooked's healthy cat has the purr of ScrollKitty's cat. A sick pet's texture is uneven, contains a
    /// cry, and fades out slowly. The pulses of a cat's purr are never slower than 18 Hz.
    private static let breaths: [String: Texture] = [
        "purr-healthy": purr(level: -26, rate: 26, inhaled: 24, depth: 0.8, breath: 3, intensity: 0.6),
        "purr-concerned": purr(level: -26, rate: 27, inhaled: 25, depth: 0.6, jitter: 0.05, breath: 3, cry: -18, intensity: 0.6),
        "purr-tired": purr(level: -32, rate: 23, inhaled: 21, depth: 0.5, breath: 5, intensity: 0.4),
        "purr-weak": purr(level: -36, rate: 21, inhaled: 19, depth: 0.3, gaps: 0.4, breath: 5, intensity: 0.25),
        "purr-sick": purr(level: -30, rate: 23, inhaled: 23, depth: 0.6, jitter: 0.1, gaps: 0.3, breath: 4, cry: -12, intensity: 0.4,
                          release: 1.5),
        "pant-healthy": pant(level: -28, rate: 3.5, jitter: 0.05, intensity: 0.5),
        "pant-sick": pant(level: -32, rate: 3.3, jitter: 0.09, gaps: 0.3, cry: -12, intensity: 0.35, release: 1.5),
    ]

    /// Returns a cat's purr: 26.3 ± 2 Hz, some 2 Hz faster while breathing out (Sissom, Rice & Peters, J. Zool. 223, 1991: 26.3 ± 1.95 Hz).
    /// A `cry` in the purr makes it urgent (McComb et al., Current Biology 19, 2009). The noise lies between 120 and 400 Hz, which small
    /// speakers still play.
    private static func purr(level: Double, rate: Double, inhaled: Double, depth: Double, jitter: Double = 0, gaps: Double = 0,
                             breath: Double, cry: Double? = nil, intensity: Double, release: Double = 0.3) -> Texture {
        Texture(level: Decibels(level), noise: Texture.Band(low: Hertz(120), high: Hertz(400)),
                pulse: Texture.Pulse(rate: Hertz(rate), inhaled: Hertz(inhaled), depth: depth, jitter: jitter, gaps: gaps),
                breath: Texture.Breath(period: Seconds(breath), depth: 0.5),
                voice: cry.map { Texture.Voice(frequency: Hertz(450), level: Decibels($0)) },
                touch: Texture.Feel(intensity: intensity, sharpness: 0.1), release: Seconds(release))
    }

    /// Returns a dog's panting: noise from 400 Hz to 1.6 kHz that pulses 3 to 4 times a second.
    private static func pant(level: Double, rate: Double, jitter: Double, gaps: Double = 0, cry: Double? = nil, intensity: Double,
                             release: Double = 0.3) -> Texture {
        Texture(level: Decibels(level), noise: Texture.Band(low: Hertz(400), high: Hertz(1_600)),
                pulse: Texture.Pulse(rate: Hertz(rate), depth: 0.95, jitter: jitter, gaps: gaps),
                breath: Texture.Breath(period: Seconds(4), depth: 0.2),
                voice: cry.map { Texture.Voice(frequency: Hertz(450), level: Decibels($0)) },
                touch: Texture.Feel(intensity: intensity, sharpness: 0.2), release: Seconds(release))
    }

    // MARK: Patterns

    /// The events of haptic patterns, by the patterns' names. A pattern with the name of a chime has that chime's rhythm. `time` and
    /// `lasts` are in seconds; an event without `lasts` is a tap. Intensity is 0…1; sharpness goes from round (0) to crisp (1).
    private static let feelings: [String: [(time: Double, lasts: Double?, intensity: Double, sharpness: Double)]] = [
        "touch-down": [(0, nil, 0.35, 0.6)],
        "touch-up": [(0, nil, 0.25, 0.4)],
        "swipe": [(0, nil, 0.7, 1), (0.06, nil, 0.5, 1)],
        // A strong punch that fades away.
        "unlock": [(0, nil, 1, 0.5), (0.02, 0.22, 0.9, 0.3)],
        // Three knocks, each stronger than the one before.
        "surprise": [(0, nil, 0.6, 0.8), (0.09, nil, 0.8, 0.8), (0.18, nil, 1, 0.8)],
        "bypass": [(0, nil, 0.8, 0.5), (0.1, nil, 0.6, 0.3)],
        "shield-back": [(0, 0.15, 0.4, 0.2), (0.25, nil, 0.5, 0.4)],
        "band-drop": [(0, nil, 0.7, 0.3), (0.16, nil, 0.7, 0.3), (0.32, nil, 0.9, 0.2)],
        "welcome": [(0, 0.2, 0.4, 0.2), (0.3, nil, 0.4, 0.4), (0.42, nil, 0.5, 0.4)],
        "nightly": [(0, 0.4, 0.3, 0.1), (0.6, 0.5, 0.2, 0)],
        "terminal": [(0, 0.8, 0.9, 0)],
        "streak": [(0, nil, 0.4, 0.8), (0.09, nil, 0.5, 0.8), (0.18, nil, 0.6, 0.8), (0.27, nil, 0.8, 0.8)],
        "eating": [(0, nil, 0.4, 0.5), (0.14, nil, 0.4, 0.5), (0.28, nil, 0.5, 0.5)],
        "award": [(0, nil, 0.4, 0.7), (0.1, nil, 0.5, 0.7), (0.2, nil, 0.8, 0.7)],
        "cure": [(0, 0.25, 0.3, 0.1), (0.35, 0.25, 0.4, 0.1), (0.7, 0.4, 0.5, 0.1)],
        "revive": [(0, 0.3, 0.3, 0.1), (0.4, 0.2, 0.5, 0.1), (0.7, 0.1, 0.7, 0.1), (0.9, 0.5, 0.9, 0.1)],
        "restart": [(0, nil, 0.5, 0.3), (0.2, nil, 0.8, 0.6)],
        "death": [(0.3, 1, 0.4, 0.1), (1.3, 1, 0.2, 0.1)],
        "memorial": [(0, 0.4, 0.3, 0.1), (0.8, 0.6, 0.2, 0.1)],
        "purchase": [(0, nil, 0.4, 0.9), (0.09, nil, 0.6, 0.9)],
        // Felt when an exploring finger comes upon the edge of a region.
        "explore-edge": [(0, nil, 0.5, 0.9)],
        "growth": [(0, nil, 0.3, 0.5), (0.11, nil, 0.4, 0.5), (0.22, nil, 0.5, 0.5), (0.33, nil, 0.6, 0.5), (0.44, nil, 0.8, 0.5)],
    ]
}

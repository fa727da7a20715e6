import Units

/// What the named cues sound and feel like.
public struct Theme: Equatable, Sendable {
    public var name: String
    public var toneCurve: ToneCurve
    /// The fade at each end of the tone, 0.001…1 s.
    public var toneFade: Seconds
    /// What the tone is made of, 1 to 8 partials.
    public var tonePartials: [TonePartial]
    /// No sample leaves the engine above it, −60…0 dBFS.
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

extension Theme {
    public static let standard = Theme(
        name: "standard",
        toneCurve: .standard,
        toneFade: .milliseconds(5),
        ceiling: Decibels(-1),
        chimes: [
            "unlock": Chime(notes: [
                bell(at: .zero, Hertz(659.2551), decay: Seconds(0.9)),
                bell(at: .milliseconds(120), Hertz(987.7666), decay: Seconds(1.4)),
            ]),
            "ding": Chime(notes: [bell(at: .zero, Hertz(1567.9817), decay: Seconds(1.2))]),
            "bypass": Chime(notes: [
                bell(at: .zero, Hertz(220.0), decay: Seconds(0.5)),
                bell(at: Seconds(0.1), Hertz(164.8138), decay: Seconds(0.7)),
            ]),
            "shield-back": Chime(notes: [
                bell(at: .zero, Hertz(391.9954), decay: Seconds(0.6)),
                bell(at: Seconds(0.25), Hertz(523.2511), decay: Seconds(0.9)),
            ]),
            "band-drop": Chime(notes: [
                bell(at: .zero, Hertz(329.6276), decay: Seconds(0.5)),
                bell(at: Seconds(0.16), Hertz(293.6648), decay: Seconds(0.5)),
                bell(at: Seconds(0.32), Hertz(261.6256), decay: Seconds(0.8)),
            ]),
            "welcome": Chime(notes: [
                bell(at: .zero, Hertz(261.6256), decay: Seconds(0.5)),
                bell(at: Seconds(0.3), Hertz(329.6276), decay: Seconds(0.4)),
                bell(at: Seconds(0.42), Hertz(391.9954), decay: Seconds(1.0)),
            ]),
            "nightly": Chime(notes: [
                bell(at: .zero, Hertz(329.6276), decay: Seconds(1.2)),
                bell(at: Seconds(0.6), Hertz(220.0), decay: Seconds(1.8)),
            ]),
            "terminal": Chime(notes: [
                bell(at: .zero, Hertz(195.9977), decay: Seconds(3.0)),
            ]),
            "streak": Chime(notes: [
                bell(at: .zero, Hertz(523.2511), decay: Seconds(0.3)),
                bell(at: Seconds(0.09), Hertz(587.3295), decay: Seconds(0.3)),
                bell(at: Seconds(0.18), Hertz(698.4565), decay: Seconds(0.3)),
                bell(at: Seconds(0.27), Hertz(783.9909), decay: Seconds(1.0)),
            ]),
        ].merging(mews) { $1 }.merging(petChimes) { $1 },
        textures: [
            "purr-healthy": purr(level: -26, rate: 26, inhaled: 24, depth: 0.8, breath: 3, intensity: 0.6),
            "purr-concerned": purr(level: -26, rate: 27, depth: 0.6, jitter: 0.05, breath: 3, voice: 450, intensity: 0.6),
            "purr-tired": purr(level: -32, rate: 23, depth: 0.5, breath: 5, intensity: 0.4),
            "purr-weak": purr(level: -36, rate: 21, depth: 0.3, gaps: 0.4, breath: 5, intensity: 0.25),
        ].merging(petTextures) { $1 },
        haptics: [
            "touch-down": HapticPattern(events: [tap(at: .zero, intensity: 0.35, sharpness: 0.6)]),
            "touch-up": HapticPattern(events: [tap(at: .zero, intensity: 0.25, sharpness: 0.4)]),
            "swipe": HapticPattern(events: [
                tap(at: .zero, intensity: 0.7, sharpness: 1),
                tap(at: .milliseconds(60), intensity: 0.5, sharpness: 1),
            ]),
            "unlock": HapticPattern(events: [
                tap(at: .zero, intensity: 1, sharpness: 0.5),
                HapticEvent(time: .milliseconds(20), kind: .continuous(duration: .milliseconds(220)), intensity: 0.9,
                            sharpness: 0.3),
            ]),
            "surprise": HapticPattern(events: [
                tap(at: .zero, intensity: 0.6, sharpness: 0.8),
                tap(at: .milliseconds(90), intensity: 0.8, sharpness: 0.8),
                tap(at: .milliseconds(180), intensity: 1, sharpness: 0.8),
            ]),
            "bypass": HapticPattern(events: [
                tap(at: .zero, intensity: 0.8, sharpness: 0.5),
                tap(at: Seconds(0.1), intensity: 0.6, sharpness: 0.3),
            ]),
            "shield-back": HapticPattern(events: [
                buzz(at: .zero, for: Seconds(0.15), intensity: 0.4, sharpness: 0.2),
                tap(at: Seconds(0.25), intensity: 0.5, sharpness: 0.4),
            ]),
            "band-drop": HapticPattern(events: [
                tap(at: .zero, intensity: 0.7, sharpness: 0.3),
                tap(at: Seconds(0.16), intensity: 0.7, sharpness: 0.3),
                tap(at: Seconds(0.32), intensity: 0.9, sharpness: 0.2),
            ]),
            "welcome": HapticPattern(events: [
                buzz(at: .zero, for: Seconds(0.2), intensity: 0.4, sharpness: 0.2),
                tap(at: Seconds(0.3), intensity: 0.4, sharpness: 0.4),
                tap(at: Seconds(0.42), intensity: 0.5, sharpness: 0.4),
            ]),
            "nightly": HapticPattern(events: [
                buzz(at: .zero, for: Seconds(0.4), intensity: 0.3, sharpness: 0.1),
                buzz(at: Seconds(0.6), for: Seconds(0.5), intensity: 0.2, sharpness: 0),
            ]),
            "terminal": HapticPattern(events: [
                buzz(at: .zero, for: Seconds(0.8), intensity: 0.9, sharpness: 0),
            ]),
            "streak": HapticPattern(events: [
                tap(at: .zero, intensity: 0.4, sharpness: 0.8),
                tap(at: Seconds(0.09), intensity: 0.5, sharpness: 0.8),
                tap(at: Seconds(0.18), intensity: 0.6, sharpness: 0.8),
                tap(at: Seconds(0.27), intensity: 0.8, sharpness: 0.8),
            ]),
        ].merging(petHaptics) { $1 })

    /// Frequencies are equal temperament on A4 = 440 Hz: 440·2^(n/12), E5, B5 and G6 for n = 7, 14, 22; `themes/standard.yaml` names all.
    /// From `bypass` on, chimes are told apart by their rhythms, and no two notes are less than 82 ms apart.
    /// Partials follow a struck bar (1, 2.76, 5.40: Fletcher & Rossing, The Physics of Musical Instruments, ch. 2.15),
    /// soft enough that the strike note alone gives the pitch.
    static func bell(at start: Seconds, _ frequency: Hertz, decay: Seconds) -> ChimeNote {
        ChimeNote(start: start, frequency: frequency, level: Decibels(-16), attack: .milliseconds(3), decay: decay,
                  partials: [
                      Partial(ratio: 1, level: Decibels(0)),
                      Partial(ratio: 2.756, level: Decibels(-20)),
                      Partial(ratio: 5.404, level: Decibels(-32)),
                  ])
    }

    /// A cat's: 26.3 ± 2 Hz, out some 2 Hz faster than in (Sissom, Rice & Peters, J. Zool. 223, 1991: 26.3 ± 1.95 Hz); a cry in it makes it
    /// urgent (McComb et al., Current Biology 19, 2009). Between 120 and 400 Hz, which small speakers still give.
    static func purr(level: Double, rate: Double, inhaled: Double? = nil, depth: Double, jitter: Double = 0, gaps: Double = 0,
                             breath: Double, voice: Double? = nil, intensity: Double) -> Texture {
        Texture(level: Decibels(level), noise: Texture.Band(low: Hertz(120), high: Hertz(400)),
                pulse: Texture.Pulse(rate: Hertz(rate), inhaled: Hertz(inhaled ?? rate - 2), depth: depth, jitter: jitter, gaps: gaps),
                breath: Texture.Breath(period: Seconds(breath), depth: 0.5),
                voice: voice.map { Texture.Voice(frequency: Hertz($0), level: Decibels(-18)) },
                touch: Texture.Feel(intensity: intensity, sharpness: 0.1))
    }

    static func buzz(at time: Seconds, for duration: Seconds, intensity: Double, sharpness: Double) -> HapticEvent {
        HapticEvent(time: time, kind: .continuous(duration: duration), intensity: intensity, sharpness: sharpness)
    }

    static func tap(at time: Seconds, intensity: Double, sharpness: Double) -> HapticEvent {
        HapticEvent(time: time, kind: .transient, intensity: intensity, sharpness: sharpness)
    }
}

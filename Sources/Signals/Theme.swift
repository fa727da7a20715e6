import Units

/// What the named cues sound and feel like.
public struct Theme: Equatable, Sendable {
    public var name: String
    public var toneCurve: ToneCurve
    /// The fade at each end of the tone, 0.001…1 s.
    public var toneFade: Seconds
    /// No sample leaves the engine above it, −60…0 dBFS.
    public var ceiling: Decibels
    public var chimes: [String: Chime]
    public var textures: [String: Texture]
    public var haptics: [String: HapticPattern]

    public init(name: String, toneCurve: ToneCurve, toneFade: Seconds, ceiling: Decibels, chimes: [String: Chime],
                textures: [String: Texture] = [:], haptics: [String: HapticPattern]) {
        self.name = name
        self.toneCurve = toneCurve
        self.toneFade = toneFade
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
        ],
        textures: [
            "purr-healthy": purr(level: -26, rate: 26, inhaled: 24, depth: 0.8, breath: 3, intensity: 0.6),
            "purr-concerned": purr(level: -26, rate: 27, depth: 0.6, jitter: 0.05, breath: 3, voice: 450, intensity: 0.6),
            "purr-tired": purr(level: -32, rate: 23, depth: 0.5, breath: 5, intensity: 0.4),
            "purr-weak": purr(level: -36, rate: 21, depth: 0.3, gaps: 0.4, breath: 5, intensity: 0.25),
        ],
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
        ])

    /// Frequencies are equal temperament on A4 = 440 Hz: E5, B5 and G6 (440·2^(n/12), n = 7, 14, 22).
    /// Partials follow a struck bar (1, 2.76, 5.40: Fletcher & Rossing, The Physics of Musical Instruments, ch. 2.15),
    /// soft enough that the strike note alone gives the pitch.
    private static func bell(at start: Seconds, _ frequency: Hertz, decay: Seconds) -> ChimeNote {
        ChimeNote(start: start, frequency: frequency, level: Decibels(-16), attack: .milliseconds(3), decay: decay,
                  partials: [
                      Partial(ratio: 1, level: Decibels(0)),
                      Partial(ratio: 2.756, level: Decibels(-20)),
                      Partial(ratio: 5.404, level: Decibels(-32)),
                  ])
    }

    /// A cat's: 26.3 ± 2 Hz, out some 2 Hz faster than in (Sissom, Rice & Peters, J. Zool. 223, 1991: 26.3 ± 1.95 Hz); a cry in it makes it
    /// urgent (McComb et al., Current Biology 19, 2009). Between 120 and 400 Hz, which small speakers still give.
    private static func purr(level: Double, rate: Double, inhaled: Double? = nil, depth: Double, jitter: Double = 0, gaps: Double = 0,
                             breath: Double, voice: Double? = nil, intensity: Double) -> Texture {
        Texture(level: Decibels(level), noise: Texture.Band(low: Hertz(120), high: Hertz(400)),
                pulse: Texture.Pulse(rate: Hertz(rate), inhaled: Hertz(inhaled ?? rate - 2), depth: depth, jitter: jitter, gaps: gaps),
                breath: Texture.Breath(period: Seconds(breath), depth: 0.5),
                voice: voice.map { Texture.Voice(frequency: Hertz($0), level: Decibels(-18)) },
                touch: Texture.Feel(intensity: intensity, sharpness: 0.1))
    }

    private static func tap(at time: Seconds, intensity: Double, sharpness: Double) -> HapticEvent {
        HapticEvent(time: time, kind: .transient, intensity: intensity, sharpness: sharpness)
    }
}

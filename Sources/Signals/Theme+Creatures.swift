import Units

// What the standard theme has for animals that are kept: ScrollKitty's voice, and Unhooked's pets.
extension Theme {
    /// ScrollKitty's voice, by how it is: the healthier, the higher, quicker and louder (262, 196, 147 Hz; 0, −6, −10 dB). Frequencies are
    /// equal temperament: C4, E4, G4; C4; G3, E3; D3; and from D3 down to 125 Hz. A weak cat's partials are 3 % too wide. The dead one's
    /// waits until its purr has faded.
    static let mews: [String: Chime] = [
        "mew-healthy": Chime(notes: [
            mew(at: .zero, Hertz(261.6256), level: -20, lasts: 0.12),
            mew(at: Seconds(0.12), Hertz(329.6276), level: -20, lasts: 0.12),
            mew(at: Seconds(0.24), Hertz(391.9954), level: -20, lasts: 0.12),
        ]),
        "mew-concerned": Chime(notes: [
            mew(at: .zero, Hertz(261.6256), level: -20, lasts: 0.12),
            mew(at: Seconds(0.12), Hertz(261.6256), level: -20, lasts: 0.12),
        ]),
        "mew-tired": Chime(notes: [
            mew(at: .zero, Hertz(195.9977), level: -26, lasts: 0.25),
            mew(at: Seconds(0.25), Hertz(164.8138), level: -26, lasts: 0.25),
        ]),
        "mew-weak": Chime(notes: [mew(at: .zero, Hertz(146.8324), level: -30, lasts: 0.5, stretch: 1.03)]),
        "mew-dead": Chime(notes: [
            mew(at: Seconds(0.3), Hertz(146.8324), level: -20, lasts: 2, glide: ChimeNote.Glide(to: Hertz(125), time: Seconds(2))),
        ]),
    ]

    /// A vowel more than a bell: it swells, and its partials are whole multiples.
    private static func mew(at start: Seconds, _ frequency: Hertz, level: Double, lasts: Double, stretch: Double = 1,
                            glide: ChimeNote.Glide? = nil) -> ChimeNote {
        ChimeNote(start: start, frequency: frequency, level: Decibels(level), attack: Seconds(0.02), decay: Seconds(lasts), partials: [
            Partial(ratio: 1, level: Decibels(0)),
            Partial(ratio: 2 * stretch, level: Decibels(-10)),
            Partial(ratio: 3 * stretch, level: Decibels(-18)),
        ], glide: glide)
    }

    // MARK: Unhooked

    /// A healthy cat purrs as `purr-healthy` does. A dog pants: breath from 400 Hz to 1.6 kHz, 3 to 4 times a second. What is sick is
    /// uneven, has a cry in it, and fades slowly where it ends; no pulse of the cat's is slower than 18 Hz.
    static let petTextures: [String: Texture] = [
        "purr-sick": {
            var sick = purr(level: -30, rate: 23, inhaled: 23, depth: 0.6, jitter: 0.1, gaps: 0.3, breath: 4, voice: 450, intensity: 0.4)
            sick.voice?.level = Decibels(-12)
            sick.release = Seconds(1.5)
            return sick
        }(),
        "pant-healthy": pant(level: -28, rate: 3.5, jitter: 0.05, intensity: 0.5),
        "pant-sick": {
            var sick = pant(level: -32, rate: 3.3, jitter: 0.09, intensity: 0.35)
            sick.pulse?.gaps = 0.3
            sick.voice = Texture.Voice(frequency: Hertz(450), level: Decibels(-12))
            sick.release = Seconds(1.5)
            return sick
        }(),
    ]

    private static func pant(level: Double, rate: Double, jitter: Double, intensity: Double) -> Texture {
        Texture(level: Decibels(level), noise: Texture.Band(low: Hertz(400), high: Hertz(1_600)),
                pulse: Texture.Pulse(rate: Hertz(rate), depth: 0.95, jitter: jitter),
                breath: Texture.Breath(period: Seconds(4), depth: 0.2), touch: Texture.Feel(intensity: intensity, sharpness: 0.2))
    }

    /// Told apart by their rhythms, as the cat's are: no two have the same starts.
    static let petChimes: [String: Chime] = [
        "eating": melody((0, 391.9954, 0.15), (0.14, 391.9954, 0.15), (0.28, 391.9954, 0.3)),
        "award": melody((0, 523.2511, 0.3), (0.1, 783.9909, 0.3), (0.2, 1046.5023, 0.9)),
        "cure": melody((0, 329.6276, 0.8), (0.35, 391.9954, 0.8), (0.7, 523.2511, 1.4)),
        "revive": melody((0, 195.9977, 1), (0.4, 261.6256, 0.8), (0.7, 391.9954, 0.6), (0.9, 523.2511, 1.6)),
        "restart": melody((0, 261.6256, 0.3), (0.2, 523.2511, 1)),
        "death": Chime(notes: [
            mew(at: Seconds(0.3), Hertz(146.8324), level: -20, lasts: 2, glide: ChimeNote.Glide(to: Hertz(125), time: Seconds(2))),
        ]),
        "memorial": melody((0, 261.6256, 1.6), (0.8, 195.9977, 2.2)),
        "purchase": melody((0, 783.9909, 0.2), (0.09, 1046.5023, 0.6)),
        "growth": melody((0, 261.6256, 0.25), (0.11, 329.6276, 0.25), (0.22, 391.9954, 0.25), (0.33, 440, 0.25), (0.44, 523.2511, 1)),
    ]

    /// Bells: start in seconds, frequency in hertz, decay in seconds.
    private static func melody(_ notes: (start: Double, frequency: Double, decay: Double)...) -> Chime {
        Chime(notes: notes.map { bell(at: Seconds($0.start), Hertz($0.frequency), decay: Seconds($0.decay)) })
    }

    /// In the rhythm of the chimes.
    static let petHaptics: [String: HapticPattern] = [
        "eating": taps((0, 0.4, 0.5), (0.14, 0.4, 0.5), (0.28, 0.5, 0.5)),
        "award": taps((0, 0.4, 0.7), (0.1, 0.5, 0.7), (0.2, 0.8, 0.7)),
        "cure": buzzes((0, 0.25, 0.3), (0.35, 0.25, 0.4), (0.7, 0.4, 0.5)),
        "revive": buzzes((0, 0.3, 0.3), (0.4, 0.2, 0.5), (0.7, 0.1, 0.7), (0.9, 0.5, 0.9)),
        "restart": taps((0, 0.5, 0.3), (0.2, 0.8, 0.6)),
        "death": buzzes((0.3, 1, 0.4), (1.3, 1, 0.2)),
        "memorial": buzzes((0, 0.4, 0.3), (0.8, 0.6, 0.2)),
        "purchase": taps((0, 0.4, 0.9), (0.09, 0.6, 0.9)),
        "growth": taps((0, 0.3, 0.5), (0.11, 0.4, 0.5), (0.22, 0.5, 0.5), (0.33, 0.6, 0.5), (0.44, 0.8, 0.5)),
    ]

    /// Time in seconds, intensity, sharpness.
    private static func taps(_ taps: (time: Double, intensity: Double, sharpness: Double)...) -> HapticPattern {
        HapticPattern(events: taps.map { tap(at: Seconds($0.time), intensity: $0.intensity, sharpness: $0.sharpness) })
    }

    /// Time and duration in seconds, intensity; round.
    private static func buzzes(_ buzzes: (time: Double, duration: Double, intensity: Double)...) -> HapticPattern {
        HapticPattern(events: buzzes.map { buzz(at: Seconds($0.time), for: Seconds($0.duration), intensity: $0.intensity, sharpness: 0.1) })
    }
}

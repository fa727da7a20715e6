import Fields
import Units

/// One instruction to the outputs. It takes effect at the frame of the event that caused it.
public enum Cue: Equatable, Sendable {
    case toneGate(open: Bool)
    case tonePitch(Hertz, glide: Seconds)
    case toneLevel(Decibels)
    /// Plays a chime of the theme, by name.
    case chime(String)
    /// Begins or ends a texture of the theme, by name. A texture that sounds does not change when the theme does.
    case texture(String, on: Bool)
    /// Begins pink noise, or changes the level of its RMS; nil ends it.
    case noise(Decibels?)
    /// Plays a haptic pattern of the theme, by name.
    case haptic(String)
    /// Plays a haptic pattern that comes with the event and is not in the theme.
    case pattern(HapticPattern)
    case mute(Bool)
    case ceiling(Decibels)
    case volume(Decibels, fade: Seconds)
    /// Switches to another theme: from now on names of chimes, textures and patterns mean those of that theme.
    case theme(Theme)
    /// Ends everything that sounds or is felt, with a short fade.
    case stop

    /// The range of the tone's pitch in journals, in Hz; `glides` is the range of the time that a change of pitch takes, in s.
    public static let pitches = 20.0...5_000
    public static let glides = 0.0...10
    /// The range of the tone's level in journals, in dBFS.
    public static let levels = -120.0...0
}

extension Theme {
    /// Commands that give the tone this theme's fade and partials. They take effect when the tone begins or ends next.
    public var toneCommands: [SynthCommand] { [.toneFade(toneFade), .tonePartials(TonePartials(tonePartials))] }
}

/// Translates cues into commands of the synth, by one theme.
public struct CueLowering: Sendable {
    private let chimes: [String: Chime]
    private let textures: [String: Texture]
    /// The numbers by which the synth knows the haptic patterns that it plays, by their names. With a transducer, these are all patterns;
    /// without one, only those that contain sounds.
    private let numbers: [String: Int]

    /// Creates the translation for a theme. `numbers` has the number of each pattern's waveform by the pattern's name. `hasTransducer` says
    /// whether haptic patterns are sent to a transducer.
    public init(_ theme: Theme, numbers: [String: Int], hasTransducer: Bool) {
        chimes = theme.chimes
        textures = theme.textures
        self.numbers = numbers.filter { hasTransducer || theme.haptics[$0.key]?.sounds.isEmpty == false }
    }

    /// Returns the synth's commands for a cue: for a chime, one for each note.
    public func commands(for cue: Cue) -> [SynthCommand] {
        switch cue {
        case .toneGate(let open): [.gate(open: open)]
        case .tonePitch(let frequency, let glide): [.pitch(frequency, glide: glide)]
        case .toneLevel(let level): [.level(level)]
        case .chime(let name): chimes[name]?.notes.map { .note(NoteCommand($0)) } ?? []
        case .texture(let name, on: true): textures[name].map { [.texture($0, id: Self.id(of: name))] } ?? []
        case .texture(let name, on: false): [.endTexture(id: Self.id(of: name))]
        case .noise(let level?): [.noise(level)]
        case .noise(nil): [.endNoise]
        case .haptic(let name): numbers[name].map { [.haptic($0)] } ?? []
        case .mute(let on): [.mute(on)]
        case .ceiling(let level): [.ceiling(level)]
        case .volume(let level, let fade): [.volume(level, fade: fade)]
        case .theme(let theme): theme.toneCommands + [.ceiling(theme.ceiling)]
        // A pattern that comes with an event: the synth only has the waveforms of the theme's patterns.
        case .pattern: []
        case .stop: [.stop]
        }
    }

    /// Returns the texture's id: FNV-1a of the name's UTF-8, made odd so that it is never 0. It does not depend on the theme or the run,
    /// because the texture's noise is computed from the id.
    private static func id(of name: String) -> UInt64 {
        name.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 } | 1
    }
}

/// Cues are written for clients that subscribe to them, and are never decoded.
extension Cue: Encodable {
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Fields.Key.self)
        func put(_ name: CueName) throws { try container.encode(name, forKey: .init("cue")) }
        switch self {
        case .toneGate(let open):
            try put(.toneGate)
            try container.encode(open, forKey: .init("open"))
        case .tonePitch(let frequency, let glide):
            try put(.tonePitch)
            try container.encode(frequency.rawValue, forKey: .init("frequency"))
            try container.encode(glide.rawValue, forKey: .init("glide"))
        case .toneLevel(let level):
            try put(.toneLevel)
            try container.encode(level.rawValue, forKey: .init("level"))
        case .chime(let name):
            try put(.chime)
            try container.encode(name, forKey: .init("name"))
        case .texture(let name, let on):
            try put(.texture)
            try container.encode(name, forKey: .init("name"))
            try container.encode(on, forKey: .init("on"))
        case .noise(let level):
            try put(.noise)
            try container.encode(level != nil, forKey: .init("on"))
            try container.encodeIfPresent(level?.rawValue, forKey: .init("level"))
        case .haptic(let name):
            try put(.haptic)
            try container.encode(name, forKey: .init("name"))
        case .pattern(let pattern):
            try put(.haptic)
            try container.encode(pattern, forKey: .init("pattern"))
        case .mute(let on):
            try put(.mute)
            try container.encode(on, forKey: .init("on"))
        case .ceiling(let level):
            try put(.ceiling)
            try container.encode(level.rawValue, forKey: .init("level"))
        case .volume(let level, let fade):
            try put(.volume)
            try container.encode(level.rawValue, forKey: .init("level"))
            try container.encode(fade.rawValue, forKey: .init("fade"))
        case .theme(let theme):
            try put(.theme)
            try container.encode(theme.name, forKey: .init("name"))
        case .stop:
            try put(.stop)
        }
    }
}

/// The names of cues. Patterns of the theme and patterns that come with an event are both called `haptic`.
private enum CueName: String, CaseIterable, Encodable {
    case toneGate = "tone.gate"
    case tonePitch = "tone.pitch"
    case toneLevel = "tone.level"
    case chime, texture, noise, haptic, mute, ceiling, volume, theme, stop
}

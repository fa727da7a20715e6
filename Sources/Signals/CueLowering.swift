
extension Theme {
    /// What makes the tone this theme's, from the next time on that it begins or ends.
    public var toneCommands: [SynthCommand] { [.toneFade(toneFade), .tonePartials(TonePartials(tonePartials))] }
}

/// What the synth is to do for a theme's cues.
public struct CueLowering: Sendable {
    private let chimes: [String: Chime]
    private let textures: [String: Texture]
    /// Of the haptic patterns that the synth has to do with: all of them with a transducer, else those that make a sound.
    private let numbers: [String: Int]

    /// `numbers` are those of the patterns' waveforms; `hasTransducer`: whether there is one that haptic patterns go to.
    public init(_ theme: Theme, numbers: [String: Int], hasTransducer: Bool) {
        chimes = theme.chimes
        textures = theme.textures
        self.numbers = numbers.filter { hasTransducer || theme.haptics[$0.key]?.sounds.isEmpty == false }
    }

    /// For a chime one note command a note.
    public func commands(for cue: Cue) -> [SynthCommand] {
        switch cue {
        case .toneGate(let open): [.gate(open: open)]
        case .tonePitch(let frequency, let glide): [.pitch(frequency, glide: glide)]
        case .toneLevel(let level): [.level(level)]
        case .chime(let name): chimes[name]?.notes.map { .note(NoteCommand($0)) } ?? []
        case .texture(let name, on: true): textures[name].map { [.texture($0, id: Self.id(of: name))] } ?? []
        case .texture(let name, on: false): [.endTexture(id: Self.id(of: name))]
        case .haptic(let name): numbers[name].map { [.haptic($0)] } ?? []
        case .mute(let on): [.mute(on)]
        case .ceiling(let level): [.ceiling(level)]
        case .volume(let level, let fade): [.volume(level, fade: fade)]
        case .theme(let theme): theme.toneCommands + [.ceiling(theme.ceiling)]
        // The synth has its waveforms from the theme.
        case .pattern: []
        case .stop: [.stop]
        }
    }

    /// The same in every theme and run, since a texture's noise follows from it: FNV-1a of the name's UTF-8, odd so that it is never 0.
    private static func id(of name: String) -> UInt64 {
        name.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 } | 1
    }
}

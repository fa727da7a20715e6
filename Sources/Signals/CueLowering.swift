
/// What the synth is to do for a theme's cues.
public struct CueLowering: Sendable {
    private let chimes: [String: Chime]
    /// Of the haptic patterns that the synth has to do with: all of them with a transducer, else those that make a sound.
    private let numbers: [String: Int]

    /// `numbers` are those of the patterns' waveforms; `hasTransducer`: whether there is one that haptic patterns go to.
    public init(_ theme: Theme, numbers: [String: Int], hasTransducer: Bool) {
        chimes = theme.chimes
        self.numbers = numbers.filter { hasTransducer || theme.haptics[$0.key]?.sounds.isEmpty == false }
    }

    /// For a chime one note command a note.
    public func commands(for cue: Cue) -> [SynthCommand] {
        switch cue {
        case .toneGate(let open): [.gate(open: open)]
        case .tonePitch(let frequency, let glide): [.pitch(frequency, glide: glide)]
        case .toneLevel(let level): [.level(level)]
        case .chime(let name): chimes[name]?.notes.map { .note(NoteCommand($0)) } ?? []
        case .haptic(let name): numbers[name].map { [.haptic($0)] } ?? []
        case .mute(let on): [.mute(on)]
        case .ceiling(let level): [.ceiling(level)]
        case .volume(let level, let fade): [.volume(level, fade: fade)]
        case .theme(let theme): [.toneFade(theme.toneFade), .ceiling(theme.ceiling)]
        // The synth has its waveforms from the theme.
        case .pattern: []
        case .stop: [.stop]
        }
    }
}

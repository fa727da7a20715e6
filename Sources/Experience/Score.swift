import Signals

/// What the synth is to do for a theme's cues.
public struct Score: Sendable {
    private let chimes: [String: Chime]
    /// Numbers of the haptic patterns that go to a transducer.
    private let numbers: [String: Int]

    /// `hasTransducer`: whether there is one that haptic patterns go to.
    public init(_ theme: Theme, hasTransducer: Bool) {
        chimes = theme.chimes
        let names = hasTransducer ? theme.numberedHaptics.map(\.name) : []
        numbers = Dictionary(uniqueKeysWithValues: zip(names, names.indices))
    }

    /// For a chime one note command a note.
    public func commands(for cue: Cue) -> [SynthCommand] {
        switch cue {
        case .toneGate(let open): [.gate(open: open)]
        case .tonePitch(let frequency, let glide): [.pitch(frequency, glide: glide)]
        case .toneLevel(let level): [.level(level)]
        case .chime(let name): chimes[name]?.notes.map { .note(NoteCommand($0)) } ?? []
        case .haptic(let name): numbers[name].map { [.haptic($0)] } ?? []
        case .stop: [.stop]
        }
    }
}

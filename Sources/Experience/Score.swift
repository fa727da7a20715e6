import Signals

extension Theme {
    /// What the synth is to do for `cue`: nothing for haptics, and for a chime one note command a note.
    public func commands(for cue: Cue) -> [SynthCommand] {
        switch cue {
        case .toneGate(let open): [.gate(open: open)]
        case .tonePitch(let frequency, let glide): [.pitch(frequency, glide: glide)]
        case .toneLevel(let level): [.level(level)]
        case .chime(let name): chimes[name]?.notes.map { .note(NoteCommand($0)) } ?? []
        case .haptic: []
        case .stop: [.stop]
        }
    }
}

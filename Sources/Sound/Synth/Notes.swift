import Signals
import Units

/// All notes there can be: 32 that sound or wait, and room for 16 more that are fading out to make place.
struct Notes {
    static var limit: Int { @_noLocks @_noAllocation get { 32 } }
    static var slots: Int { 48 }

    private let rate: SampleRate
    private var notes = InlineArray<48, Note>(repeating: Note())
    private var active = 0
    private var struck: UInt64 = 0
    /// Notes faded out early because a 33rd came.
    private(set) var stolen: UInt64 = 0
    /// Notes never begun because every slot was still fading.
    private(set) var refused: UInt64 = 0

    @_noLocks @_noAllocation
    init(rate: SampleRate) { self.rate = rate }

    @_noLocks @_noAllocation
    mutating func strike(_ command: NoteCommand, number: UInt64) {
        struck += 1
        var held = 0
        var oldest = -1
        var free = -1
        for index in notes.indices {
            if !notes[index].isActive {
                free = index
            } else if notes[index].isHeld {
                held += 1
                if oldest < 0 || notes[index].order < notes[oldest].order { oldest = index }
            }
        }
        // Without a slot to begin in, cutting the oldest off would gain nothing.
        guard free >= 0 else {
            refused += 1
            return
        }
        if held >= Self.limit {
            fade(oldest, in: fadeFrames(rate))
            stolen += 1
        }
        active += 1
        notes[free].strike(command, number: number, order: struck, rate: rate)
    }

    @_noLocks @_noAllocation
    mutating func stop(in frames: Int) {
        for index in notes.indices where notes[index].isActive { fade(index, in: frames) }
    }

    @_noLocks @_noAllocation
    private mutating func fade(_ index: Int, in frames: Int) {
        notes[index].fade(in: frames)
        if !notes[index].isActive { active -= 1 }
    }

    /// Nothing sounds or waits.
    var areOver: Bool { @_noLocks @_noAllocation get { active == 0 } }

    /// Adds `count` frames of every note to `out` from `start` on.
    @_noLocks @_noAllocation
    mutating func add(to out: inout MutableSpan<Float>, at start: Int, count: Int, _ kept: KeptNotes?) {
        guard active > 0 else { return }
        for index in notes.indices where notes[index].isActive {
            notes[index].add(to: &out, at: start, count: count, slot: index, kept)
            if !notes[index].isActive { active -= 1 }
        }
    }
}

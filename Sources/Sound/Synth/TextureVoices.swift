import Signals
import Units

/// The textures that sound, at most four, those that are fading out among them.
struct TextureVoices {
    private let rate: SampleRate
    private var voices = InlineArray<4, TextureVoice>(repeating: TextureVoice())
    private var active = 0
    /// Textures never begun because four others sounded.
    private(set) var refused: UInt64 = 0

    @_noLocks @_noAllocation
    init(rate: SampleRate) { self.rate = rate }

    /// Begins it in `shape`. One that sounds already goes on as it began.
    @_noLocks @_noAllocation
    mutating func begin(_ shape: Texture, id: UInt64) {
        var free = -1
        for index in voices.indices {
            if !voices[index].isActive {
                free = index
            } else if voices[index].id == id, voices[index].isHeld {
                return
            }
        }
        guard free >= 0 else {
            refused += 1
            return
        }
        voices[free] = TextureVoice(shape, id: id, rate: rate)
        active += 1
    }

    /// Ends it, softly.
    @_noLocks @_noAllocation
    mutating func end(id: UInt64) {
        for index in voices.indices where voices[index].id == id && voices[index].isHeld { voices[index].release() }
    }

    @_noLocks @_noAllocation
    mutating func stop(in frames: Int) {
        for index in voices.indices where voices[index].isActive { voices[index].stop(in: frames) }
    }

    var areOver: Bool { @_noLocks @_noAllocation get { active == 0 } }

    /// Adds `count` frames of all to `sound` from `start` on, and if that is wanted to `felt` from its own start on.
    @_noLocks @_noAllocation
    mutating func add(to sound: inout MutableSpan<Float>, at start: Int, count: Int, felt: inout MutableSpan<Float>, isFelt: Bool) {
        guard active > 0 else { return }
        for index in voices.indices where voices[index].isActive {
            voices[index].add(to: &sound, at: start, count: count, felt: &felt, isFelt: isFelt)
            if !voices[index].isActive { active -= 1 }
        }
    }
}

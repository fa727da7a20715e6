/// Takes the sound away and gives it back, each along a raised cosine.
struct Mute {
    private var volume = Ramp(at: 1)

    @_noLocks @_noAllocation
    init() {}

    /// In so many frames.
    @_noLocks @_noAllocation
    mutating func set(_ on: Bool, in frames: Int) { volume.head(for: on ? 0 : 1, in: frames) }

    /// Acts on `count` samples of `span` from `start` on.
    @_noLocks @_noAllocation
    mutating func apply(to span: inout MutableSpan<Float>, at start: Int, count: Int) {
        guard volume.remaining > 0 || volume.target < 1 else { return }
        for index in start..<start + count {
            volume.advance(1)
            span[index] *= volume.value
        }
    }
}

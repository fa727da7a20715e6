/// Which of a stream's channels are speakers and which are transducers. Thread: render.
final class ChannelMap {
    /// By channel.
    private let isTransducer: [Bool]
    /// Where frames of sound and transducer are rendered, before they go to their channels.
    private let scratch: UnsafeMutableBufferPointer<Float>

    private static let capacity = 4_096

    /// `transducers` are channels from 1; without any the stream is mono, else it has the sink's channels, and all others are
    /// speakers.
    init(transducers: [Int], sinkChannels: Int) {
        var count = 1
        if let last = transducers.max() {
            // libpulse takes no negative offset unless a frame is a power of two long: it divides it as an unsigned number (observed
            // with 16.1, pa_stream_write). Channels that the sink has not are heard nowhere.
            while count < max(last, sinkChannels, transducers.count + 1) { count *= 2 }
        }
        isTransducer = (1...count).map { transducers.contains($0) }
        scratch = .allocate(capacity: transducers.isEmpty ? 0 : 2 * Self.capacity)
        scratch.initialize(repeating: 0)
    }

    deinit { scratch.deallocate() }

    var count: Int { isTransducer.count }
    var isMono: Bool { scratch.isEmpty }

    /// So many of `frames` can be filled at once.
    func longest(_ frames: Int) -> Int { isMono ? frames : min(frames, Self.capacity) }

    /// Has `render` render `count` frames, and lays them out in `span`.
    func fill(_ span: inout MutableSpan<Float>, count: Int, _ render: (inout MutableSpan<Float>) -> Void) {
        guard !isMono else { return render(&span) }
        var rendered = UnsafeMutableBufferPointer(rebasing: scratch[..<(2 * count)]).mutableSpan
        render(&rendered)
        for frame in 0..<count {
            for channel in isTransducer.indices {
                span[frame * isTransducer.count + channel] = rendered[2 * frame + (isTransducer[channel] ? 1 : 0)]
            }
        }
    }
}

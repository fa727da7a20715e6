/// Which of a stream's channels are speakers and which are transducers. Thread: render.
final class ChannelMap {
    /// By channel.
    private let isTransducer: [Bool]
    /// Where frames of sound and transducer are rendered, before they go to their channels.
    private let scratch: UnsafeMutableBufferPointer<Float>

    private static let capacity = 4_096

    /// `transducers` are channels from 1; without any the stream is mono.
    init(transducers: [Int]) {
        // There is always a speaker.
        let count = max(transducers.max() ?? 1, transducers.isEmpty ? 1 : transducers.count + 1)
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

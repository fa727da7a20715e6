import Realtime
import Units

/// The latest rendered samples. The renderer compares new samples with them, and the meter measures them once they are played. Thread:
/// render.
struct SentFrames: ~Copyable {
    let reader: RenderedFrames
    private var writer: HistoryWriter
    private let channels: Int

    /// Allocates room for at least the latest `reach` of sound.
    init(rate: SampleRate, reach: Seconds, channels: Int) {
        self.channels = channels
        let ends = HistoryBuffer.make(capacity: Int(rate.frames(in: reach).rawValue) * channels)
        writer = ends.writer
        reader = RenderedFrames(ends.reader, rate: rate, channels: channels)
    }

    /// Stores `count` frames of `span`, from its frame `start` on. They are the frames of the output from `frame` on.
    @_noLocks @_noAllocation
    mutating func keep(_ span: borrowing MutableSpan<Float>, at start: Int, count: Int, as frame: Frame) {
        let number = frame.rawValue * Int64(channels)
        let first = start * channels
        precondition(first >= 0 && count >= 0 && first + count * channels <= span.count, "the frames are in the span")
        for index in 0..<count &* channels {
            writer.write(span[unchecked: first &+ index].bitPattern, at: number &+ Int64(index))
        }
    }

    /// Whether the stored frames from `frame` on equal the first `count` frames of `span`, bit for bit.
    @_noLocks @_noAllocation
    func agree(with span: borrowing MutableSpan<Float>, count: Int, from frame: Frame) -> Bool {
        let number = frame.rawValue * Int64(channels)
        for index in 0..<count * channels where writer.read(at: number + Int64(index)) != span[index].bitPattern { return false }
        return true
    }
}

/// The latest rendered sound, for measuring. Thread: any.
public struct RenderedFrames: Sendable {
    public let rate: SampleRate
    private let history: HistoryReader
    private let channels: Int64

    init(_ history: HistoryReader, rate: SampleRate, channels: Int) {
        self.history = history
        self.rate = rate
        self.channels = Int64(channels)
    }

    /// The number of newest frames that can certainly be read.
    var capacity: Int64 { Int64(history.capacity) / channels }

    /// Returns the sound of one frame, without the transducer's channel; nil when it is not rendered yet, or has been overwritten.
    func sample(at frame: Int64) -> Float? { history.read(at: frame * channels).map { Float(bitPattern: $0) } }
}

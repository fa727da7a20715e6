import Realtime
import Signals
import Units

/// Brings samples that are to be spoken to the render thread. It holds the latest samples, which are numbered from 0 on. Thread: one at a
/// time, which is not the render thread.
public struct SpeechTrack: ~Copyable, Sendable {
    /// The length of the longest speech. A longer speech is cut off there.
    public static let longest = Seconds(20)

    public let rate: SampleRate
    /// The samples that `put` has stored, for the render thread.
    public let sound: SpokenSound
    private var writer: HistoryWriter
    /// The number of the next sample. It is even, because two samples of 16 bits share a value of the buffer.
    private var next: Int64 = 0
    private let limit: Int

    /// Allocates room for the longest speech at this rate.
    public init(rate: SampleRate) {
        self.rate = rate
        limit = Int(rate.frames(in: Self.longest).rawValue) & ~1
        let ends = HistoryBuffer.make(capacity: limit / 2)
        sound = SpokenSound(ends.reader)
        writer = ends.writer
    }

    /// Stores samples at the engine's rate, −1…1, and returns the command that speaks them. They overwrite the oldest samples. If a
    /// speech of the full length is still being spoken, it must be hushed before.
    public mutating func put(_ samples: [Float]) -> SynthCommand {
        let count = min(samples.count, limit)
        let from = next
        for index in stride(from: 0, to: count, by: 2) {
            let pair = UInt32(Self.bits(samples[index])) | UInt32(index + 1 < count ? Self.bits(samples[index + 1]) : 0) << 16
            writer.write(pair, at: (from + Int64(index)) / 2)
        }
        next += Int64((count + 1) & ~1)
        return .speak(from: from, frames: count)
    }

    private static func bits(_ sample: Float) -> UInt16 {
        UInt16(bitPattern: Int16(max(-1, min(1, sample.isFinite ? sample : 0)) * 32_767))
    }
}

/// The samples of a `SpeechTrack`. It owns their memory, so every renderer that reads them must hold it. Thread: any.
public struct SpokenSound: Sendable {
    private let samples: HistoryReader

    fileprivate init(_ samples: HistoryReader) { self.samples = samples }

    var view: View { View(samples: samples.view) }

    /// The samples as the render thread uses them: a plain pointer.
    public struct View: BitwiseCopyable, Equatable, Sendable {
        fileprivate let samples: HistoryView

        /// Returns a sample; silence in place of one that has been overwritten.
        @inline(__always) @_noLocks @_noAllocation
        fileprivate func sample(_ number: Int64) -> Float {
            let pair = samples.read(at: number >> 1) ?? 0
            return Float(Int16(truncatingIfNeeded: number & 1 == 0 ? pair : pair >> 16)) * (1 / 32_767)
        }
    }
}

/// Plays speech. Meanwhile it turns all other sound down by 12 dB, along a raised cosine.
///
/// All gains depend only on the number of frames since the commands, so blocks of any size give the same samples.
struct Speech {
    private struct Utterance {
        /// The number of the next sample in the track.
        var position: Int64 = 0
        /// The number of frames since the utterance began; `left` is the number of frames until its end.
        var age = 0
        var left = 0

        @_noLocks @_noAllocation
        init() {}

        @_noLocks @_noAllocation
        init(position: Int64, left: Int) {
            self.position = position
            self.left = left
        }
    }

    private let sound: SpokenSound.View?
    /// The number of frames in which speech fades in and out. `duckTime` is the number in which the other sound is turned down, and
    /// `returnTime` the number in which it comes back.
    private let fade: Int
    private let duckTime: Int
    private let returnTime: Int
    private let ducked: Float
    /// The gain of all sound except the speech.
    private var duck = Gain()
    private var current = Utterance()
    /// The utterance that waits until the current one has been faded out.
    private var next = Utterance()

    private static var depth: Decibels { @_noLocks @_noAllocation get { Decibels(-12) } }

    @_noLocks @_noAllocation
    init(_ sound: SpokenSound.View?, rate: SampleRate) {
        self.sound = sound
        fade = max(1, Int(rate.frames(in: .stopTime).rawValue))
        duckTime = Int(rate.frames(in: .milliseconds(40)).rawValue)
        // Slow enough that the sound does not come up between two words.
        returnTime = Int(rate.frames(in: .milliseconds(400)).rawValue)
        ducked = Self.depth.magnitude.rawValue
    }

    /// Whether nothing is spoken, and no other sound is turned down.
    var isOver: Bool { @_noLocks @_noAllocation get { current.left == 0 && duck.isWhole } }

    /// Speaks `frames` samples, beginning with the sample number `from`, once the utterance that is being spoken has been faded out.
    @_noLocks @_noAllocation
    mutating func speak(from: Int64, frames: Int) {
        guard case .some = sound, frames > 0 else { return hush() }
        duck.head(for: ducked, in: duckTime)
        next = Utterance(position: from, left: frames)
        current.left = min(current.left, fade)
        if current.left == 0 { swap(&current, &next) }
    }

    /// Fades out what is being spoken.
    @_noLocks @_noAllocation
    mutating func hush() {
        next.left = 0
        current.left = min(current.left, fade)
    }

    /// Turns down `count` samples of `span`, from `start` on, and adds the speech to them.
    @_noLocks @_noAllocation
    mutating func mix(into span: inout MutableSpan<Float>, at start: Int, count: Int) {
        guard !isOver else { return }
        var done = 0
        while done < count {
            let frames = current.left > 0 ? min(count - done, current.left) : count - done
            duck.apply(to: &span, at: start + done, count: frames)
            if current.left > 0 { speak(into: &span, at: start + done, count: frames) }
            done += frames
        }
    }

    /// Adds the next `count` samples of the current utterance, which must have as many left. At its end, goes on with the waiting
    /// utterance, if there is one.
    @_noLocks @_noAllocation
    private mutating func speak(into span: inout MutableSpan<Float>, at start: Int, count: Int) {
        guard let sound else { return }
        for frame in 0..<count {
            span[start &+ frame] += sound.sample(current.position) * swell(current.age + 1) * swell(current.left)
            current.position += 1
            current.age += 1
            current.left -= 1
        }
        guard current.left == 0 else { return }
        swap(&current, &next)
        next.left = 0
        if current.left == 0 { duck.head(for: 1, in: returnTime) }
    }

    /// Returns the gain of a sample that is `frames` frames away from the start or the end of its utterance.
    @inline(__always) @_noLocks @_noAllocation
    private func swell(_ frames: Int) -> Float {
        frames >= fade ? 1 : raisedCosine(SIMD8(repeating: Float(frames) / Float(fade)))[0]
    }
}

import Loudness
import Units

/// How loud sound is from moment to moment, by EBU R 128, gathered front to back.
struct LoudnessCourse: ~Copyable {
    /// Where silence begins, in LUFS: the gate of BS.1770-4.
    private static let silence = -70.0

    private var meter: LoudnessMeter
    private let rate: SampleRate
    /// Frames of 100 ms, after which EBU Tech 3341 has a meter read again.
    private let tenth: Int64
    /// Frames from one reading to the next.
    private let step: Int64
    private var frames: Int64 = 0
    private var momentary: Double?
    private(set) var readings: [LoudnessReading] = []

    /// Of sound of so many frames: at most `most` readings, and one or two more.
    init(rate: SampleRate, frames: Int64, most: Int) {
        meter = LoudnessMeter(rate: rate, channels: 1, findsTruePeak: false)
        self.rate = rate
        tenth = Int64(rate.hertz) / 10
        step = max(1, frames / Int64(most) / tenth) * tenth
    }

    /// Of all of it, gated, in LUFS; nil for silence.
    var integrated: Double? { meter.integrated }

    /// The next frames of the one channel.
    mutating func add(_ samples: Span<Float>) {
        var start = 0
        while start < samples.count {
            let count = min(Int(tenth - frames % tenth), samples.count - start)
            meter.add(samples.extracting(start..<(start + count)))
            start += count
            frames += Int64(count)
            if frames % tenth == 0 { read() }
        }
    }

    private mutating func read() {
        func audible(_ level: Double?) -> Double? { level.flatMap { $0 > Self.silence ? $0 : nil } }
        if let level = audible(meter.momentary) { momentary = max(momentary ?? level, level) }
        guard frames % step == 0 else { return }
        let now = rate.seconds(in: FrameCount(frames))
        readings.append(LoudnessReading(at: now, momentary: momentary, shortTerm: audible(meter.shortTerm)))
        momentary = nil
    }
}

/// What a loudness meter shows at a moment. Nil is silence.
public struct LoudnessReading: Equatable, Sendable {
    /// When the meter had been given everything before it, since the sound's start.
    public var at: Seconds
    /// The largest of the last 400 ms each, since the reading before, in LUFS.
    public var momentary: Double?
    /// Of the last 3 s, in LUFS.
    public var shortTerm: Double?
}

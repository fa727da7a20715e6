import Experience
import Fields
import Journal
import JournalFile
import PatternWaveforms
import SoundFile
import Synchronization
import Synth
import SystemPackage
import Units

/// A session as a WAV, any bytes of which can be read. The bytes are those that `Rendering` writes with the standard options. They are
/// rendered on request, and stored nowhere.
///
/// Only checkpoints are kept: states from which rendering can go on. They are at regular distances up to the last frame that was rendered,
/// and where earlier parts ended. So reading one part after the other costs no more than rendering the whole session, and any other part is
/// near a checkpoint. Checkpoints take up to 10 MB.
///
/// Thread: any. Parts are rendered one after the other.
public final class SessionSound: Sendable {
    /// The error that the journal has no line as late as the requested end of the WAV, so that the sound up to there is not yet known.
    public struct NotYet: Error {}

    /// The largest number of frames that one call renders on the way to a part. To reach the end of a long session takes many calls, so
    /// that other clients need not wait for long.
    static let errand = FrameCount(1 << 22)
    /// The number of frames that are rendered at a time.
    private static let block = 1 << 15

    /// The state (such as size and time of change) of the journal's file when it was opened. If the file has changed since, no part can be
    /// read.
    public let state: FileState
    /// The time from the session's start at which the WAV ends; nil where it ends with the session.
    public let until: Seconds?
    /// The size of the WAV in bytes.
    public let bytes: Int64

    private let journal: FilePath
    private let layout: SoundFileLayout
    /// The bytes of the WAV before its first sample.
    private let header: [UInt8]
    private let latency: FrameCount
    private let waveforms: PatternWaveforms
    private let work: Mutex<Work>

    private struct Work {
        var checkpoints: SoundCheckpoints
        /// The memory for one rendered block.
        var block = [Float](repeating: 0, count: SessionSound.block)
    }

    /// Opens a journal and computes the length of its sound. With `until`, the WAV ends at that time and lines may still be added to the
    /// journal; the samples are those of the whole WAV up to there. Waits for the disk. Throws `JournalFault` and `Errno` as `Rendering`
    /// does before its first sample, and `NotYet` where no line of the journal is as late as `until`.
    public init(_ journal: FilePath, until: Seconds? = nil, _ pieces: [any Experience.Type]) throws {
        var scan = try JournalScan(journal)
        let header = try scan.header()
        let rate = header.sampleRate
        let length = try until.map { rate.frames(in: $0) } ?? SessionLength(of: journal, rate: rate).frames
        guard Self.isOf(try FileState(at: journal), scan.state, until: until) else { throw JournalScan.OtherFile() }
        try SessionLength.check(.zero..<Frame(length.rawValue), of: journal, rate: rate)
        let waveforms = PatternWaveforms(rate: rate, hasTransducer: false) { file, _ in try? SoundFileReader.samples(of: file, at: rate) }
        let start = try SoundCheckpoint(header, of: journal, &scan, waveforms, pieces)
        let latency = start.sound.timeline.engine.latency
        if until != nil {
            // The samples up to there follow from what happens within the latency behind it, too.
            guard let last = try JournalTail.lastFrame(of: journal), last.frame >= Frame(length.rawValue) + latency else { throw NotYet() }
        }
        let layout = SoundFileLayout(rate: rate, frames: length.rawValue)
        let wav = layout.wavHeader
        self.journal = journal
        self.layout = layout
        self.waveforms = waveforms
        state = scan.state
        self.header = wav
        bytes = Int64(wav.count + layout.wavPadding.count) + layout.dataBytes
        self.latency = latency
        self.until = until
        work = Mutex(Work(checkpoints: SoundCheckpoints(start, rate: rate)))
    }

    /// Whether this sound still belongs to its journal, whose file is now in the state `present`.
    public func isOf(_ present: FileState) -> Bool { Self.isOf(present, state, until: until) }

    private static func isOf(_ present: FileState, _ opened: FileState, until: Seconds?) -> Bool {
        until == nil ? present == opened : present.continues(opened)
    }

    /// Returns the bytes at `range`, which must be within the WAV. Returns nil where the samples are too far from every stored state of the
    /// rendering. The call has then stored a nearer one, and is to be repeated. Throws `JournalFault` where the journal has a fault before
    /// the samples' end; with the last sample, also for a fault after it. Throws `Errno`. Throws `JournalScan.OtherFile` when the journal
    /// has changed.
    public func bytes(_ range: Range<Int64>) throws -> [UInt8]? {
        precondition(range.lowerBound >= 0 && range.upperBound <= bytes, "bytes of the WAV")
        let data = Int64(header.count)..<Int64(header.count) + layout.dataBytes
        var part = Array(header[Self.overlap(of: range, with: 0..<data.lowerBound)])
        let samples = range.clamped(to: data)
        if !samples.isEmpty {
            let width = Int64(MemoryLayout<Int16>.size)
            let (first, last) = (samples.lowerBound - data.lowerBound, samples.upperBound - data.lowerBound)
            let frames = Frame(first / width)..<Frame((last + width - 1) / width)
            guard let rendered = try render(frames) else { return nil }
            // The machine is little-endian, as is the WAV.
            rendered.withUnsafeBytes { part += $0[Int(first % width)..<Int(first % width) + samples.count] }
        }
        return part + layout.wavPadding[Self.overlap(of: range, with: data.upperBound..<bytes)]
    }

    /// Returns where `range` overlaps `part`, as indices that count from the beginning of `part`.
    private static func overlap(of range: Range<Int64>, with part: Range<Int64>) -> Range<Int> {
        let common = range.clamped(to: part)
        return Int(common.lowerBound - part.lowerBound)..<Int(common.upperBound - part.lowerBound)
    }

    private func render(_ frames: Range<Frame>) throws -> [Int16]? {
        try work.withLock { work in
            let first = frames.lowerBound + latency
            let nearest = work.checkpoints.nearest(notAfter: first)
            var checkpoint = nearest
            var scan = try JournalScan(journal, from: checkpoint.behind)
            guard isOf(scan.state) else { throw JournalScan.OtherFile() }
            let way = min(first, nearest.sound.timeline.position + Self.errand)
            while checkpoint.sound.timeline.position < way { _ = try goOn(&checkpoint, until: way, &scan, &work) }
            guard way == first else {
                work.checkpoints.keep(checkpoint)
                return nil
            }
            let count = Int((frames.upperBound - frames.lowerBound).rawValue)
            var samples: [Int16] = []
            samples.reserveCapacity(count)
            var quantizer = Quantizer(bits: 16, dither: layout.dither)
            while samples.count < count {
                let rendered = try goOn(&checkpoint, until: frames.upperBound + latency, &scan, &work)
                var part = [Int16](repeating: 0, count: rendered)
                var span = part.mutableSpan
                quantizer.quantize(work.block.span.extracting(first: rendered), channels: 1, shift: 0, into: &span)
                samples += part
            }
            if until == nil, frames.upperBound.rawValue == layout.frames {
                try checkpoint.finish(&scan)
            } else {
                work.checkpoints.keep(checkpoint)
            }
            return samples
        }
    }

    /// Renders the next frames before `until` from `checkpoint` on, at most one block. Moves `checkpoint` behind them, and returns their
    /// number.
    private func goOn(_ checkpoint: inout SoundCheckpoint, until: Frame, _ scan: inout JournalScan, _ work: inout Work) throws -> Int {
        let position = checkpoint.sound.timeline.position
        let next = min(until, position + FrameCount(Int64(Self.block)), work.checkpoints.next(after: position))
        var block = work.block.mutableSpan
        let count = try checkpoint.render(until: next, into: &block, &scan, waveforms, goesOn: self.until != nil)
        work.checkpoints.note(checkpoint)
        return count
    }
}

/// A state of the rendering at one frame of a session, from which it can go on: the synthesizer, the rules and the next line of the
/// journal. A plain value of some 20 KiB.
struct SoundCheckpoint: Sendable {
    private(set) var sound: ThemedTimeline
    /// The position in the journal's file behind the entry `next`.
    private(set) var behind: JournalScan.Position
    private var fold: ReplayFold
    /// The next entry of the journal; nil where none follows.
    private var next: Line?

    private struct Line: Sendable {
        var entry: JournalEntry
        var number: Int
        var isChanged: Bool
        /// Whether the line has no newline, which makes it the last one.
        var isLast: Bool
    }

    /// Makes the state at the beginning of a session. `scan` has just read the header of the session's journal, which is at `path`. Throws
    /// `JournalFault` and `Errno`.
    init(_ header: JournalHeader, of path: FilePath, _ scan: inout JournalScan, _ waveforms: PatternWaveforms,
         _ pieces: [any Experience.Type]) throws {
        fold = try ReplayFold(header, of: path, by: .recorded, pieces)
        sound = ThemedTimeline(fold.header.theme, rate: header.sampleRate, waveforms)
        sound.perform(fold.opening, waveforms)
        behind = scan.position
        try read(&scan)
        behind = scan.position
    }

    /// Renders the frames from this checkpoint up to `until`, which is not included, and writes them to the beginning of `block`. Returns
    /// how many there were. Events at `until` are left for the next call. `scan` must stand at the position `behind`; it reads on from
    /// there. `goesOn` is true while the session is still played, so that the journal's end is not taken for the session's. Throws
    /// `JournalFault` and `Errno`.
    mutating func render(until: Frame, into block: inout MutableSpan<Float>, _ scan: inout JournalScan,
                         _ waveforms: PatternWaveforms, goesOn: Bool) throws -> Int {
        var written = 0
        while let line = next, let frame = line.entry.actingFrame, frame < until {
            written += sound.render(until: frame, into: &block, at: written)
            let cues = try fold.take(line.entry, line: line.number, isChanged: line.isChanged) ?? []
            try read(&scan)
            sound.perform(next == nil && !goesOn ? CueFeed.last(cues) : cues, waveforms)
        }
        behind = scan.position
        return written + sound.render(until: until, into: &block, at: written)
    }

    /// Reads the rest of the journal to find faults in it, without rendering. Throws `JournalFault` and `Errno`.
    mutating func finish(_ scan: inout JournalScan) throws {
        while let line = next {
            _ = try fold.take(line.entry, line: line.number, isChanged: line.isChanged)
            try read(&scan)
        }
    }

    private mutating func read(_ scan: inout JournalScan) throws {
        let isOver = next?.isLast ?? false
        next = nil
        while !isOver, next == nil, let entry = try scan.next() {
            guard entry.changesRendering else { continue }
            next = Line(entry: entry, number: scan.line, isChanged: scan.integrity.line != nil, isLast: scan.lacksNewline)
        }
    }
}

/// The stored checkpoints of a session's rendering. A plain value.
struct SoundCheckpoints: Sendable {
    /// The largest number of checkpoints at regular distances; `mostEnds` is that of checkpoints where rendered parts ended.
    static let most = 384
    static let mostEnds = 32

    private final class Kept: Sendable {
        let checkpoint: SoundCheckpoint

        init(_ checkpoint: SoundCheckpoint) { self.checkpoint = checkpoint }

        var frame: Frame { checkpoint.sound.timeline.position }
    }

    /// The checkpoints at whole multiples of `distance`, beginning with the session's start.
    private var regular: [Kept]
    private var distance: FrameCount
    /// The checkpoints where rendered parts ended, the newest last.
    private var ends: [Kept] = []

    init(_ start: SoundCheckpoint, rate: SampleRate) {
        regular = [Kept(start)]
        distance = rate.frames(in: Seconds(10))
    }

    /// Returns the last stored checkpoint at or before `frame`.
    func nearest(notAfter frame: Frame) -> SoundCheckpoint {
        let regular = regular[min(regular.count - 1, Int(frame.rawValue / distance.rawValue))]
        let end = ends.filter { $0.frame <= frame }.max { $0.frame < $1.frame }
        return end.map { $0.frame > regular.frame ? $0 : regular }?.checkpoint ?? regular.checkpoint
    }

    /// Returns the first frame after `frame` at which a checkpoint is to be stored: the next multiple of `distance`.
    func next(after frame: Frame) -> Frame { Frame((frame.rawValue / distance.rawValue + 1) * distance.rawValue) }

    /// Stores `checkpoint`, which rendering has reached, if it is at the next multiple of `distance`. When there are too many, every second
    /// one is dropped, and the distance doubles.
    mutating func note(_ checkpoint: SoundCheckpoint) {
        guard checkpoint.sound.timeline.position.rawValue == Int64(regular.count) * distance.rawValue else { return }
        regular.append(Kept(checkpoint))
        guard regular.count > Self.most else { return }
        regular = regular.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
        distance = distance + distance
    }

    /// Stores `checkpoint`, where a rendered part has ended, because the next part is likely to begin there.
    mutating func keep(_ checkpoint: SoundCheckpoint) {
        if ends.count == Self.mostEnds { ends.removeFirst() }
        ends.append(Kept(checkpoint))
    }
}

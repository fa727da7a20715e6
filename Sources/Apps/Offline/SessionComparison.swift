import Experience
import Journal
import JournalFile
import Signals
import SystemPackage
import Units

/// Two sessions side by side, and where they first differ.
public struct SessionComparison: Equatable, Encodable, Sendable {
    /// One of the two.
    public struct Side: Equatable, Encodable, Sendable {
        public var experience = ""
        /// As the header has it. It is no difference, nor is what time it was at an event, as long as as much time has gone by.
        public var started = ""
        public var rules: Int?
        public var theme = ""
        public var seed: UInt64 = 0
        public var sampleRate = 0
        public var seconds = 0.0
        public var events = 0
        /// What the rules gave for them.
        public var cues = 0
        /// Nil if it was cut off.
        public var end: String?
    }

    /// Lines that stand in the same place, or none where a session has no more.
    public struct Difference: Equatable, Encodable, Sendable {
        /// Since the session's start, of the earlier line.
        public var seconds: Double
        public var first: String?
        public var second: String?
    }

    public struct SoundDifference: Equatable, Encodable, Sendable {
        /// Of the first sample that is another.
        public var seconds: Double
        /// The largest difference of two samples, in dBFS; nil where one session only goes on longer.
        public var largest: Double?
    }

    public private(set) var first = Side()
    public private(set) var second = Side()
    /// Of two events, or of an event and an end. Nil if all are the same.
    public private(set) var events: Difference?
    /// Of what the rules gave for two events that are the same, before the first difference of events.
    public private(set) var cues: Difference?
    /// Nil if all samples are the same.
    public private(set) var sound: SoundDifference?

    /// Whether nothing differs that is heard, felt or was done. When they began does not count.
    public var isSame: Bool {
        var other = second
        other.started = first.started
        return events == nil && cues == nil && sound == nil && first == other
    }

    /// Goes through both journals twice, for their lines and for their sound, of the part `cut` of each. `progress` is told how much is
    /// done, 0…1. Each must be one that `Rendering.check` passes; throws `JournalFault`, `Fault` and `Errno` otherwise.
    public init(_ a: FilePath, _ b: FilePath, cut: SessionCut = .whole, _ pieces: [any Experience.Type],
                progress: (Double) -> Void = { _ in }) throws {
        try compareLines(a, b, cut)
        try compareSound(a, b, cut, pieces, progress: progress)
    }

    private mutating func compareLines(_ a: FilePath, _ b: FilePath, _ cut: SessionCut) throws {
        var left = try JournalLines(a, cut)
        var right = try JournalLines(b, cut)
        while true {
            let (one, other) = (try left.next(), try right.next())
            if one == nil, other == nil { break }
            // As if it had begun with the first.
            let clocks = (left.clock, right.clock)
            let moved = other.map { other in one.map { clocks.0.moved(other, with: clocks.1, onto: $0) } ?? other }
            guard events == nil, one != moved else { continue }
            if one?.withoutCues != moved?.withoutCues {
                events = Self.difference(one?.withoutCues, other?.withoutCues, left.rate)
            } else if cues == nil {
                cues = Self.difference(one, other, left.rate)
            }
        }
        first = left.side
        second = right.side
    }

    private static func difference(_ one: JournalEntry?, _ other: JournalEntry?, _ rate: SampleRate) -> Difference {
        let frame = [one, other].compactMap { $0?.frame }.min() ?? .zero
        func text(_ entry: JournalEntry?) -> String? { entry.map { String(decoding: JournalLine.encode($0).dropLast(), as: UTF8.self) } }
        return Difference(seconds: rate.seconds(in: frame - .zero).rawValue, first: text(one), second: text(other))
    }

    private mutating func compareSound(_ a: FilePath, _ b: FilePath, _ cut: SessionCut, _ pieces: [any Experience.Type],
                                       progress: (Double) -> Void) throws {
        var left = PlayedSamples(try Playback(a, cut: cut, pieces))
        var right = PlayedSamples(try Playback(b, rate: left.rate, cut: cut, pieces))
        first.seconds = left.seconds
        second.seconds = right.seconds
        let whole = max(1, left.seconds, right.seconds)
        var frame: Int64 = 0
        var largest: Float = 0
        var place: Int64?
        while let one = try left.next(), let other = try right.next() {
            let count = min(one.count, other.count)
            for index in 0..<count where one[index] != other[index] {
                place = place ?? frame + Int64(index)
                largest = max(largest, (one[index] - other[index]).magnitude)
            }
            // Only at an end is one block shorter than the other.
            frame += Int64(count)
            if one.count != other.count { break }
            progress(min(1, left.rate.seconds(in: FrameCount(frame)).rawValue / whole))
        }
        if left.seconds != right.seconds { place = place ?? frame }
        sound = place.map {
            SoundDifference(seconds: left.start + left.rate.seconds(in: FrameCount($0)).rawValue,
                            largest: Magnitude(largest).decibels?.rawValue)
        }
    }
}

/// A journal's events and its end, counted.
private struct JournalLines: ~Copyable {
    private var scan: JournalScan
    private(set) var side: SessionComparison.Side
    let rate: SampleRate
    private(set) var clock = SessionClock()
    /// Nil for all.
    private let part: Range<Frame>?

    init(_ path: FilePath, _ cut: SessionCut) throws {
        var scan = try JournalScan(path)
        var side = SessionComparison.Side()
        let header = try scan.header()
        let rate = header.sampleRate
        side.experience = header.experience
        side.started = header.started
        side.rules = header.rules?.version
        side.theme = header.theme.name
        side.seed = header.seed
        side.sampleRate = Int(rate.hertz)
        part = try cut.events(of: path, rate: rate)
        self.scan = scan
        self.side = side
        self.rate = rate
    }

    /// The next event or end in the part; what tells only of what was heard is passed over.
    mutating func next() throws -> JournalEntry? {
        while let entry = try scan.next() {
            if case .end(let end, _) = entry { side.end = end.rawValue }
            clock.hear(entry, rate)
            if let part, !part.contains(entry.frame) { continue }
            switch entry {
            case .event(let event, let frame, let due, let cues):
                side.events += 1
                side.cues += cues?.count ?? 0
                // The same moment, whether it is said or not.
                return .event(event, at: frame, due: due ?? frame, cues: cues)
            case .end, .discontinuity(.lost, _): return entry
            case .header, .discontinuity, .checkpoint: break
            }
        }
        return nil
    }
}

/// The samples of a session, a block at a time.
private struct PlayedSamples: ~Copyable {
    private var playback: Playback

    init(_ playback: consuming Playback) { self.playback = playback }

    var rate: SampleRate { playback.rate }
    var seconds: Double { playback.rate.seconds(in: playback.frames).rawValue }
    /// Since the session's start.
    var start: Double { playback.rate.seconds(in: playback.part.lowerBound - .zero).rawValue }

    /// Nil at the end.
    mutating func next() throws -> ArraySlice<Float>? {
        var block = [Float](repeating: 0, count: 16_384)
        while true {
            var span = block.mutableSpan
            guard let count = try playback.render(into: &span) else { return nil }
            if count > 0 { return block[..<count] }
        }
    }
}

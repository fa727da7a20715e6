import Calendar
import Experience
import Journal
import JournalFile
import Signals
import SystemPackage
import Units

/// A comparison of two sessions: a summary of each, and where they first differ.
public struct SessionComparison: Equatable, Encodable, Sendable {
    /// A summary of one of the two sessions.
    public struct Side: Equatable, Encodable, Sendable {
        public var experience = ""
        /// The start time in the header. Sessions count as the same even if they started at different times. Different civil times of
        /// events do not matter either, if the same time has passed since the start.
        public var started = ""
        public var rules: Int?
        /// The name of the model that made the session's predictions, followed for a learned model by the digest of its file; nil where the
        /// piece predicts nothing.
        public var model: String?
        public var theme = ""
        public var seed: UInt64 = 0
        public var sampleRate = 0
        public var seconds = 0.0
        public var events = 0
        /// The number of cues that the rules gave for the events.
        public var cues = 0
        /// The reason of the session's end; nil if it was cut off.
        public var end: String?
    }

    /// A pair of lines, one of each session, at which the sessions differ. A line is nil where its session has no more lines.
    public struct Difference: Equatable, Encodable, Sendable {
        /// The time of the line that comes earlier in its session, in seconds since that session's start.
        public var seconds: Double
        public var first: String?
        public var second: String?
    }

    public struct SoundDifference: Equatable, Encodable, Sendable {
        /// The time of the first sample that differs, in seconds since the session's start.
        public var seconds: Double
        /// The largest difference of two samples, in dBFS; nil where one session is longer and the samples are otherwise equal.
        public var largest: Double?
    }

    public private(set) var first = Side()
    public private(set) var second = Side()
    /// The first pair of events that differ, or of an event and an end; nil if all events are equal.
    public private(set) var events: Difference?
    /// The first pair of equal events whose cues differ, searched up to the first difference of events; nil if there is none.
    public private(set) var cues: Difference?
    /// The first pair of equal events whose margins (the model's predictions) differ, searched up to the first difference of events; nil if
    /// there is none.
    public private(set) var margins: Difference?
    /// Where and how the sound differs; nil if all samples are equal.
    public private(set) var sound: SoundDifference?

    /// Whether both sessions are the same in what was done, predicted, heard and felt. They may have begun at different times.
    public var isSame: Bool {
        var other = second
        other.started = first.started
        return events == nil && cues == nil && margins == nil && sound == nil && first == other
    }

    /// Compares the part `cut` of both journals, first by lines and then by sound. Calls `progress` with the fraction that is done, 0…1.
    /// Both journals must pass `Rendering.check`; otherwise `JournalFault`, `Fault` and `Errno` are thrown.
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
            if one?.withoutOutcome != moved?.withoutOutcome {
                events = Self.difference(one?.withoutOutcome, other?.withoutOutcome, left.rate)
            } else {
                if cues == nil, one?.withoutMargin != moved?.withoutMargin {
                    cues = Self.difference(one?.withoutMargin, other?.withoutMargin, left.rate)
                }
                if margins == nil, one?.margin != moved?.margin { margins = Self.difference(one, other, left.rate) }
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

/// Reads and counts a journal's events and its end.
private struct JournalLines: ~Copyable {
    private var scan: JournalScan
    private(set) var side: SessionComparison.Side
    let rate: SampleRate
    private(set) var clock = SessionClock()
    /// The frames of the session that are compared; nil where the whole session is compared.
    private let part: Range<Frame>?

    init(_ path: FilePath, _ cut: SessionCut) throws {
        var scan = try JournalScan(path)
        var side = SessionComparison.Side()
        let header = try scan.header()
        let rate = header.sampleRate
        side.experience = header.experience
        side.started = header.started
        side.rules = header.rules?.version
        side.model = header.model.map { [$0.name, $0.digest].compactMap(\.self).joined(separator: " ") }
        side.theme = header.theme.name
        side.seed = header.seed
        side.sampleRate = Int(rate.hertz)
        self.init(scan, side, rate, try cut.events(of: path, rate: rate))
    }

    private init(_ scan: consuming JournalScan, _ side: SessionComparison.Side, _ rate: SampleRate, _ part: Range<Frame>?) {
        self.scan = scan
        self.part = part
        self.side = side
        self.rate = rate
    }

    /// Returns the next event or end in the part; nil when none follows. Skips entries that are only about what was heard.
    mutating func next() throws -> JournalEntry? {
        while let entry = try scan.next() {
            if case .end(let end, _) = entry { side.end = end.rawValue }
            clock.hear(entry, rate)
            if let part, !part.contains(entry.frame) { continue }
            switch entry {
            case .event(let event, let frame, let due, let gave):
                side.events += 1
                side.cues += gave?.cues.count ?? 0
                // The same moment, whether it is said or not.
                return .event(event, at: frame, due: due ?? frame, gave: gave)
            case .end, .discontinuity(.lost, _): return entry
            case .header, .discontinuity, .checkpoint: break
            }
        }
        return nil
    }
}

/// Plays the samples of a session, one block at a time.
private struct PlayedSamples: ~Copyable {
    private var playback: Playback

    init(_ playback: consuming Playback) { self.playback = playback }

    var rate: SampleRate { playback.rate }
    var seconds: Double { playback.rate.seconds(in: playback.frames).rawValue }
    /// The start of the part, in seconds since the session's start.
    var start: Double { playback.rate.seconds(in: playback.part.lowerBound - .zero).rawValue }

    /// Returns the next block of samples; nil at the end of the part.
    mutating func next() throws -> ArraySlice<Float>? {
        var block = [Float](repeating: 0, count: 16_384)
        while true {
            var span = block.mutableSpan
            guard let count = try playback.render(into: &span) else { return nil }
            if count > 0 { return block[..<count] }
        }
    }
}

/// The civil time of a session's beginning, computed from its first event that contains a civil time.
private struct SessionClock {
    /// The largest difference in seconds of two clocks that count as equal. Each clock is read to about a microsecond.
    private static let error = 0.001

    private var beginning: CivilTime?

    mutating func hear(_ entry: JournalEntry, _ rate: SampleRate) {
        guard beginning == nil, case .event(let event, let frame, let due, _) = entry, let told = event.kind.civilTime else { return }
        beginning = CivilTime(instant: told.instant - rate.seconds(in: (due ?? frame) - .zero).rawValue, utcOffset: told.utcOffset)
    }

    /// Returns `entry`, from the session of `other`, with the civil time of the entry `own` in its place. Does so only if the same time has
    /// passed since the beginnings of both sessions; otherwise returns `entry` unchanged.
    func moved(_ entry: JournalEntry, with other: SessionClock, onto own: JournalEntry) -> JournalEntry {
        guard let beginning, let otherBeginning = other.beginning, case .event(var event, let frame, let due, let gave) = entry,
              case .event(let ownEvent, _, _, _) = own, let time = event.kind.civilTime, let ownTime = ownEvent.kind.civilTime,
              abs((time.instant - otherBeginning.instant) - (ownTime.instant - beginning.instant)) <= Self.error,
              time.utcOffset - otherBeginning.utcOffset == ownTime.utcOffset - beginning.utcOffset else { return entry }
        switch event.kind {
        case .arrival(var arrival):
            arrival.civilTime = ownTime
            event.kind = .arrival(arrival)
        default: event.kind = .tick(ownTime)
        }
        return .event(event, at: frame, due: due, gave: gave)
    }
}

extension JournalEntry {
    /// The log-odds that the visitor is about to leave, as the run's model gave them for an event; nil where it gave none, and for other
    /// entries.
    fileprivate var margin: Double? { if case .event(_, _, _, let gave) = self { gave?.margin } else { nil } }

    /// The entry with the rules' cues, but without the margin.
    fileprivate var withoutMargin: JournalEntry {
        guard case .event(let event, let frame, let due, let gave?) = self else { return self }
        return .event(event, at: frame, due: due, cues: gave.cues)
    }
}

extension EventKind {
    /// The civil time that the event contains; nil for kinds of events that contain none.
    fileprivate var civilTime: CivilTime? {
        switch self {
        case .arrival(let arrival): arrival.civilTime
        case .tick(let time): time
        default: nil
        }
    }
}

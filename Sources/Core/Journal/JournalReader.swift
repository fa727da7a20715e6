import Fields
import Signals
import Units

/// Reads a journal line by line and checks its rules: the header comes first, frames never go back, and nothing comes after the end. A
/// wrong sum is recorded in `integrity` and is no fault.
public struct JournalReader: Sendable {
    /// How a journal ended. It is known once all lines were read.
    public enum Ending: Equatable, Sendable {
        case complete
        /// The session was cut off: its last line is torn, or its end line is missing.
        case cut(line: Int)
    }

    private var line = 0
    private var frame = Frame.zero
    private var due = Frame.zero
    private var hasEnded = false
    /// Whether the lines of events contain the events' cues.
    private var hasCues = false
    private var rate = SampleRate.standard
    private var sum = JournalSum()
    /// Whether the header has a sum that is right.
    private var hasSums = false
    /// The total of the entries that all `lost` lines count. `lateFrames` and `gapFrames` are the totals of frames in all `late` lines and
    /// in all gaps.
    private var lostEntries = Limited(field: "entries")
    private var lateFrames = Limited(field: "frames")
    private var gapFrames = Limited(field: "frames")

    public init() {}

    /// The number of lines read so far, including a torn one.
    public var linesRead: Int { line }

    public var ending: Ending { hasEnded ? .complete : .cut(line: max(1, line)) }

    /// The integrity of the lines read so far, by their sums.
    public private(set) var integrity = JournalIntegrity.unknown

    /// Whether the last line lacks its newline. It is known after a call of `readLast`.
    public private(set) var lacksNewline = false

    /// Reads the next line, without its newline. Throws where it is no valid line, or breaks a rule of journals.
    public mutating func read(_ bytes: ArraySlice<UInt8>) throws(JournalFault) -> JournalEntry {
        line += 1
        // What was changed once makes all later sums wrong.
        if integrity.line == nil { integrity.note(sum.check(bytes), line: line) }
        if line == 1 { hasSums = integrity == .intact }
        do throws(Fault) {
            let entry = try JournalLine.decode(bytes, line == 1 ? .header : .further(hasCues: hasCues))
            if case .header(let header) = entry {
                hasCues = header.rules != nil
                rate = header.sampleRate
            }
            let checked = try check(entry)
            if line == 2, integrity == .changed(line: 2), hasSums, frame > .zero {
                integrity = .beginningMissing(until: rate.seconds(in: frame - .zero))
            }
            return checked
        } catch {
            throw JournalFault(line: line, fault: error)
        }
    }

    /// Reads what follows the last newline. Returns an entry if the line is whole, and nil if it is torn. Only a line that is not JSON
    /// counts as torn: a line that is JSON and wrong throws like any other line. A torn header throws too, because it leaves no session.
    public mutating func readLast(_ bytes: [UInt8]) throws(JournalFault) -> JournalEntry? {
        lacksNewline = true
        let isWhole = JournalLine.isWhole(bytes)
        // What came after the last whole line may be anything (a power cut leaves zeros); a file that begins otherwise than
        // a journal is none.
        if !isWhole, line > 0 {
            line += 1
            hasEnded = false
            return nil
        }
        if !isWhole, Self.beginsHeader(bytes) { throw Self.cutHeader }
        return try read(bytes[...])
    }

    /// The fault of a journal that has only a part of its header. `noHeader` is the fault of an empty file.
    public static let cutHeader = headerMissing("one that is cut off")
    public static let noHeader = headerMissing("an empty file")

    private static func headerMissing(_ found: String) -> JournalFault {
        let expected = "the whole header, without which there is no session in a journal"
        return JournalFault(line: 1, fault: Fault(field: "", expected: expected, found: found))
    }

    /// Whether `bytes` could be the beginning of a header that any program has written.
    private static func beginsHeader(_ bytes: [UInt8]) -> Bool {
        let text = String(decoding: bytes.filter { $0 != UInt8(ascii: " ") }, as: UTF8.self)
        return [#"{"experience":"#, #"{"format":"thrum-journal"#].contains { $0.hasPrefix(text) || text.hasPrefix($0) }
    }

    private mutating func check(_ entry: JournalEntry) throws(Fault) -> JournalEntry {
        guard !hasEnded else { throw Fault(field: "frame", expected: "nothing after the end line", found: "one more line") }
        switch entry {
        // What was heard amiss is told when it is known, which may be before or after the events around it.
        case .header: break
        case .discontinuity(.gap(let frames), _): try gapFrames.add(Int(frames?.rawValue ?? 0))
        case .discontinuity(.late(let frames), _): try lateFrames.add(Int(frames.rawValue))
        case .discontinuity(.lost(let entries), let next):
            try lostEntries.add(entries)
            try follow(next)
        case .event(_, let next, let due, _):
            try follow(next)
            let due = due ?? next
            guard due >= self.due else {
                throw Fault(field: "due", expected: "at least \(self.due.rawValue), as in the line before", found: "\(due.rawValue)")
            }
            self.due = due
        case .checkpoint(_, let next): try follow(next)
        case .end(_, let next):
            try follow(next)
            hasEnded = true
        }
        return entry
    }

    private mutating func follow(_ next: Frame) throws(Fault) {
        guard next >= frame else {
            throw Fault(field: "frame", expected: "at least \(frame.rawValue), the frame of the line before",
                        found: "\(next.rawValue)")
        }
        frame = next
    }

    /// A total over the lines of a journal. It throws a fault where it would exceed the largest number that one line may contain, so that
    /// no sum overflows.
    private struct Limited {
        private static let most = 1 << 53
        let field: String
        private var total = 0

        init(field: String) { self.field = field }

        mutating func add(_ count: Int) throws(Fault) {
            guard count <= Self.most - total else {
                throw Fault(field: field, expected: "at most \(Self.most) in all lines together", found: "\(count) more than \(total)")
            }
            total += count
        }
    }
}

/// A fault in a line of a journal.
public struct JournalFault: Error, Equatable, Sendable {
    /// The line's number, from 1.
    public var line: Int
    public var fault: Fault

    public init(line: Int, fault: Fault) {
        self.line = line
        self.fault = fault
    }

    public func description(file: String) -> String { "\(file):\(line): \(fault)" }
}

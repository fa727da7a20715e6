import Experience
import Journal
import JournalFile
import Signals
import SystemPackage
import Units

/// The moments of one kind in a session, as one row of a picture.
public struct MomentRow: Equatable, Sendable {
    public enum Kind: String, CaseIterable, Sendable {
        /// A remark that somebody sent.
        case mark
        /// A moment that the piece declares as a highlight.
        case highlight
        case chime
        /// A change by the house: another theme, or muting.
        case theme, mute
        /// Three kinds: sound that was not heard as it is rendered; entries that the disk could not take; lines that were changed according
        /// to their checksums.
        case gap, lost, damaged
    }

    public struct Moment: Equatable, Sendable {
        /// The time since the session's start.
        public var at: Seconds
        /// The time at which the moment is over; nil for a moment without length.
        public var until: Seconds?
        /// The text beside the moment in the picture; empty where it has none.
        public var label: String

        public init(at: Seconds, until: Seconds? = nil, label: String = "") {
            self.at = at
            self.until = until
            self.label = label
        }
    }

    /// The largest number of moments in a row.
    public static let most = 1_000

    public let kind: Kind
    public let title: String
    public private(set) var moments: [Moment] = []
    /// The time from which the row's moments are only a guess: rules compute them, and lines of the journal are missing or changed there.
    /// Nil where no moment is a guess.
    public internal(set) var guessedFrom: Seconds?

    init(_ kind: Kind, _ title: String) {
        self.kind = kind
        self.title = title
    }

    mutating func add(_ moment: Moment) {
        if moments.count < Self.most { moments.append(moment) }
    }

    /// Ends the row's last moment at `time`, if it has not ended yet.
    fileprivate mutating func end(at time: Seconds) {
        guard let last = moments.last, last.until == .some(Seconds(.infinity)) else { return }
        moments[moments.count - 1].until = time
    }

    fileprivate var goesOn: Bool { moments.last?.until == .some(Seconds(.infinity)) }

    /// Returns the part of the row within `span`.
    fileprivate func part(_ span: ClosedRange<Seconds>) -> MomentRow {
        var row = self
        row.moments = moments.compactMap { moment in
            var moment = moment
            guard let until = moment.until else { return span.contains(moment.at) ? moment : nil }
            guard moment.at <= span.upperBound, until >= span.lowerBound else { return nil }
            moment.at = max(moment.at, span.lowerBound)
            moment.until = min(until, span.upperBound)
            return moment
        }
        row.guessedFrom = guessedFrom.flatMap { $0 < span.upperBound ? max($0, span.lowerBound) : nil }
        return row
    }
}

/// Reads the moments of a session, in rows.
enum SessionMoments {
    /// Reads the rows of the part `span` of a session from its journal. Some rows come from the journal's lines. Others come from what the
    /// piece tells by its rules, if this Thrum has them. Adds the row `chimes`; `chimesAreGuessed` says that its chimes follow from rules
    /// and not from lines. Leaves out rows without a moment. `fault` is the first line on which the rules cannot act; the piece's rows end
    /// there. Throws `JournalFault` and `Errno`.
    static func rows(of journal: FilePath, by rules: ReplayRules, in span: ClosedRange<Seconds>, chimes: MomentRow, chimesAreGuessed: Bool,
                     _ pieces: [any Experience.Type]) throws -> (rows: [MomentRow], fault: JournalFault?) {
        let (rows, told, fault) = try read(journal, by: rules, pieces)
        let damage = rows.filter { [.lost, .damaged].contains($0.kind) }.flatMap(\.moments).map(\.at).min()
        let guesses = (told + (chimesAreGuessed ? [chimes] : [])).map { row in
            var row = row
            row.guessedFrom = damage
            return row
        }
        // After what people and pieces say, before what the house does.
        var all = Array(rows.prefix(1))
        all += guesses
        if !chimesAreGuessed { all.append(chimes) }
        all += rows.dropFirst()
        return (all.map { $0.part(span) }.filter { !$0.moments.isEmpty }, fault)
    }

    private static func read(_ journal: FilePath, by rules: ReplayRules, _ pieces: [any Experience.Type]) throws
        -> (recorded: [MomentRow], told: [MomentRow], fault: JournalFault?) {
        var scan = try JournalScan(journal)
        var rate = SampleRate.standard
        var told: ToldRows?
        var (marks, themes) = (MomentRow(.mark, "marks"), MomentRow(.theme, "theme"))
        var (mutes, gaps, lost) = (MomentRow(.mute, "muted"), MomentRow(.gap, "not heard"), MomentRow(.lost, "lost"))
        var damaged = MomentRow(.damaged, "damaged")
        let open = Seconds(.infinity)
        // Of the line before that stands in its order.
        var last = Frame.zero
        func time(_ frame: Frame) -> Seconds { rate.seconds(in: frame - .zero) }
        while let entry = try scan.next() {
            told?.take(entry, line: scan.line, at: time(entry.frame))
            if entry.isInOrder {
                lost.end(at: time(entry.frame))
                // Up to the first line that shows it.
                if scan.integrity.line != nil, damaged.moments.isEmpty { damaged.add(.init(at: time(last), until: time(entry.frame))) }
                last = entry.frame
            }
            switch entry {
            case .header(let header):
                rate = header.sampleRate
                told = ToldRows(header, of: journal, by: rules, pieces)
            case .event(let event, let frame, _, _):
                switch event.kind {
                case .mark(let text): marks.add(.init(at: time(frame), label: text))
                case .theme(let theme): themes.add(.init(at: time(frame), label: theme.name))
                case .mute(true) where !mutes.goesOn: mutes.add(.init(at: time(frame), until: open))
                case .mute(false): mutes.end(at: time(frame))
                default: break
                }
            // A line tells that it begins, and another one, of the same frame, how long it was.
            case .discontinuity(.gap(nil), let frame): gaps.add(.init(at: time(frame), until: open))
            case .discontinuity(.gap(let frames?), let frame):
                if gaps.goesOn, gaps.moments.last?.at == time(frame) {
                    gaps.end(at: time(frame + frames))
                } else {
                    gaps.add(.init(at: time(frame), until: time(frame + frames)))
                }
            case .discontinuity(.lost(let entries), let frame):
                lost.add(.init(at: time(frame), until: open, label: "\(entries) entries"))
            case .discontinuity(.late, _), .checkpoint, .end: break
            }
        }
        return ([marks, themes, mutes, gaps, lost, damaged], told?.rows ?? [], told?.fault)
    }
}

/// The rows of what the piece tells, by the rules with which the session was played, or by today's rules if those are asked for.
private struct ToldRows {
    private(set) var rows: [MomentRow]
    /// The first line on which the rules cannot act; the rows end there. Nil where there is no such line.
    private(set) var fault: JournalFault?
    private let highlights: [HighlightDeclaration]
    private var fold: ReplayFold

    /// Starts at a journal's `header`; returns nil where this Thrum does not have the rules.
    init?(_ header: JournalHeader, of journal: FilePath, by rules: ReplayRules, _ pieces: [any Experience.Type]) {
        guard let fold = try? ReplayFold(header, of: journal, by: rules.forAnnouncements, pieces),
              let highlights = fold.run?.declaration.highlights else { return nil }
        self.fold = fold
        self.highlights = highlights
        rows = highlights.map { MomentRow(.highlight, $0.title) }
    }

    mutating func take(_ entry: JournalEntry, line: Int, at time: Seconds) {
        guard fault == nil else { return }
        do {
            _ = try fold.take(entry, line: line, isChanged: false)
        } catch {
            fault = error
            return
        }
        for announcement in fold.announcements {
            for (place, highlight) in highlights.enumerated() {
                guard let label = highlight.label(of: announcement) else { continue }
                let words = label.isEmpty ? "\(rows[place].moments.count + 1)" : label
                rows[place].add(.init(at: time, label: words))
            }
        }
    }
}

extension JournalEntry {
    /// Whether the entry's frame is in order. Entries about what was heard may come before or after the events around them.
    fileprivate var isInOrder: Bool {
        switch self {
        case .discontinuity(.late, _), .discontinuity(.gap, _): false
        case .header, .event, .discontinuity(.lost, _), .checkpoint, .end: true
        }
    }
}

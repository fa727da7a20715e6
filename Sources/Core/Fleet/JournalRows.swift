import Fields
import Journal
import Signals
import Units

/// Makes rows of a journal's entries: one for the header, one for the end, one for each discontinuity, and one for each event whose name
/// was asked for and that front ends may report. All other entries stay on the box, even those with what pieces remember. The number of a
/// row is that of its line in the journal, so that it does not depend on the choice of events.
public struct JournalRows: Sendable {
    /// The names that rows have instead of an event's name: for the header, the end, and a discontinuity.
    public static let (began, ended, discontinuity) = ("run.began", "run.ended", "sound.discontinuity")

    /// The journal's name in the fleet: the name of its file and the seed of its session. A box that was set up anew with a wrong clock may
    /// use a file's name again, but hardly the same seed.
    public let journal: String
    private let rate: Int
    private let start: Int
    private let events: Set<String>
    private let opening: [String: JSONValue]

    /// Starts to make the rows of the journal that has this header. `name` is the file's name without `.jsonl`. Where the header has no
    /// start time, as in simulated sessions, the session counts as begun at 1970-01-01.
    public init(_ header: JournalHeader, of name: String, events: Set<String>) {
        journal = "\(name)/\(header.seed)".withoutNUL
        rate = Int(header.sampleRate.hertz)
        start = Self.instant(header.started) ?? 0
        self.events = events
        opening = ["experience": .text(header.experience.withoutNUL), "sampleRate": .integer(Int64(rate)),
                   "theme": .text(header.theme.name.withoutNUL),
                   "rules": header.rules.map { .integer(Int64($0.version)) } ?? .null,
                   "model": header.model.map { .text($0.name.withoutNUL) } ?? .null,
                   "box": header.signed.map { .text($0.box) } ?? .null]
    }

    /// Returns the row of an entry, which stands in line `line` of the journal; nil for an entry that makes no row. Throws `Fault` for a
    /// time after the year 9999.
    public func row(_ entry: JournalEntry, line: Int) throws(Fault) -> JournalRow? {
        switch entry {
        case .header: return try row(entry, line, Self.began, opening)
        case .event(let event, _, _, let gave):
            guard events.contains(event.kind.name), event.kind.isReportable,
                  case .object(var fields)? = try? JSONValue(encoding: Reported(kind: event.kind)) else { return nil }
            fields["margin"] = gave?.logOdds.map { .number($0) }
            let chimes = gave?.cues.compactMap { cue -> JSONValue? in if case .chime(let name) = cue { .text(name) } else { nil } } ?? []
            if !chimes.isEmpty { fields["chimes"] = .list(chimes) }
            return try row(entry, line, event.kind.name, fields)
        case .discontinuity(let discontinuity, _):
            let (kind, count): (String, Int?) = switch discontinuity {
            case .late(let frames): ("late", Int(frames.rawValue))
            case .gap(let frames): ("gap", frames.map { Int($0.rawValue) })
            case .lost(let entries): ("lost", entries)
            }
            return try row(entry, line, Self.discontinuity, ["kind": .text(kind), "count": count.map { .integer(Int64($0)) } ?? .null])
        case .checkpoint: return nil
        case .end(let end, _): return try row(entry, line, Self.ended, ["end": .text(end.rawValue)])
        }
    }

    /// The fields of an event in the form that they have in a journal.
    private struct Reported: Encodable {
        let kind: EventKind

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Fields.Key.self)
            try kind.encode(into: &container)
        }
    }

    private func row(_ entry: JournalEntry, _ line: Int, _ event: String, _ fields: [String: JSONValue]) throws(Fault) -> JournalRow {
        let frame = Int(entry.frame.rawValue)
        let instant = start + frame / rate * 1_000_000 + frame % rate * 1_000_000 / rate
        guard JournalRow.instants.contains(instant) else { throw Fault(field: "frame", expected: "a time before the year 10000") }
        guard case .object(let plain) = JSONValue.object(fields).withoutNUL else { preconditionFailure("an object stays one") }
        return JournalRow(line: line, frame: frame, instant: instant, event: event.withoutNUL, fields: plain)
    }

    /// Converts the start time in a header, such as `2026-01-01T12:00:00Z`, to microseconds since 1970-01-01; nil for text that is no such
    /// time. The day's number follows Howard Hinnant's "chrono-Compatible Low-Level Date Algorithms" (2021), days_from_civil.
    static func instant(_ text: String) -> Int? {
        let shape = String(text.map { "0"..."9" ~= $0 ? "0" : $0 })
        let numbers = text.split { "-:TZ".contains($0) }.compactMap { Int($0) }
        guard shape == "0000-00-00T00:00:00Z", numbers.count == 6, numbers[0] >= 1970, (1...12).contains(numbers[1]),
              (1...31).contains(numbers[2]), numbers[3] < 24, numbers[4] < 60, numbers[5] <= 60 else { return nil }
        let (year, month, day) = (numbers[0], numbers[1], numbers[2])
        let shifted = month > 2 ? year : year - 1
        let (era, yearOfEra) = (shifted / 400, shifted % 400)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let days = era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
        return (days * 86_400 + numbers[3] * 3_600 + numbers[4] * 60 + numbers[5]) * 1_000_000
    }
}

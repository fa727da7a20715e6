import Fields
import JSON
import Signals
import Units

/// The one spelling of journal lines, both ways.
public enum JournalLine {
    /// The bytes of one line, with its newline. Keys are sorted so that equal entries are equal bytes. `JournalSum` adds the sum, which
    /// comes last because it is of everything before it.
    public static func encode(_ entry: JournalEntry) -> [UInt8] {
        do {
            return try JSONWriter.bytes(of: Written(entry: entry)) + [UInt8(ascii: "\n")]
        } catch {
            preconditionFailure("entries hold finite numbers only, so they always encode: \(error)")
        }
    }

    /// Returns the bytes of a theme as a header spells it.
    public static func encode(_ theme: Theme) -> [UInt8] {
        do {
            return try JSONWriter.bytes(of: theme)
        } catch {
            preconditionFailure("themes hold finite numbers only, so they always encode: \(error)")
        }
    }

    /// Where a line stands.
    enum Place {
        case header
        /// `hasCues`: whether the header is of version 2.
        case further(hasCues: Bool)
    }

    /// What a line may have. The deepest of our own, a curve's point in a theme's pattern, is 8 deep.
    private static let limits = JSONLimits(depth: 64)

    /// Reads one line without its newline. Throws what is wrong with which field.
    static func decode(_ line: some Sequence<UInt8>, _ place: Place) throws(Fault) -> JournalEntry {
        do {
            let fields = try Fields(JSONReading(try JSONText(Array(line), within: limits)).decoder(of: 0))
            return switch place {
            case .header where !fields.contains("format") && fields.contains("frame"):
                throw Fault(field: "", expected: "the header, which is the first line of every journal",
                            found: "a line of its middle: the beginning of this journal is missing")
            case .header: .header(try JournalHeader(fields))
            case .further(let hasCues): try JournalEntry(fields, hasCues: hasCues)
            }
        } catch let fault as Fault {
            throw fault
        } catch {
            throw Fault(field: "", expected: "one JSON object", found: "something else")
        }
    }

    /// Whether it is JSON, of whatever kind.
    static func isWhole(_ line: [UInt8]) -> Bool { (try? JSONText(line, within: limits)) != nil }

    /// Reads a journal's first line, without its newline. Throws what is wrong with which field.
    public static func decodeHeader(_ line: some Sequence<UInt8>) throws(Fault) -> JournalHeader {
        guard case .header(let header) = try decode(line, .header) else { preconditionFailure("a first line is a header") }
        return header
    }

    /// Reads one line out of its context; nil when it is no event or end line.
    public static func decodeIfWhole(_ line: some Sequence<UInt8>) -> JournalEntry? { try? decode(line, .further(hasCues: true)) }

    private struct Written: Encodable {
        var entry: JournalEntry

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Fields.Key.self)
            switch entry {
            case .header(let header):
                try container.encode(JournalHeader.format, forKey: .init("format"))
                try container.encode(header.version, forKey: .init("version"))
                try container.encode(header.sampleRate.hertz, forKey: .init("sampleRate"))
                try container.encode(header.seed, forKey: .init("seed"))
                try container.encode(header.experience, forKey: .init("experience"))
                try container.encode(header.started, forKey: .init("started"))
                try container.encode(header.theme, forKey: .init("theme"))
                try container.encodeIfPresent(header.signed, forKey: .init("signed"))
                if header.knobs != .standard { try container.encode(header.knobs, forKey: .init("tuning")) }
                if let rules = header.rules {
                    try container.encode(rules.version, forKey: .init("rules"))
                    let opening = rules.opening.map { CueLine(cue: $0, event: nil) }
                    if !opening.isEmpty { try container.encode(opening, forKey: .init("opening")) }
                }
            case .event(let event, let frame, let due, let cues):
                try container.encode(frame.rawValue, forKey: .init("frame"))
                if let due, due != frame { try container.encode(due.rawValue, forKey: .init("due")) }
                try container.encode(event.kind.name, forKey: .init("event"))
                try container.encode(event.client.number, forKey: .init("client"))
                try event.kind.encode(into: &container)
                if let cues, !cues.isEmpty { try container.encode(cues.map { CueLine(cue: $0, event: event.kind) }, forKey: .init("cues")) }
            case .discontinuity(let discontinuity, let frame):
                try container.encode(frame.rawValue, forKey: .init("frame"))
                try container.encode(discontinuity.name, forKey: .init(Discontinuity.words[0]))
                switch discontinuity {
                case .late(let count): try container.encode(count.rawValue, forKey: .init("frames"))
                case .gap(let count):
                    if let count { try container.encode(count.rawValue, forKey: .init("frames")) }
                case .lost(let entries): try container.encode(entries, forKey: .init("entries"))
                }
            case .checkpoint(let sounds, let frame):
                try container.encode(frame.rawValue, forKey: .init("frame"))
                try container.encode(sounds.isEmpty ? [:] : ["sounds": sounds], forKey: .init("checkpoint"))
            case .end(let end, let frame):
                try container.encode(frame.rawValue, forKey: .init("frame"))
                try container.encode(end.rawValue, forKey: .init("end"))
            }
        }
    }
}

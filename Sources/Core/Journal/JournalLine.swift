import Fields
import FoundationEssentials
import Signals
import Units

/// The one spelling of journal lines, both ways.
public enum JournalLine {
    /// The bytes of one line, with its newline. Keys are sorted so that equal entries are equal bytes. `JournalSum` adds the sum, which
    /// comes last because it is of everything before it.
    public static func encode(_ entry: JournalEntry) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return [UInt8](try encoder.encode(Written(entry: entry))) + [UInt8(ascii: "\n")]
        } catch {
            preconditionFailure("entries hold finite numbers only, so they always encode: \(error)")
        }
    }

    /// Where a line stands.
    enum Place {
        case header
        /// `hasCues`: whether the header is of version 2.
        case further(hasCues: Bool)
    }

    /// Reads one line without its newline. Throws what is wrong with which field.
    static func decode(_ line: some Sequence<UInt8>, _ place: Place, with decoder: JSONDecoder) throws(Fault) -> JournalEntry {
        do {
            let data = Data(line)
            switch place {
            case .header: return .header(try decoder.decode(ReadHeader.self, from: data).header)
            case .further(hasCues: true): return try decoder.decode(ReadEntry.self, from: data).entry
            case .further(hasCues: false): return try decoder.decode(ReadEntryWithoutCues.self, from: data).entry
            }
        } catch let fault as Fault {
            throw fault
        } catch {
            throw Fault(field: "", expected: "one JSON object", found: "something else")
        }
    }

    /// Reads a journal's first line, without its newline. Throws what is wrong with which field.
    public static func decodeHeader(_ line: some Sequence<UInt8>) throws(Fault) -> JournalHeader {
        guard case .header(let header) = try decode(line, .header, with: JSONDecoder()) else {
            preconditionFailure("a first line is a header")
        }
        return header
    }

    /// Reads one line out of its context; nil when it is no event or end line.
    public static func decodeIfWhole(_ line: some Sequence<UInt8>) -> JournalEntry? {
        try? decode(line, .further(hasCues: true), with: JSONDecoder())
    }

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
                if header.tuning != .standard { try container.encode(header.tuning, forKey: .init("tuning")) }
                if let rules = header.rules {
                    try container.encode(rules.version, forKey: .init("rules"))
                    if !rules.opening.isEmpty { try container.encode(rules.opening.map { CueLine($0, of: nil) }, forKey: .init("opening")) }
                }
            case .event(let event, let frame, let due, let cues):
                try container.encode(frame.rawValue, forKey: .init("frame"))
                if let due, due != frame { try container.encode(due.rawValue, forKey: .init("due")) }
                try container.encode(event.kind.name, forKey: .init("event"))
                try container.encode(event.client.number, forKey: .init("client"))
                try event.kind.encode(into: &container)
                if let cues, !cues.isEmpty { try container.encode(cues.map { CueLine($0, of: event.kind) }, forKey: .init("cues")) }
            case .lapse(let lapse, let frame):
                try container.encode(frame.rawValue, forKey: .init("frame"))
                switch lapse {
                case .late(let count):
                    try container.encode("late", forKey: .init("lapse"))
                    try container.encode(count.rawValue, forKey: .init("frames"))
                case .gap(let count):
                    try container.encode("gap", forKey: .init("lapse"))
                    if let count { try container.encode(count.rawValue, forKey: .init("frames")) }
                case .lost(let entries):
                    try container.encode("lost", forKey: .init("lapse"))
                    try container.encode(entries, forKey: .init("entries"))
                }
            case .end(let end, let frame):
                try container.encode(frame.rawValue, forKey: .init("frame"))
                try container.encode(end.rawValue, forKey: .init("end"))
            }
        }
    }

    private struct ReadHeader: Decodable {
        var header: JournalHeader

        init(from decoder: any Decoder) throws {
            let fields = try Fields(decoder)
            let format = try fields.text("format")
            guard format == JournalHeader.format else {
                throw fields.fault("format", "\"\(JournalHeader.format)\"", found: "\"\(format)\"")
            }
            let version = try fields.integer("version", in: 1...Int(Int32.max))
            guard (1...2).contains(version) else {
                throw fields.fault("version", "1 or 2, the ones this Thrum reads", found: "\(version)")
            }
            var known = ["format", "version", "sampleRate", "seed", "experience", "started", "theme", "tuning", "sum"]
            if version == 2 { known += ["rules", "opening"] }
            try fields.refuseAll(but: known)
            _ = try fields.textIfPresent("sum")
            guard let rate = SampleRate(try fields.integer("sampleRate", in: SampleRate.supported, unit: "Hz")) else {
                preconditionFailure("the range was checked")
            }
            header = JournalHeader(
                sampleRate: rate,
                seed: UInt64(try fields.integer("seed", in: 0...Int(JournalHeader.seeds.upperBound))),
                experience: try fields.text("experience"),
                started: try fields.text("started"),
                theme: try fields.nested(Theme.self, "theme", expected: "an object"),
                tuning: fields.contains("tuning") ? try fields.nested(Tuning.self, "tuning", expected: "an object") : .standard,
                rules: version == 2 ? try Self.rules(fields) : nil)
        }

        private static func rules(_ fields: Fields) throws -> JournalHeader.Rules {
            JournalHeader.Rules(version: try fields.integer("rules", in: 1...Int(Int32.max)),
                                opening: try CueLine.cues("opening", of: nil, fields))
        }
    }

    private struct ReadEntry: Decodable {
        /// 2⁵³ frames are 5,900 years at 48 kHz, and exact in every JSON reader.
        private static let frames = 0...(1 << 53)

        var entry: JournalEntry

        init(from decoder: any Decoder) throws {
            try self.init(decoder, hasCues: true)
        }

        init(_ decoder: any Decoder, hasCues: Bool) throws {
            let fields = try Fields(decoder)
            let frame = Frame(Int64(try fields.integer("frame", in: Self.frames)))
            // Compared by the reader, as bytes: here any text will do.
            _ = try fields.textIfPresent("sum")
            if fields.contains("end") {
                try fields.refuseAll(but: ["frame", "end", "sum"])
                entry = .end(try fields.choice("end"), at: frame)
                return
            }
            if fields.contains("lapse") {
                entry = .lapse(try Self.lapse(fields), at: frame)
                return
            }
            let name = try fields.text("event")
            let client = try fields.integerIfPresent("client", in: Int(Int32.min)...Int(Int32.max)) ?? 0
            let besides = ["frame", "event", "client", "due"] + (hasCues ? ["cues", "sum"] : ["sum"])
            guard let kind = try EventKind(name: name, fields, besides: besides) else {
                throw fields.fault("event", "one of " + EventKind.all.joined(separator: ", "), found: "\"\(name)\"")
            }
            let due = try fields.integerIfPresent("due", in: Self.frames).map { Frame(Int64($0)) }
            entry = .event(Event(client: Client(number: client), kind), at: frame, due: due,
                           cues: hasCues ? try CueLine.cues("cues", of: kind, fields) : nil)
        }

        private static func lapse(_ fields: Fields) throws -> Discontinuity {
            let kind = try fields.text("lapse")
            switch kind {
            case "late":
                try fields.refuseAll(but: ["frame", "lapse", "frames", "sum"])
                return .late(FrameCount(Int64(try fields.integer("frames", in: frames))))
            case "gap":
                try fields.refuseAll(but: ["frame", "lapse", "frames", "sum"])
                return .gap(try fields.integerIfPresent("frames", in: frames).map { FrameCount(Int64($0)) })
            case "lost":
                try fields.refuseAll(but: ["frame", "lapse", "entries", "sum"])
                return .lost(entries: try fields.integer("entries", in: 1...frames.upperBound))
            default: throw fields.fault("lapse", "one of gap, late, lost", found: "\"\(kind)\"")
            }
        }
    }

    private struct ReadEntryWithoutCues: Decodable {
        var entry: JournalEntry

        init(from decoder: any Decoder) throws { entry = try ReadEntry(decoder, hasCues: false).entry }
    }
}

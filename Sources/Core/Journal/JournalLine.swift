import Fields
import JSON
import Signals
import Units

/// Writes and reads the lines of journals.
public enum JournalLine {
    /// Returns the bytes of one line, with its newline. Keys are sorted so that equal entries are equal bytes. `JournalSum` adds the sum,
    /// which comes last because it covers everything before it.
    public static func encode(_ entry: JournalEntry) -> [UInt8] {
        do {
            return try JSONWriter.bytes(of: Written(entry: entry)) + [UInt8(ascii: "\n")]
        } catch {
            preconditionFailure("entries hold finite numbers only, so they always encode: \(error)")
        }
    }

    /// Returns the bytes of a theme in the form in which a header contains it.
    public static func encode(_ theme: Theme) -> [UInt8] {
        do {
            return try JSONWriter.bytes(of: theme)
        } catch {
            preconditionFailure("themes hold finite numbers only, so they always encode: \(error)")
        }
    }

    /// The position of a line in its journal, which decides how the line is read.
    enum Position {
        case header
        /// A line after the header. `hasCues` says whether the header is of version 2.
        case further(hasCues: Bool)
    }

    /// The limits of a line. The most deeply nested line that Thrum writes has 8 levels; it contains a curve's point in a theme's pattern.
    private static let limits = JSONLimits(depth: 64)

    /// Reads one line without its newline. Throws the fault of a field.
    static func decode(_ line: some Sequence<UInt8>, _ position: Position) throws(Fault) -> JournalEntry {
        do {
            let fields = try Fields(JSONReading(try JSONText(Array(line), within: limits)).decoder(of: 0))
            return switch position {
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

    /// Whether a line is JSON, whatever it says.
    static func isWhole(_ line: [UInt8]) -> Bool { (try? JSONText(line, within: limits)) != nil }

    /// Reads a journal's first line, without its newline. Throws the fault of a field.
    public static func decodeHeader(_ line: some Sequence<UInt8>) throws(Fault) -> JournalHeader {
        guard case .header(let header) = try decode(line, .header) else { preconditionFailure("a first line is a header") }
        return header
    }

    /// Reads one line without knowing its journal; nil when it is not a valid line after a header.
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
                try container.encodeIfPresent(header.model, forKey: .init("model"))
                try container.encodeIfPresent(header.signed, forKey: .init("signed"))
                if header.knobs != .standard { try container.encode(header.knobs, forKey: .init("tuning")) }
                if let rules = header.rules {
                    try container.encode(rules.version, forKey: .init("rules"))
                    let opening = rules.opening.map { CueLine(cue: $0, event: nil) }
                    if !opening.isEmpty { try container.encode(opening, forKey: .init("opening")) }
                }
            case .event(let event, let frame, let due, let gave):
                try container.encode(frame.rawValue, forKey: .init("frame"))
                if let due, due != frame { try container.encode(due.rawValue, forKey: .init("due")) }
                try container.encode(event.kind.name, forKey: .init("event"))
                try container.encode(event.client.number, forKey: .init("client"))
                try event.kind.encode(into: &container)
                let cues = (gave?.cues ?? []).map { CueLine(cue: $0, event: event.kind) }
                if !cues.isEmpty { try container.encode(cues, forKey: .init("cues")) }
                try container.encodeIfPresent(gave?.logOdds, forKey: .init("margin"))
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

/// The frames that a line may contain. 2⁵³ frames are 5,900 years at 48 kHz, and every JSON reader can hold the number exactly.
private let frames = 0...(1 << 53)

extension JournalHeader {
    private static let known = ["format", "version", "sampleRate", "seed", "experience", "started", "theme", "tuning", "sum"]

    /// Reads a header. Throws `Fault`.
    init(_ fields: Fields) throws {
        let format = try fields.text("format")
        guard format == Self.format else { throw fields.fault("format", "\"\(Self.format)\"", found: "\"\(format)\"") }
        let version = try fields.integer("version", in: 1...Int(Int32.max))
        guard (1...2).contains(version) else { throw fields.fault("version", "1 or 2, the ones this Thrum reads", found: "\(version)") }
        try fields.refuseAll(but: Self.known + (version == 2 ? ["rules", "opening", "model", "signed", "signature"] : []))
        try fields.takeTail()
        guard let rate = SampleRate(try fields.integer("sampleRate", in: SampleRate.supported, unit: "Hz")) else {
            preconditionFailure("the range was checked")
        }
        self.init(
            sampleRate: rate,
            seed: UInt64(try fields.integer("seed", in: 0...Int(Self.seeds.upperBound))),
            experience: try fields.text("experience"),
            started: try fields.text("started"),
            theme: try fields.nested(Theme.self, "theme", expected: "an object"),
            knobs: fields.contains("tuning") ? try fields.nested(KnobSettings.self, "tuning", expected: "an object") : .standard,
            rules: version == 2 ? try Rules(fields) : nil,
            model: fields.contains("model") ? try Model(fields.object("model")) : nil,
            signed: fields.contains("signed") ? try JournalProvenance(fields.object("signed")) : nil)
    }
}

extension JournalHeader.Rules {
    fileprivate init(_ fields: Fields) throws {
        self.init(version: try fields.integer("rules", in: 1...Int(Int32.max)), opening: try Cue.list(fields, "opening", of: nil))
    }
}

extension JournalHeader.Model: Encodable {
    fileprivate init(_ fields: Fields) throws {
        try fields.refuseAll(but: ["name", "digest"])
        self.init(name: try fields.text("name"), digest: fields.contains("digest") ? try JournalProvenance.digest(fields, "digest") : nil)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Fields.Key.self)
        try container.encode(name, forKey: .init("name"))
        try container.encodeIfPresent(digest, forKey: .init("digest"))
    }
}

extension JournalEntry {
    /// The fields of an event's line that stand beside the event's own fields.
    private static let aroundEvent = ["frame", "event", "client", "due", "sum"]
    private static let aroundEventWithOutcome = ["frame", "event", "client", "due", "cues", "margin", "sum"]
    /// The log-odds that a line may contain in its field `margin`: any finite number.
    private static let finite = -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude

    /// Reads a line that is not the header. `hasCues` says whether the lines of events contain the events' cues. Throws `Fault`.
    init(_ fields: Fields, hasCues: Bool) throws {
        let frame = Frame(Int64(try fields.integer("frame", in: frames)))
        try fields.takeTail()
        if fields.contains("checkpoint") {
            try fields.refuseAll(but: ["frame", "checkpoint", "signature", "sum"])
            let checkpoint = try fields.object("checkpoint")
            try checkpoint.refuseAll(but: ["sounds"])
            self = .checkpoint(sounds: try JournalProvenance.sounds(checkpoint), at: frame)
            return
        }
        if fields.contains("end") {
            try fields.refuseAll(but: ["frame", "end", "signature", "sum"])
            self = .end(try fields.choice("end"), at: frame)
            return
        }
        if !fields.contains("event"), let word = Discontinuity.words.first(where: { fields.contains($0) }) {
            self = .discontinuity(try Discontinuity(fields, word), at: frame)
            return
        }
        let written = try fields.text("event")
        // Version 1 had a name of ColorScroller's for it.
        let name = !hasCues && written == "feed.swipe" ? "swipe" : written
        let client = try fields.integerIfPresent("client", in: Int(Int32.min)...Int(Int32.max)) ?? 0
        let around = hasCues ? Self.aroundEventWithOutcome : Self.aroundEvent
        // What the core has no name for is a piece's own.
        let kind = try EventKind(name: name, fields, besides: around)
            ?? .action(Action(UncheckedAction(name: name, fields: try fields.others(than: around))))
        let due = try fields.integerIfPresent("due", in: frames).map { Frame(Int64($0)) }
        let gave = hasCues ? Outcome(cues: try Cue.list(fields, "cues", of: kind),
                                     logOdds: try fields.numberIfPresent("margin", in: Self.finite)) : nil
        self = .event(Event(client: Client(number: client), kind), at: frame, due: due, gave: gave)
    }
}

extension Fields {
    /// Reads the fields `signature` and `sum`, which other code checks as bytes. Any text is accepted here. Throws `Fault`.
    fileprivate func takeTail() throws {
        for name in ["signature", "sum"] { _ = try textIfPresent(name) }
    }
}

extension Discontinuity {
    /// The names of the field for the kind of discontinuity: the name that is written, and the name in journals of Thrum 0.1.0.
    fileprivate static let words = ["discontinuity", "lapse"]

    fileprivate var name: String {
        switch self {
        case .late: "late"
        case .gap: "gap"
        case .lost: "lost"
        }
    }

    fileprivate init(_ fields: Fields, _ word: String) throws {
        let kind = try fields.text(word)
        if fields.contains("lapse"), try fields.text("lapse") != kind { throw fields.fault("lapse", "\(kind), as discontinuity") }
        switch kind {
        case "late":
            try fields.refuseAll(but: ["frame"] + Self.words + ["frames", "sum"])
            self = .late(FrameCount(Int64(try fields.integer("frames", in: frames))))
        case "gap":
            try fields.refuseAll(but: ["frame"] + Self.words + ["frames", "sum"])
            self = .gap(try fields.integerIfPresent("frames", in: frames).map { FrameCount(Int64($0)) })
        case "lost":
            try fields.refuseAll(but: ["frame"] + Self.words + ["entries", "sum"])
            self = .lost(entries: try fields.integer("entries", in: 1...frames.upperBound))
        default: throw fields.fault(word, "one of gap, late, lost", found: "\"\(kind)\"")
        }
    }
}

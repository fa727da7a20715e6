import Fields
import Signals
import Units

/// 2⁵³ frames are 5,900 years at 48 kHz, and exact in every JSON reader.
private let frames = 0...(1 << 53)

extension JournalHeader {
    private static let known = ["format", "version", "sampleRate", "seed", "experience", "started", "theme", "tuning", "sum"]

    /// Throws `Fault`.
    init(_ fields: Fields) throws {
        let format = try fields.text("format")
        guard format == Self.format else { throw fields.fault("format", "\"\(Self.format)\"", found: "\"\(format)\"") }
        let version = try fields.integer("version", in: 1...Int(Int32.max))
        guard (1...2).contains(version) else { throw fields.fault("version", "1 or 2, the ones this Thrum reads", found: "\(version)") }
        try fields.refuseAll(but: Self.known + (version == 2 ? ["rules", "opening", "signed", "signature"] : []))
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
            signed: fields.contains("signed") ? try JournalProvenance(fields.object("signed")) : nil)
    }
}

extension JournalHeader.Rules {
    fileprivate init(_ fields: Fields) throws {
        self.init(version: try fields.integer("rules", in: 1...Int(Int32.max)), opening: try Cue.list(fields, "opening", of: nil))
    }
}

extension JournalEntry {
    /// What an event's line has beside the fields of its kind.
    private static let aroundEvent = ["frame", "event", "client", "due", "sum"]
    private static let aroundEventWithCues = ["frame", "event", "client", "due", "cues", "sum"]

    /// A line that is no header. `hasCues`: whether an event's line says what cues it gave. Throws `Fault`.
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
        let around = hasCues ? Self.aroundEventWithCues : Self.aroundEvent
        // What the core has no name for is a piece's own.
        let kind = try EventKind(name: name, fields, besides: around)
            ?? .action(Action(UncheckedAction(name: name, fields: try fields.others(than: around))))
        let due = try fields.integerIfPresent("due", in: frames).map { Frame(Int64($0)) }
        self = .event(Event(client: Client(number: client), kind), at: frame, due: due,
                      cues: hasCues ? try Cue.list(fields, "cues", of: kind) : nil)
    }
}

extension Fields {
    /// Reads the fields that others compare as bytes: here any text will do. Throws `Fault`.
    fileprivate func takeTail() throws {
        for name in ["signature", "sum"] { _ = try textIfPresent(name) }
    }
}

extension Discontinuity {
    /// The fields that say which discontinuity it is: the one that is written, and the one that journals of Thrum 0.1.0 have.
    static let words = ["discontinuity", "lapse"]

    var name: String {
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

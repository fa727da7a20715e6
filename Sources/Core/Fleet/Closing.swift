import Fields

/// A station's statement about finished journals of one day: their sizes and their SHA-256 digests. The station signs its text, and a day's
/// root stands for the texts of all stations.
public struct Closing: Equatable, Sendable {
    public struct Journal: Equatable, Encodable, Sendable {
        /// The journal's name in the fleet (`JournalRows.journal`).
        public let name: String
        /// The size of the journal's file in bytes.
        public let bytes: Int
        /// The SHA-256 of the whole file, in 64 hexadecimal digits.
        public let digest: String

        public init(name: String, bytes: Int, digest: String) { (self.name, self.bytes, self.digest) = (name, bytes, digest) }

        fileprivate init(_ fields: Fields) throws {
            try fields.refuseAll(but: ["journal", "bytes", "sha256"])
            name = try FleetPayload.text(fields, "journal")
            // The text has a line for each journal.
            guard !name.utf8.contains(UInt8(ascii: "\n")) else { throw fields.fault("journal", "a name of one line") }
            bytes = try fields.integer("bytes", in: 0...(1 << 53))
            digest = try FleetPayload.digits(fields, "sha256", bytes: 32)
        }

        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Fields.Key.self)
            try container.encode(name, forKey: .init("journal"))
            try container.encode(bytes, forKey: .init("bytes"))
            try container.encode(digest, forKey: .init("sha256"))
        }
    }

    /// The largest number of journals in a closing. A day with more has several.
    public static let mostJournals = 4096

    public let station: StationName
    /// The day at the station's place on which the journals began, such as `2026-01-31`.
    public let day: String
    /// The public key of Ed25519 that signs it, in 64 hexadecimal digits.
    public let key: String
    public let journals: [Journal]

    public init(station: StationName, day: String, key: String, journals: [Journal]) {
        (self.station, self.day, self.key, self.journals) = (station, day, key, journals)
    }

    /// The text that is signed, and from which the day's root is made: a line of its kind, the station, the day, the key that signs, and a
    /// line for each journal with its digest, its size and its name. Each line ends with a newline.
    public var text: String {
        Self.beginning(of: station, on: day) + key + "\n" + journals.map { "\($0.digest) \($0.bytes) \($0.name)\n" }.joined()
    }

    /// Returns the first lines of the text of each closing of that station's day.
    public static func beginning(of station: StationName, on day: String) -> String { "thrum closing 2\n\(station)\n\(day)\n" }

    /// Reads a closing out of its text; nil for other text.
    public init?(text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count > 5, lines[0] == "thrum closing 2", let station = StationName(lines[1]), Self.isDay(String(lines[2])),
              lines[lines.count - 1].isEmpty else { return nil }
        var journals: [Journal] = []
        for line in lines[4..<(lines.count - 1)] {
            let parts = line.split(separator: " ", maxSplits: 2)
            guard parts.count == 3, let bytes = Int(parts[1]) else { return nil }
            journals.append(Journal(name: String(parts[2]), bytes: bytes, digest: String(parts[0])))
        }
        self.init(station: station, day: String(lines[2]), key: String(lines[3]), journals: journals)
        guard self.text == text else { return nil }
    }

    /// Returns when the session of a journal began, in seconds since 1970-01-01 in UTC, by the name that `thrumd` gave to its file, without
    /// `.jsonl`; nil for another name. Journals of other names belong to no day, and are in no closing.
    public static func start(ofJournal stem: String) -> Int? {
        guard stem.utf8.count == 20 || (stem.utf8.count > 21 && Int(stem.dropFirst(21)) != nil), stem.dropFirst(10).first == "T" else {
            return nil
        }
        let clock = stem.dropFirst(11).prefix(9).map { $0 == "-" ? ":" : $0 }
        return JournalRows.instant(String(stem.prefix(11)) + String(clock)).map { $0 / 1_000_000 }
    }

    /// Whether `text` has the form of a day such as `2026-01-31`.
    public static func isDay(_ text: String) -> Bool { String(text.map { "0"..."9" ~= $0 ? "0" : $0 }) == "0000-00-00" }
}

/// A closing with its signature, as a station sends it.
public struct SignedClosing: Equatable, Encodable, Sendable {
    public let closing: Closing
    /// The signature of the closing's text by the key that it names, in 128 hexadecimal digits.
    public let signature: String

    public init(_ closing: Closing, signature: String) { (self.closing, self.signature) = (closing, signature) }

    /// Reads the payload of a station. Whether the signature is good is not checked here. Throws `Fault`.
    public init(_ payload: [UInt8], of station: StationName) throws(Fault) {
        guard payload.count <= BatchRoom.largestPayload else {
            throw Fault(field: "", expected: "at most \(BatchRoom.largestPayload) bytes", found: "\(payload.count)")
        }
        self = try FleetPayload.read(payload) { fields in
            try fields.refuseAll(but: ["day", "journals", "key", "signature"])
            let day = try FleetPayload.text(fields, "day")
            guard Closing.isDay(day) else { throw fields.fault("day", "a day, such as 2026-01-31") }
            var journals: [Closing.Journal] = []
            var list = try fields.objectsIfPresent("journals", expected: "a list of journals")
            while let journal = try list?.next() { journals.append(try Closing.Journal(journal)) }
            guard (1...Closing.mostJournals).contains(journals.count) else {
                throw fields.fault("journals", "1 to \(Closing.mostJournals) journals", found: "\(journals.count)")
            }
            let key = try FleetPayload.digits(fields, "key", bytes: 32)
            return SignedClosing(Closing(station: station, day: day, key: key, journals: journals),
                                 signature: try FleetPayload.digits(fields, "signature", bytes: 64))
        }
    }

    public var payload: [UInt8] { FleetPayload.bytes(of: self) }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Fields.Key.self)
        try container.encode(closing.day, forKey: .init("day"))
        try container.encode(closing.journals, forKey: .init("journals"))
        try container.encode(closing.key, forKey: .init("key"))
        try container.encode(signature, forKey: .init("signature"))
    }
}

/// A hub's answer to a closing, which it sends when the closing is committed.
public struct KeptClosing: Equatable, Encodable, Sendable {
    /// The SHA-256 of the closing's text, in 64 hexadecimal digits.
    public let digest: String

    public init(digest: String) { self.digest = digest }

    /// Reads a payload. Throws `Fault`.
    public init(_ payload: [UInt8]) throws(Fault) {
        self = try FleetPayload.read(payload) { fields in
            try fields.refuseAll(but: ["closing"])
            return KeptClosing(digest: try FleetPayload.digits(fields, "closing", bytes: 32))
        }
    }

    public var payload: [UInt8] { FleetPayload.bytes(of: self) }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Fields.Key.self)
        try container.encode(digest, forKey: .init("closing"))
    }
}

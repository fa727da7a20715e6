import Escaping
import Experience
import Journal
import JournalFile
import Offline
import SystemPackage
import Units

/// A session as its journal's beginning and last line tell of it, or all lines.
struct SessionEntry: Encodable {
    var journal: String
    var bytes: Int64
    /// The session; nil where there is none to be read.
    var session: Session?
    /// The damage of the journal, as far as it was read, in words.
    var damage: [String] = []

    struct Session {
        var header: JournalHeader
        var seconds: Double
        /// The reason for which the session ended; nil if it was cut off, or is still running.
        var end: SessionEnd?
        /// The seconds from the first to the last sign of a visitor, and how often which chime was played, of a journal that was read to
        /// its end.
        var visitorSeconds: Double?
        var chimes: [String: Int]?
    }

    private enum CodingKeys: CodingKey {
        case bytes, chimes, damage, end, experience, isReadable, journal, rules, sampleRate, seconds, seed, started, theme, visitorSeconds
    }

    /// Reads the journal; all of it with `isFull`. `name` is what people call it; nil for its path.
    init(_ path: FilePath, named name: String? = nil, bytes: Int64, isFull: Bool = false) {
        journal = name ?? path.string
        self.bytes = bytes
        let (header, integrity): (JournalHeader, JournalIntegrity)
        let length: SessionLength
        do {
            (header, integrity) = try Self.beginning(path)
            length = try SessionLength(of: path, rate: header.sampleRate)
        } catch {
            if bytes > 0 { damage = [Self.words(error)] }
            return
        }
        session = Session(header: header, seconds: header.sampleRate.seconds(in: length.frames).rawValue, end: length.end)
        if isFull {
            read(path)
        } else if let damage = integrity.damage {
            self.damage = [damage]
        }
    }

    private mutating func read(_ path: FilePath) {
        do {
            let overview = try SessionOverview(path, named: journal, [])
            session?.visitorSeconds = overview.visitorSeconds
            session?.chimes = overview.chimes
            damage = overview.damage
        } catch {
            damage = [Self.words(error)]
        }
    }

    private static func words(_ error: any Error) -> String {
        (error as? JournalFault).map { "line \($0.line): \($0.fault)" } ?? "\(error)"
    }

    /// Returns the header of a journal; nil where there is none to be read.
    static func header(_ path: FilePath) -> JournalHeader? { try? beginning(path).header }

    /// Returns the header, and what the sums of it and the line after it say. Throws `JournalFault` and `Errno`.
    private static func beginning(_ path: FilePath) throws -> (header: JournalHeader, integrity: JournalIntegrity) {
        var scan = try JournalScan(path)
        let header = try scan.header()
        _ = try? scan.next()
        return (header, scan.integrity)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(journal, forKey: .journal)
        try container.encode(bytes, forKey: .bytes)
        try container.encode(session != nil, forKey: .isReadable)
        if !damage.isEmpty { try container.encode(damage, forKey: .damage) }
        guard let session else { return }
        try container.encode(session.header.experience, forKey: .experience)
        try container.encodeIfPresent(session.header.rules?.version, forKey: .rules)
        try container.encode(session.header.theme.name, forKey: .theme)
        try container.encode(session.header.seed, forKey: .seed)
        try container.encode(session.header.sampleRate.hertz, forKey: .sampleRate)
        try container.encode(session.header.started, forKey: .started)
        try container.encode(session.seconds, forKey: .seconds)
        try container.encodeIfPresent(session.end?.rawValue, forKey: .end)
        try container.encodeIfPresent(session.visitorSeconds, forKey: .visitorSeconds)
        try container.encodeIfPresent(session.chimes, forKey: .chimes)
    }

    /// The session in a line for people: what it is, and how long.
    var line: String {
        guard let session else { return "\(journal)  \(size), \(objection)" }
        return "\(journal)  " + ([session.header.experience, Seconds(session.seconds).clock(1), size] + notes).joined(separator: ", ")
    }

    /// The reason for which there is no session.
    var objection: String { bytes == 0 ? "empty" : "cannot be read" + damage.map { ": " + $0 }.joined() }

    /// The size of the file, in words.
    var size: String { "\((Double(bytes) / 1024).fixed(0)) KiB" }

    /// The other things to know of the session, in words.
    var notes: [String] {
        guard let session else { return [] }
        var notes: [String] = []
        if let visitor = session.visitorSeconds { notes.append("somebody there for \(Seconds(visitor).clock(1))") }
        notes += (session.chimes ?? [:]).sorted { $0.key < $1.key }.map { "\($0.key.printable) × \($0.value)" }
        if session.end == nil { notes.append("cut off or still running") }
        if !damage.isEmpty { notes.append("damaged: " + damage.joined(separator: "; ")) }
        return notes
    }
}

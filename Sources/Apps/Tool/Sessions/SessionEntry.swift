import Escaping
import Experience
import Journal
import JournalFile
import Offline
import SystemPackage
import Units

/// What is known about a session from its journal's first and last lines or, if the whole journal was read, from all lines.
struct SessionEntry: Encodable {
    var journal: String
    var bytes: Int64
    /// What is known about the session; nil where the journal cannot be read.
    var session: Session?
    /// The damage of the journal in words, as far as the journal was read.
    var damage: [String] = []

    struct Session {
        var header: JournalHeader
        var seconds: Double
        /// The reason why the session ended; nil if it was cut off, or is still running.
        var end: SessionEnd?
        /// The time in seconds from the first to the last event of a visitor, and (`chimes`) how often each chime was played. Both are nil
        /// unless the journal was read to its end.
        var visitorSeconds: Double?
        var chimes: [String: Int]?
    }

    private enum CodingKeys: CodingKey {
        case bytes, chimes, damage, end, experience, isReadable, journal, rules, sampleRate, seconds, seed, started, theme, visitorSeconds
    }

    /// Reads the first and last lines of the journal; with `isFull`, all lines. `name` is the journal's name for people; nil for its path.
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

    /// Returns the header of a journal; nil where it cannot be read.
    static func header(_ path: FilePath) -> JournalHeader? { try? beginning(path).header }

    /// Returns the header, and the result of checking the checksums of the first two lines. Throws `JournalFault` and `Errno`.
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

    /// The session as a line for people: its piece, length and size, and remarks.
    var line: String {
        guard let session else { return "\(journal)  \(size), \(objection)" }
        return "\(journal)  " + ([session.header.experience, Seconds(session.seconds).clock(1), size] + notes).joined(separator: ", ")
    }

    /// The reason why `session` is nil: the journal is empty, or it cannot be read.
    var objection: String { bytes == 0 ? "empty" : "cannot be read" + damage.map { ": " + $0 }.joined() }

    /// The size of the file for people.
    var size: String { "\((Double(bytes) / 1024).fixed(0)) KiB" }

    /// Remarks about the session, each in a few words.
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

extension JournalIntegrity {
    /// What the checksums show about changed or missing lines, in a few words; nil where they show no damage.
    var damage: String? {
        guard let line else { return nil }
        return if case .beginningMissing(let end) = self {
            "the beginning is missing, all before \(end.clock(3))"
        } else {
            "changed at line \(line) or above it"
        }
    }
}

extension PlaybackNotes {
    /// Whether nothing but the end is missing. This is so while a session is still running.
    var isOpenOnly: Bool { cutLine != nil && integrity.damage == nil && loss == nil }

    /// The kinds of damage of the journal, each in a few words; empty where the journal is intact.
    var damage: [String] {
        let missing = loss.map { "\($0.entries) entries are missing from \($0.from.clock(3)) on" }
        return [cutLine.map { "cut off at line \($0)" }, integrity.damage, missing].compactMap { $0 }
    }
}

extension PlaybackNotes {
    /// Returns warnings for people who listen to the rendered session.
    func warnings(of session: SessionFile) -> [String] {
        var warnings: [String] = []
        // A session without an event is silent. The warning names the session, which helps when many are rendered.
        let silence = silence.map { "there is no event in it: \($0.clock(3)) of silence" }
        if let cutLine {
            warnings.append("\(session):\(cutLine): warning: the session was cut off here; " + (silence ?? "rendered up to the cut"))
        } else if let silence {
            warnings.append("\(session): warning: \(silence)")
        }
        if let warning = integrity.warning(session) { warnings.append(warning) }
        if let loss {
            warnings.append("\(session): warning: \(loss.entries) entries are missing, the first of them at "
                + "\(loss.from.clock(3)): from there this is not what was heard")
        }
        return warnings + missingFiles.map { "\(session): warning: \($0) cannot be read, and is not heard" }
            + exchangedFiles.map { "\(session): warning: \($0) is not the file that was played, and is not heard" }
            + changedFiles.map { "\(session): warning: \($0) was changed during the session, and is heard as it is now in all of it" }
    }
}

import Fields
import Files
import Fleet
import Journal
import JournalFile
import SystemPackage

/// The finished journals of a box, and how far each has been sent. One thread uses it; its calls read files.
struct StationJournals {
    /// The time in seconds after which a journal that cannot be sent or digested no longer has others spared. It is that between its last
    /// change and the newest journal's.
    static let patience = 30 * 86_400
    /// The number of looks in a row at which it was stuck, so that a disk that fails for a while has no journal given up.
    static let looks = 1_800

    private let folder: SessionFolder
    private let events: Set<String>
    /// The journals by their files' names without `.jsonl`.
    private var known: [String: StationMemory.Journal] = [:]
    /// The last line of each journal that was read to its end, and the file's size in bytes at that time.
    private var ends: [String: (line: Int, bytes: Int)] = [:]
    private var bookmark: Bookmark?
    /// The bytes of a batch, which shrink where the broker takes less.
    private var mostBytes = 1 << 16
    /// The names of journals whose next row is larger than the broker takes. They wait for the next start.
    private var withheld: Set<String> = []
    /// The reasons why journals cannot be read now, as they were printed; each is printed once.
    private var unreadable: [String: String] = [:]
    private var digests = StationDigests()
    /// Whether digests of a day that is over are being made, and `unclosed` has to be called again for the rest.
    private(set) var isDigesting = false
    /// The journals that are stuck for long, and at how many looks in a row. From `looks` on they are given up: they are tried as before,
    /// and count as sent.
    private var stuck: [String: Int] = [:]

    /// The position in a journal at which a batch ended, and from which the next batch can go on.
    private struct Bookmark {
        let stem: String
        let rows: JournalRows
        let line: Int
        let position: JournalScan.Position
    }

    /// `events` are the names of the events of which rows are sent.
    init(_ folder: SessionFolder, events: Set<String>) { (self.folder, self.events) = (folder, events) }

    /// Returns the journals for the state file, each with the line up to which `outbox` says that it is committed.
    func memory(_ outbox: Outbox) -> [String: StationMemory.Journal] {
        known.mapValues { journal in
            var journal = journal
            journal.line = outbox.line(of: journal.name)
            return journal
        }
    }

    /// Takes over the journals from the state file.
    mutating func remember(_ journals: [String: StationMemory.Journal]) { known = journals }

    /// The names that the journals have in the fleet.
    var names: Set<String> { Set(known.values.map(\.name)) }

    /// Makes the next batches smaller, because the broker or a hub refused `batch` for its size. If the batch has only one row, its journal
    /// waits for the next start, and other journals go on.
    mutating func shrink(after batch: RowBatch) {
        let rows = batch.parts.filter { !$0.rows.isEmpty }
        guard let large = rows.first, rows.count == 1, large.rows.count == 1, let row = large.rows.first else {
            mostBytes = max(mostBytes / 2, 1)
            return
        }
        withheld.insert(large.journal)
        say("\(large.journal): line \(row.line) is larger than what the broker takes; what follows is not sent before the next start")
    }

    /// Returns the parts of the next batch; an empty list where there is nothing to send. Throws `Errno` where the folder cannot be read.
    mutating func parts(after outbox: Outbox) throws -> [RowBatch.Part] {
        let sessions = try sessions()
        let stems = Set(sessions.compactMap(\.path.stem))
        known = known.filter { stems.contains($0.key) }
        ends = ends.filter { stems.contains($0.key) }
        unreadable = unreadable.filter { stems.contains($0.key) }
        digests.forget { !stems.contains($0) }
        let newest = sessions.map(\.modified).max() ?? 0
        giveUp(sessions, newest: newest)
        var (parts, room) = ([RowBatch.Part](), BatchRoom(bytes: mostBytes))
        for session in sessions {
            guard !room.isFull else { break }
            guard let stem = Self.stem(of: session) else { continue }
            if let journal = known[stem] {
                if withheld.contains(journal.name) { continue }
                if journal.bytes == Int(session.bytes) { continue }
                if let end = ends[stem], end.bytes == Int(session.bytes), end.line == outbox.line(of: journal.name) {
                    known[stem]?.bytes = end.bytes
                    continue
                }
            }
            guard Self.isFinished(session, newest: newest) else { continue }
            guard let part = read(session, stem, after: outbox, into: &room) else { continue }
            room.add(part)
            parts.append(part)
        }
        return parts
    }

    /// Gives up the journals that are stuck for long, and says so once, so that one does not have all later ones spared for ever.
    private mutating func giveUp(_ sessions: [SessionFolder.Session], newest: Int) {
        let stems = sessions.compactMap { session -> String? in
            guard newest - session.modified > Self.patience, let stem = Self.stem(of: session),
                  !isSettled(stem, session, closes: true) else { return nil }
            let isWithheld = known[stem].map { withheld.contains($0.name) } ?? false
            return isWithheld || unreadable[stem] != nil || digests.failures[stem] != nil ? stem : nil
        }
        stuck = Dictionary(stems.map { ($0, min((stuck[$0] ?? 0) + 1, Self.looks + 1)) }, uniquingKeysWith: max)
        for stem in stems where stuck[stem] == Self.looks {
            say("\(stem): it cannot be sent or closed, and 30 days of journals have followed; thrumd may remove it from now on")
        }
    }

    /// Whether nothing of a journal is left to be sent, nor, where `closes`, to be closed.
    private func isSettled(_ stem: String, _ session: SessionFolder.Session, closes: Bool) -> Bool {
        let isClosed = !closes || known[stem]?.isClosed == true || Closing.start(ofJournal: stem) == nil
        return isClosed && known[stem]?.bytes == Int(session.bytes)
    }

    /// Counts the finished journals of which some lines still have to be sent or committed. Throws `Errno` where the folder cannot be read.
    func waiting() throws -> Int {
        let sessions = try sessions()
        let newest = sessions.map(\.modified).max() ?? 0
        return sessions.count { session in
            guard let stem = Self.stem(of: session), known[stem]?.bytes != Int(session.bytes) else { return false }
            return Self.isFinished(session, newest: newest)
        }
    }

    /// Returns the name, without `.jsonl`, of the first journal of which something is still to be sent or to be committed, finished or not;
    /// where `closes`, also of one that is in no closing yet. Leaves out what is given up. If there is none, returns the name of the last
    /// journal, so that those to come count as unsent; nil for a folder without journals. Throws `Errno` where the folder cannot be read.
    func firstUnsent(closes: Bool) throws -> String? {
        let sent = try sessions().compactMap { session -> (stem: String, isSent: Bool)? in
            guard let stem = Self.stem(of: session) else { return nil }
            return (stem, stuck[stem] ?? 0 >= Self.looks || isSettled(stem, session, closes: closes))
        }
        return (sent.first { !$0.isSent } ?? sent.last)?.stem
    }

    /// Returns the first journals that are committed as a whole and in no closing yet, of one day before `today`, `most` at most, and that
    /// day; nil where there are none, and while `isDigesting`. Reads some MiB of them at each call. `day` returns the day of an instant at
    /// this place. A journal that cannot be read waits. Throws `Errno` where the folder cannot be read.
    mutating func unclosed(before today: String, atMost most: Int, day: (Int) -> String) throws
        -> (day: String, journals: [Closing.Journal])? {
        isDigesting = false
        digests.beginRound()
        var (found, journals) = (String?.none, [Closing.Journal]())
        for session in try sessions() {
            guard journals.count < most else { break }
            guard let stem = Self.stem(of: session), let journal = known[stem], !journal.isClosed, journal.bytes == Int(session.bytes),
                  let its = Closing.start(ofJournal: stem).map(day), its < today, its == found ?? its else { continue }
            switch digests.digest(of: session, stem) {
            case .failed: continue
            case .unfinished:
                isDigesting = true
                return nil
            case .finished(let digest):
                found = its
                journals.append(Closing.Journal(name: journal.name, bytes: Int(session.bytes), digest: digest))
            }
        }
        digests.endRounds()
        return found.map { ($0, journals) }
    }

    /// Records that a hub has committed a closing with these journals.
    mutating func close(_ journals: [Closing.Journal]) {
        let closed = Dictionary(journals.map { ($0.name, $0.bytes) }, uniquingKeysWith: { first, _ in first })
        // One that has grown since is closed again.
        for (stem, journal) in known where journal.bytes != nil && journal.bytes == closed[journal.name] { known[stem]?.isClosed = true }
        let known = known
        digests.forget { known[$0]?.isClosed == true }
    }

    /// Returns the journals in the folder; an empty list while the folder does not exist.
    private func sessions() throws -> [SessionFolder.Session] {
        do {
            return try folder.sessions()
        } catch Errno.noSuchFileOrDirectory {
            return []
        }
    }

    /// Returns the name of a journal's file without `.jsonl`. Returns nil for a journal that was set aside because another program had
    /// changed it: its good lines are also in the journal that took its place.
    private static func stem(of session: SessionFolder.Session) -> String? {
        session.path.stem.flatMap { $0.hasSuffix(".disturbed") ? nil : $0 }
    }

    /// Whether a journal is finished: it has its end line, or another journal was written to later, which means that this one was cut off,
    /// because thrumd writes one journal at a time. A journal that grows after all has another size, and then its new lines are sent.
    private static func isFinished(_ session: SessionFolder.Session, newest: Int) -> Bool {
        if session.modified < newest { return true }
        guard let last = try? JournalTail.lastFrame(of: session.path) else { return false }
        return last.end != nil
    }

    /// Reads the next part of a journal. Returns nil where the journal cannot be read now, or has no more lines.
    private mutating func read(_ session: SessionFolder.Session, _ stem: String, after outbox: Outbox, into room: inout BatchRoom)
        -> RowBatch.Part? {
        do {
            let part = try part(session, stem, after: outbox, into: &room)
            unreadable[stem] = nil
            return part
        } catch let problem as JournalFault {
            // A fault of the first line: nobody knows whose rows these would be.
            say("\(session.path):\(problem.line): \(problem.fault)")
            known[stem] = StationMemory.Journal(name: stem, bytes: Int(session.bytes))
        } catch {
            // It is tried again, and said once.
            if unreadable.updateValue("\(error)", forKey: stem) != "\(error)" { say("\(session.path): \(error)") }
        }
        return nil
    }

    private mutating func part(_ session: SessionFolder.Session, _ stem: String, after outbox: Outbox, into room: inout BatchRoom) throws
        -> RowBatch.Part? {
        var opened = try open(session, stem, after: outbox)
        let journal = opened.rows.journal
        if known[stem]?.name != journal { known[stem] = StationMemory.Journal(name: journal) }
        known[stem]?.bytes = nil
        known[stem]?.isClosed = false
        let after = outbox.line(of: journal)
        var (through, rows) = (max(opened.line, after), [JournalRow]())
        if let first = opened.first, after == 0 {
            guard room.take(first) else { return nil }
            rows.append(first)
        }
        var isAtEnd = false
        do {
            while !room.isFull {
                let position = opened.scan.position
                guard let entry = try opened.scan.next() else {
                    isAtEnd = true
                    break
                }
                let line = opened.scan.line
                guard line > after else { continue }
                if let row = try opened.rows.row(entry, line: line) {
                    guard room.take(row) else {
                        // The line is read again for the next batch.
                        bookmark = Bookmark(stem: stem, rows: opened.rows, line: through, position: position)
                        return through > after ? RowBatch.Part(journal: journal, after: after, through: through, rows: rows) : nil
                    }
                    rows.append(row)
                }
                room.countLine()
                through = line
            }
        } catch let problem as JournalFault {
            // What is above the bad line is sent, and what follows is not, unless the file changes.
            say("\(session.path):\(problem.line): \(problem.fault); what follows is not sent")
            isAtEnd = true
        } catch let problem as Fault {
            say("\(session.path):\(opened.scan.line): \(problem); what follows is not sent")
            isAtEnd = true
        }
        if isAtEnd { ends[stem] = (through, Int(session.bytes)) } else {
            bookmark = Bookmark(stem: stem, rows: opened.rows, line: through, position: opened.scan.position)
        }
        guard through > after else {
            known[stem]?.bytes = Int(session.bytes)
            return nil
        }
        return RowBatch.Part(journal: journal, after: after, through: through, rows: rows)
    }

    /// A journal that is open for reading.
    private struct Opened: ~Copyable {
        let rows: JournalRows
        /// The last line that the scan has read. `first` is the row of the header, if that line is the header.
        let line: Int
        let first: JournalRow?
        var scan: JournalScan
    }

    /// Opens a journal at the bookmark, if the next part begins there, and otherwise at the journal's beginning.
    private func open(_ session: SessionFolder.Session, _ stem: String, after outbox: Outbox) throws -> Opened {
        if let bookmark, bookmark.stem == stem, bookmark.line == outbox.line(of: bookmark.rows.journal) {
            do {
                let scan = try JournalScan(session.path, from: bookmark.position)
                return Opened(rows: bookmark.rows, line: bookmark.line, first: nil, scan: scan)
            } catch is JournalScan.OtherFile {
                // It is read from the beginning.
            }
        }
        var scan = try JournalScan(session.path)
        let header = try scan.header()
        let rows = JournalRows(header, of: stem, events: events)
        return Opened(rows: rows, line: 1, first: try rows.row(.header(header), line: 1), scan: scan)
    }
}

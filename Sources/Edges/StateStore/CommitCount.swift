import FoundationEssentials
import Glibc
import GRDB
import SystemPackage

/// How many commits there have been, counted twice: in the database, within each commit, and after it in a file beside the database. A
/// database that has fewer than the file has lost some, with its WAL or because an older copy is in its place.
///
/// The file is not synced: when `thrumd` is killed the kernel has it, and after a power cut it may have fewer than the database, which
/// proves nothing. Thread: the store's.
struct CommitCount: Equatable {
    static let fileName = "state.committed"
    private static let digits = 19

    var number: Int64 = 0
    /// When the last was made, in seconds since 1970-01-01 in UTC.
    var last = 0

    /// Of the database.
    init(in db: Database) throws {
        guard let row = try Row.fetchOne(db, sql: "SELECT number, at FROM commits") else { return }
        (number, last) = (row["number"], row["at"])
    }

    /// Of the file in `directory`; nil where there is none that makes sense.
    init?(in directory: FilePath) {
        guard let text = try? String(contentsOfFile: directory.appending(Self.fileName).string, encoding: .utf8) else { return nil }
        let words = text.split(whereSeparator: \.isWhitespace)
        guard words.count == 2, let number = Int64(words[0]), let last = Int(words[1]) else { return nil }
        (self.number, self.last) = (number, last)
    }

    /// Counts one more in the transaction of `db`, at `now`.
    static func count(in db: Database, at now: Int) throws -> CommitCount {
        try db.execute(sql: "UPDATE commits SET number = number + 1, at = ?", arguments: [now])
        return try CommitCount(in: db)
    }

    /// To the file. It has always the same length, so that a disk that is full takes it.
    func write(to directory: FilePath) {
        func padded(_ text: String) -> String { String(repeating: "0", count: max(0, Self.digits - text.count)) + text }
        let file = try? FileDescriptor.open(directory.appending(Self.fileName), .writeOnly, options: [.create, .closeOnExec, .nonBlocking],
                                            permissions: [.ownerReadWrite])
        _ = try? file?.closeAfter { try file?.writeAll(toAbsoluteOffset: 0, "\(padded("\(number)")) \(padded("\(last)"))\n".utf8) }
    }

    /// What the database of this count lacks of what the file says, in words; nil where it lacks nothing.
    func loss(against file: CommitCount?) -> String? {
        guard let file, file.number > number else { return nil }
        func time(_ instant: Int) -> String { Date(timeIntervalSince1970: Double(instant)).formatted(.iso8601) }
        let since = last == 0 ? "" : " after \(time(last))"
        return "lacks the last \(file.number - number) of \(file.number) commits that were said to be kept, made\(since) up to "
            + "\(time(file.last)): \(StateStore.fileName)-wal was lost, or the database was removed or an older copy put in its place. "
            + "What households bought, spent and did in that time may be missing, and a receipt of that time would count again"
    }
}

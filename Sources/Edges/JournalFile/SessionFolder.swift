import Files
import Glibc
import Journal
import SystemPackage
import Units

/// A directory of journals.
public struct SessionFolder: Sendable {
    public struct Session: Sendable {
        public var path: FilePath
        public var bytes: Int64
        /// The time at which the journal was last written to, in seconds since 1970-01-01 in UTC.
        public var modified: Int
    }

    public let path: FilePath

    public init(_ path: FilePath) { self.path = path }

    /// The standard path: `$XDG_STATE_HOME/thrum/sessions`, or `$HOME/.local/state/thrum/sessions` without that variable; nil where neither
    /// is set.
    public static func standard(_ environment: [String: String]) -> FilePath? {
        (environment["XDG_STATE_HOME"] ?? environment["HOME"].map { $0 + "/.local/state" }).map { FilePath($0 + "/thrum/sessions") }
    }

    /// Lists the journals in the order of their names, which begin with their start times, the oldest first. Throws `Errno`.
    public func sessions() throws -> [Session] {
        var sessions: [(order: (String, Int), session: Session)] = []
        for name in try path.names() {
            let file = path.pushing(name)
            guard file.extension == "jsonl", let info = file.information, info.st_mode & S_IFMT == S_IFREG else { continue }
            sessions.append((Self.order(file), Session(path: file, bytes: Int64(info.st_size), modified: info.st_mtim.tv_sec)))
        }
        return sessions.sorted { $0.order < $1.order }.map(\.session)
    }

    /// Returns the journal `stem` + `.jsonl`; nil where no file in the folder has exactly this name. `stem` is never used as a path. Throws
    /// `Errno` if the folder cannot be read.
    public func session(named stem: String) throws -> Session? {
        let name = FilePath(stem + ".jsonl")
        let file = path.pushing(name)
        guard try path.names().contains(name), let info = file.information, info.st_mode & S_IFMT == S_IFREG else { return nil }
        return Session(path: file, bytes: Int64(info.st_size), modified: info.st_mtim.tv_sec)
    }

    /// Lists the journals whose names come after `stem` in the order of names, or equal it, the oldest first.
    public func sessions(from stem: String) throws -> [Session] { try sessions().filter { $0.comes(from: stem) } }

    /// Returns the key by which journals are sorted. Of journals that began in the same second, the later ones have a number: `…Z.jsonl`,
    /// `…Z-2.jsonl`.
    fileprivate static func order(_ path: FilePath) -> (String, Int) {
        JournalName(path).map { ($0.stem, $0.number) } ?? (path.stem ?? "", 0)
    }
}

extension SessionFolder {
    public struct Pruned: Equatable, Sendable {
        /// The number of journals that were removed; `bytes` is their size.
        public var removed = 0
        public var bytes: Int64 = 0
        /// The number of the removed journals that were to be spared.
        public var spared = 0
        /// The size in bytes of the remaining journals.
        public var left: Int64 = 0
        /// Why a journal could not be removed: the reason for the first one that failed; nil if all were removed.
        public var failure: Errno?
    }

    /// Removes journals beyond the limits of `retention`: first floods, the largest first, and then the oldest. It never removes `current`,
    /// which is being written, a file without a name that `JournalWriter` gives, or a file that contains no journal. `current` counts at
    /// most with `sessionBudget`. `now` is in seconds since 1970-01-01 in UTC. A folder that does not exist has no journals. Throws `Errno`
    /// if the folder cannot be read.
    ///
    /// Journals from `first` on, a name without `.jsonl`, are still to be sent elsewhere, and are spared: their age removes none of them,
    /// and for room they go after all others. Nil spares none.
    public func prune(keeping retention: Retention, sparingFrom first: String? = nil, except current: FilePath? = nil,
                      now: Int = time(nil)) throws -> Pruned {
        var pruned = Pruned()
        guard !retention.keepsAll else { return pruned }
        let journals: [Session]
        do {
            journals = try sessions().filter(\.isNamedByThrumd)
        } catch Errno.noSuchFileOrDirectory {
            return pruned
        }
        let budget = retention.sessionBudget ?? .max
        pruned.left = journals.reduce(0) { $0 + ($1.path == current ? min($1.bytes, budget) : $1.bytes) }
        let inOrder = Self.inOrderOfPruning(journals, beyond: budget).map { ($0, isSpared: $0.comes(from: first)) }
        for (journal, isSpared) in inOrder.filter({ !$0.isSpared }) + inOrder.filter(\.isSpared) where journal.path != current {
            // Of a time before 2024 nobody knows how long ago it is: the clock was not set.
            let isTooOld = retention.age.map { journal.modified >= 1_704_067_200 && Double(now - journal.modified) > $0.rawValue } ?? false
            let isTooMuch = retention.bytes.map { pruned.left > $0 } ?? false
            guard isTooMuch || (isTooOld && !isSpared) else { continue }
            if journal.isJournal {
                do {
                    try journal.remove()
                } catch {
                    pruned.failure = pruned.failure ?? error
                    continue
                }
                pruned.removed += 1
                if isSpared { pruned.spared += 1 }
                pruned.bytes += journal.bytes
            }
            pruned.left -= journal.bytes
        }
        return pruned
    }

    /// Returns the journals in the order in which they are removed, floods first. A flood is a journal of more than `budget` bytes, and
    /// more than four times the median of all journals. Where every journal is large, none is a flood.
    private static func inOrderOfPruning(_ journals: [Session], beyond budget: Int64) -> [Session] {
        guard !journals.isEmpty else { return [] }
        let middle = journals.map(\.bytes).sorted()[(journals.count - 1) / 2]
        let floods = journals.enumerated().filter { $0.element.bytes > max(budget, middle * 4) }
        let indices = Set(floods.map(\.offset))
        return floods.sorted { ($1.element.bytes, $0.offset) < ($0.element.bytes, $1.offset) }.map(\.element)
            + journals.enumerated().filter { !indices.contains($0.offset) }.map(\.element)
    }
}

extension SessionFolder.Session {
    /// Whether the journal's name comes after `stem` in the order of names, or equals it; false where `stem` is nil.
    public func comes(from stem: String?) -> Bool {
        guard let stem else { return false }
        return SessionFolder.order(path) >= SessionFolder.order(FilePath(stem + ".jsonl"))
    }

    /// Whether the journal's file has a name such as thrumd gives. Another name was given by a person, who wants to keep the file.
    public var isNamedByThrumd: Bool { JournalName(path) != nil }

    /// Whether the file's first line, which is read, is that of a journal. A file that was cut off before that line was written counts as a
    /// journal, too.
    public var isJournal: Bool {
        guard var scan = try? JournalScan(path) else { return false }
        do {
            _ = try scan.header()
            return true
        } catch let fault as JournalFault where [JournalReader.cutHeader, JournalReader.noHeader].contains(fault) {
            return true
        } catch {
            return false
        }
    }

    /// Removes the journal; does nothing when it is gone already.
    public func remove() throws(Errno) {
        guard path.withPlatformString({ unlink($0) }) == 0 || errno == ENOENT else { throw Errno(rawValue: errno) }
    }
}

/// The limits by which journals are kept.
public struct Retention: Equatable, Sendable {
    /// The largest size of all journals of a folder together, in bytes; nil where any size is allowed.
    public var bytes: Int64?
    /// The longest time since a journal was last written to; nil where journals may have any age.
    public var age: Seconds?

    public init(bytes: Int64? = nil, age: Seconds? = nil) {
        self.bytes = bytes
        self.age = age
    }

    /// The size in bytes up to which one session's journal may push out others: a sixteenth of the size of all; nil where any size is
    /// allowed.
    public var sessionBudget: Int64? { bytes.map { $0 / 16 } }

    public var keepsAll: Bool { bytes == nil && age == nil }
}

/// The name that thrumd gives to a journal, after the time its session started, as in `2026-01-01T12-00-00Z.jsonl`. Further journals of the
/// same second have a number (`…Z-2.jsonl`). A journal that was set aside because others changed it has a mark (`…Z.disturbed.jsonl`).
struct JournalName: Equatable {
    private static let mark = ".disturbed"

    var stem: String
    /// The number of the journal among those of the same second, from 1.
    var number = 1
    var isDisturbed = false

    /// Makes a name. `started` is a time in ISO 8601; characters that file names cannot contain are replaced.
    init(started: String, number: Int) {
        stem = String(started.map { $0 == ":" ? "-" : $0 })
        self.number = number
    }

    /// Reads a file's name; nil for a name that thrumd does not give.
    init?(_ path: FilePath) {
        guard let name = path.lastComponent?.string, name.hasSuffix(".jsonl") else { return nil }
        var rest = name.dropLast(".jsonl".count)
        isDisturbed = rest.hasSuffix(Self.mark)
        if isDisturbed { rest = rest.dropLast(Self.mark.count) }
        stem = String(rest.prefix(20))
        number = rest.count == 20 ? 1 : Int(rest.dropFirst(21)) ?? 0
        let shape = String(stem.map { "0"..."9" ~= $0 ? "0" : $0 })
        guard shape == "0000-00-00T00-00-00Z", number > 0, text == name else { return nil }
    }

    /// The name that the file gets when it is set aside because another program has changed it.
    var disturbed: JournalName {
        var name = self
        name.isDisturbed = true
        return name
    }

    var text: String { stem + (number > 1 ? "-\(number)" : "") + (isDisturbed ? Self.mark : "") + ".jsonl" }
}

import Glibc
import Journal
import SystemPackage
import Units

extension SessionFolder {
    public struct Pruned: Equatable, Sendable {
        /// Journals removed, and their bytes.
        public var removed = 0
        public var bytes: Int64 = 0
        /// Bytes of those that are still there.
        public var left: Int64 = 0
        /// Why one that is not to be kept could not be removed, the first of them; nil if all could.
        public var failure: Errno?
    }

    /// Removes journals that are not to be kept: floods first, the largest of them before others, and then the oldest. Never `current`,
    /// which is being written, and nothing that is not named as `JournalWriter` names journals, or is none inside. Of the space `current`
    /// counts with what one session may take from others. `now` is in seconds since 1970-01-01 in UTC. A folder that is not there yet has
    /// none. Throws `Errno` if the folder cannot be read.
    public func prune(keeping retention: Retention, except current: FilePath? = nil, now: Int = time(nil)) throws -> Pruned {
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
        for journal in Self.inOrderOfPruning(journals, beyond: budget) where journal.path != current {
            // Of a time before 2024 nobody knows how long ago it is: the clock was not set.
            let isTooOld = retention.age.map { journal.modified >= 1_704_067_200 && Double(now - journal.modified) > $0.rawValue } ?? false
            let isTooMuch = retention.bytes.map { pruned.left > $0 } ?? false
            guard isTooOld || isTooMuch else { continue }
            if journal.isJournal {
                do {
                    try journal.remove()
                } catch {
                    pruned.failure = pruned.failure ?? error
                    continue
                }
                pruned.removed += 1
                pruned.bytes += journal.bytes
            }
            pruned.left -= journal.bytes
        }
        return pruned
    }

    /// Floods first: what has more than `budget` bytes, and more than four times what the middle one has. Where each day's journal is
    /// large, none is a flood.
    private static func inOrderOfPruning(_ journals: [Session], beyond budget: Int64) -> [Session] {
        guard !journals.isEmpty else { return [] }
        let middle = journals.map(\.bytes).sorted()[(journals.count - 1) / 2]
        let floods = journals.enumerated().filter { $0.element.bytes > max(budget, middle * 4) }
        let places = Set(floods.map(\.offset))
        return floods.sorted { ($1.element.bytes, $0.offset) < ($0.element.bytes, $1.offset) }.map(\.element)
            + journals.enumerated().filter { !places.contains($0.offset) }.map(\.element)
    }
}

extension SessionFolder.Session {
    /// Whether the file has a name that thrumd gives. What somebody has named himself he wants to keep.
    public var isNamedByThrumd: Bool { JournalName(path) != nil }

    /// Whether the file is a journal by its first line, which is read. One of a session that was cut off before that was written counts.
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

    /// Does nothing when the file is gone already.
    public func remove() throws(Errno) {
        guard path.withPlatformString({ unlink($0) }) == 0 || errno == ENOENT else { throw Errno(rawValue: errno) }
    }
}

import Journal
import JournalFile
import SystemPackage

/// A journal's entries, read ahead on another thread.
final class JournalFeed {
    private enum Item: Sendable {
        case entries([Line])
        case failure(any Error)
        case ending(JournalReader.Ending, JournalIntegrity)
    }

    private struct Line: Sendable {
        var entry: JournalEntry
        /// From 1.
        var number: Int
        /// Whether the sums say that this line or one above it is not as it was written.
        var isChanged: Bool
    }

    private static let batch = 256

    private let channel: BoundedChannel<Item>
    private var batch: ArraySlice<Line> = []
    /// Of the entry last returned, from 1.
    private(set) var line = 0
    /// Whether the sums say that the line last read or one above it is not as it was written.
    private(set) var isChanged = false
    /// How the journal stopped; nil until `next` has returned nil.
    private(set) var ending: JournalReader.Ending?
    /// What the sums of all lines say; known then, too.
    private(set) var integrity = JournalIntegrity.unknown

    init(_ path: FilePath) {
        channel = .start(capacity: 8) { channel in
            do {
                var scan = try JournalScan(path)
                while true {
                    var entries: [Line] = []
                    var fault: (any Error)?
                    do {
                        while entries.count < Self.batch, let entry = try scan.next() {
                            entries.append(Line(entry: entry, number: scan.line, isChanged: scan.integrity.line != nil))
                        }
                    } catch {
                        fault = error
                    }
                    let isLast = entries.count < Self.batch
                    guard channel.put(.entries(entries)) else { return }
                    if let fault { throw fault }
                    if isLast { break }
                }
                channel.put(.ending(scan.ending, scan.integrity))
            } catch {
                channel.put(.failure(error))
            }
        }
    }

    deinit { channel.abandon() }

    /// Passes over what tells only of what was heard: it changes nothing of what is rendered. Throws `JournalFault` and `Errno`, in
    /// the place of the entry that could not be read.
    func next() throws -> JournalEntry? {
        while let entry = try nextOfAny() {
            switch entry {
            case .discontinuity(.late, _), .discontinuity(.gap, _), .checkpoint: continue
            case .header, .event, .discontinuity(.lost, _), .end: return entry
            }
        }
        return nil
    }

    private func nextOfAny() throws -> JournalEntry? {
        while batch.isEmpty {
            guard ending == nil else { return nil }
            switch channel.take() {
            case .entries(let entries): batch = entries[...]
            case .failure(let error):
                ending = .cut(line: max(1, line))
                throw error
            case .ending(let ending, let integrity):
                self.ending = ending
                self.integrity = integrity
            case nil: return nil
            }
        }
        let read = batch.removeFirst()
        (line, isChanged) = (read.number, read.isChanged)
        return read.entry
    }
}

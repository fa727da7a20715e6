import Experience
import Journal
import Offline
import Signals
import SystemPackage

extension Simulation {
    /// Writes the rest of the session to `file` as a journal. `tell` gets the piece's announcements. `progress` gets the number of turns
    /// taken, now and then. Throws `Errno`.
    mutating func writeJournal(to file: FileDescriptor, tell: (Announcement) -> Void = { _ in },
                               progress: (Int) -> Void = { _ in }) throws {
        var sum = JournalSum()
        var buffer: [UInt8] = []
        while let step = next() {
            step.announcements.forEach(tell)
            buffer += sum.seal(JournalLine.encode(step.entry))
            guard buffer.count >= 1 << 16 else { continue }
            try file.writeAll(buffer)
            buffer.removeAll(keepingCapacity: true)
            progress(turn)
        }
        try file.writeAll(buffer)
    }
}

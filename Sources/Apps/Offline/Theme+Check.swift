import Experience
import Fields
import Journal
import JournalFile
import Signals
import SoundFile

extension Theme {
    /// Throws `Fault` where the theme lacks what the piece needs, is too large for a journal's header, or has sound files that cannot be
    /// read.
    public func check(for piece: Declaration) throws {
        if let lacking = piece.lacking(in: self) {
            throw Fault(field: "theme", expected: "a theme with \(lacking), which \(piece.name) asks for", found: "\"\(name)\"")
        }
        let header = JournalHeader(sampleRate: .standard, seed: 0, experience: "direct", started: "now", theme: self)
        let line = JournalLine.encode(.header(header)).dropLast()
        guard line.count < JournalScan.longestLine else {
            throw Fault(field: "patterns", expected: "patterns that a journal has room for, 1 MiB in all", found: "\(line.count) bytes")
        }
        guard try JournalLine.decodeHeader(line).theme == self else { preconditionFailure("what is written is what is read") }
        for (name, pattern) in haptics.sorted(by: { $0.key < $1.key }) {
            for case .file(let path) in pattern.sounds.map(\.source) {
                do {
                    try SoundFileReader.check(path)
                } catch {
                    throw Fault(field: "patterns", expected: "sound files that can be read", found: "\(path) in \(name): \(error)")
                }
            }
        }
    }
}

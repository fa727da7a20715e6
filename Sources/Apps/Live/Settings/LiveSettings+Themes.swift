import Experience
import Fields
import Journal
import JournalFile
import Signals
import SoundFile
import ThemeFile
import Units

extension Theme {
    /// Returns the theme as settings have it: with their `patterns`, and limited to their ceiling.
    public func fitted(_ patterns: [String: HapticPattern], ceiling: Decibels?) -> Theme {
        var theme = self
        theme.haptics.merge(patterns) { $1 }
        if let ceiling { theme.ceiling = min(theme.ceiling, ceiling) }
        return theme
    }

    /// Throws `Fault` for a theme that lacks what the piece asks for, that no journal's header has room for, or whose sound files cannot be
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

extension LiveSettings {
    /// Returns the theme that a file with this text would be, fitted and checked. May read the sounds that the theme names, which may take
    /// a while. Throws `FileFault` and `Fault`.
    func theme(of yaml: String) throws -> Theme {
        let file = try ThemeFile(Array(yaml.utf8), path: "yaml") { _ in
            throw Fault(field: "", expected: "the pattern itself, because its file may be out of reach")
        }
        let theme = file.theme.fitted(patterns, ceiling: values.ceiling)
        try theme.check(for: piece.declaration)
        return theme
    }
}

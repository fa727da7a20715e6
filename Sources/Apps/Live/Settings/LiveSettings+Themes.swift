import Experience
import Fields
import Files
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

extension LiveSettings {
    /// Returns the settings without the sounds whose files cannot be read now. So journals say what is heard, and a later reload that can
    /// read the sounds finds a changed theme.
    func withReadableSounds() -> LiveSettings {
        var settings = self
        // Several patterns may have the same sound.
        var checked: [String: String?] = [:]
        // Without this each file on a file system that hangs would take the whole time limit.
        var hangs = false
        func refusal(of path: String) -> String? {
            if let known = checked[path] { return known }
            let reason = hangs ? "not tried, because another sound did not answer" : Self.refusal(of: path)
            if reason?.contains("\(BlockingWork.noAnswer)") == true { hangs = true }
            checked[path] = .some(reason)
            return reason
        }
        func readable(_ theme: Theme) -> Theme {
            var theme = theme
            theme.haptics = theme.haptics.mapValues { pattern in
                var pattern = pattern
                pattern.sounds.removeAll { sound in
                    guard case .file(let path) = sound.source, let reason = refusal(of: path) else { return false }
                    settings.unreadableSounds[path] = reason
                    return true
                }
                return pattern
            }
            return theme
        }
        settings.unreadableSounds = [:]
        settings.theme = readable(theme)
        settings.themes = themes.mapValues(readable)
        return settings
    }

    /// Returns why a sound file cannot be read; nil when it can.
    private static func refusal(of path: String) -> String? {
        do {
            try SoundFileReader.check(path)
            return nil
        } catch {
            return "\(error)"
        }
    }
}

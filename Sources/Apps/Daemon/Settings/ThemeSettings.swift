import Experience
import Fields
import Live
import Offline
import PatternFile
import Signals
import SystemPackage
import ThemeFile
import Units
import YAML

/// The themes with the settings applied: with the settings' patterns, and limited to their ceiling.
struct ThemeSettings {
    private(set) var theme: Theme
    /// All themes by name, `theme` among them.
    private(set) var themes: [String: Theme] = [:]
    /// The settings' own patterns, by name: each theme has them.
    private(set) var patterns: [String: HapticPattern] = [:]
    private(set) var warnings: [String] = []

    /// Reads the themes. Faults are noted in `reader`. `piece` is the one that plays by the themes. `fixed` replaces the files' themes and
    /// patterns.
    init(_ reader: SettingsReader, _ environment: [String: String], for piece: Declaration, fixed: Theme?) {
        let fixed = reader.isOverridden("theme") || reader.isOverridden("patterns") ? nil : fixed
        let read: ThemeLibrary.ConcurrentPatternReader = { try PatternFile.read($0).pattern }
        let library = ThemeLibrary(ThemeLibrary.folders(environment), readingPattern: read)
        warnings = library.problems.map { "passed over: \($0)" }
        let wanted = reader.values.theme
        theme = fixed ?? .standard
        if fixed == nil, let chosen = reader.attempt({ try Self.theme(wanted, library, read) }) { theme = chosen }
        for entry in library.entries { themes[entry.theme.name] = entry.theme }
        themes[theme.name] = theme
        if fixed == nil { patterns = readPatterns(reader) }
        themes = themes.mapValues { [patterns] in $0.fitted(patterns, ceiling: reader.values.ceiling) }
        theme = themes[theme.name] ?? theme
        let used = theme
        // The last good theme is used even if a sound file is gone; that sound is silent.
        if fixed == nil { reader.attempt { try used.check(for: piece) } }
        for (name, other) in themes where name != theme.name {
            do {
                try other.check(for: piece)
            } catch {
                themes[name] = nil
                warnings.append("the theme \(name) is passed over: \(error)")
            }
        }
    }

    /// Finds a theme by its name, or by a path to its file: with a `/`, or called as files of themes are where no theme has that name.
    private static func theme(_ wanted: String, _ library: ThemeLibrary, _ read: ThemeFile.PatternReader) throws -> Theme {
        if let entry = library[wanted] { return entry.theme }
        if ThemeLibrary.isFile(wanted) {
            do {
                return try ThemeFile(FilePath(wanted), readingPattern: read).theme
            } catch Errno.noSuchFileOrDirectory where !wanted.contains("/") {
                // Then it may be a name with a slip in it.
            } catch let error as Errno {
                throw Fault(field: "theme", expected: "the file of a theme", found: "\(wanted): \(error)")
            }
        }
        if let problem = FileFault(library.problems.filter { FilePath($0.file).stem == wanted }) { throw problem }
        throw Fault(field: "theme", expected: "one of " + library.names.joined(separator: ", ") + ", or a path",
                    found: "\"\(wanted)\"" + Spelling.hint(for: wanted, among: library.names))
    }

    private mutating func readPatterns(_ reader: SettingsReader) -> [String: HapticPattern] {
        guard let path = reader.values.patterns, let folder = reader.attempt({ try PatternFolder(FilePath(path)) }) else { return [:] }
        warnings += folder.ignored.map { "\($0.file): passed over: " + $0.paths.prefix(10).joined(separator: ", ") }
        return folder.patterns
    }
}

import Experience
import Fields
import Offline
import Signals
import ThemeFile
import Units

extension Theme {
    /// Returns the theme with the settings applied: with their `patterns`, and limited to their ceiling.
    public func fitted(_ patterns: [String: HapticPattern], ceiling: Decibels?) -> Theme {
        var theme = self
        theme.haptics.merge(patterns) { $1 }
        if let ceiling { theme.ceiling = min(theme.ceiling, ceiling) }
        return theme
    }
}

extension LiveSettings {
    /// Returns the theme that a file with the text `yaml` has, fitted and checked. May read the sounds that the theme names, which may take
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

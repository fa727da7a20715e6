import Files
import Signals
import SoundFile

extension LiveSettings {
    /// Without the sounds whose files cannot be read now. So journals say what is heard, and a later reload that can read them finds a
    /// changed theme.
    func withReadableSounds() -> LiveSettings {
        var settings = self
        // Several patterns may have the same sound.
        var checked: [String: String?] = [:]
        // Each file on a file system that hangs would take the whole time limit.
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

    /// Why a sound file cannot be read; nil when it can.
    private static func refusal(of path: String) -> String? {
        do {
            try SoundFileReader.check(path)
            return nil
        } catch {
            return "\(error)"
        }
    }
}

import Experience
import Signals

/// A part of a theme that is drawn or played by itself.
enum ThemePart: Equatable {
    case chime(String)
    case texture(String)
    case tone
}

extension Theme {
    /// Returns the theme with only those chimes, textures and haptic patterns that `piece` asks for. The pattern of a chime's or texture's
    /// name is played with it, and stays. The tone stays as it is.
    func part(playedBy piece: Declaration) -> Theme {
        var part = self
        part.chimes = chimes.filter { piece.chimes.contains($0.key) }
        part.textures = textures.filter { piece.textures.contains($0.key) }
        part.haptics = haptics.filter { (piece.haptics + piece.chimes + piece.textures).contains($0.key) }
        return part
    }
}

/// A part of a theme that is drawn or played by itself.
enum ThemePart: Equatable {
    case chime(String)
    case texture(String)
    case tone
}

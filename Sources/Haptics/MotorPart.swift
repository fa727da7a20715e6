import Signals

/// Something of a theme that motors play, by its name.
public struct MotorPart: Equatable, Sendable {
    public enum Content: Equatable, Sendable {
        case pattern(HapticPattern)
        case texture(Texture)
    }

    public var name: String
    public var content: Content

    public init(_ name: String, _ content: Content) {
        self.name = name
        self.content = content
    }
}

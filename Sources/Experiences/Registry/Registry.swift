import ColorScroller
import Direct
import Experience

/// The pieces there are. A piece is added by its folder, a line here, and a line in Package.swift.
public enum Registry {
    public static let pieces: [any Experience.Type] = [
        Direct.self,
        ColorScroller.self,
    ]
}

extension [any Experience.Type] {
    /// What each declares. Not by a key path: the compiler crashes on one through an existential metatype (Swift 6.3.1).
    public var declarations: [Declaration] { map { $0.declaration } }

    /// The piece called so; nil when there is none.
    public func named(_ name: String) -> (any Experience.Type)? { first { $0.declaration.name == name } }
}

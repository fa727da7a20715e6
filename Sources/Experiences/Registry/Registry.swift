import ColorScroller
import Direct
import Experience
import ScrollKitty
import Unhooked

/// The list of all pieces. To add a piece, add its folder, a line here, and a line in Package.swift.
public enum Registry {
    public static let pieces: [any Experience.Type] = [
        Direct.self,
        ColorScroller.self,
        ScrollKitty.self,
        Unhooked.self,
    ]
}

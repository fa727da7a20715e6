/// The answer to `feed.palettes`: those of the visit, in the order of making.
public struct PaletteList: Equatable, Sendable {
    public var palettes: [Palette]

    public init(palettes: [Palette]) { self.palettes = palettes }
}

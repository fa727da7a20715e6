import Experience
import Signals

/// The palettes of a visit, in the order of making. No two skins of a visit have the same name.
struct Palettes: Equatable, Sendable {
    private(set) var all: [Palette] = []
    private var names = Set(Catalog.skins.map(\.name))

    /// Another one.
    mutating func make(_ recipe: Palette.Recipe) -> Palette {
        let palette = Palette(recipe, ordinal: all.count + 1, besides: &names)
        all.append(palette)
        return palette
    }
}

/// By what they were made of: the skins follow.
extension Palettes: Codable {
    init(from decoder: any Decoder) throws {
        for recipe in try [Palette.Recipe](from: decoder) { _ = make(recipe) }
    }

    func encode(to encoder: any Encoder) throws { try all.map(\.recipe).encode(to: encoder) }
}

import Fields
import Signals

/// The answer to `feed.inventory`: every skin that the visitor has unlocked, in the order of unlocking.
public struct Inventory: Equatable, Sendable {
    public struct Entry: Equatable, Sendable {
        public var skin: Skin
        /// Views of cards that carry the skin.
        public var timesSeen: Int
    }

    public var entries: [Entry]

    public subscript(rarity: Rarity) -> [Entry] { entries.filter { $0.skin.rarity == rarity } }
}

extension Inventory: Encodable {
    /// Writes a list for each rarity.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Fields.Key.self)
        for rarity in Rarity.allCases { try container.encode(self[rarity], forKey: .init(rarity.rawValue)) }
    }
}

extension Inventory.Entry: Encodable {
    /// Writes the skin's own fields, and two more.
    public func encode(to encoder: any Encoder) throws {
        try skin.encode(to: encoder)
        var container = encoder.container(keyedBy: Fields.Key.self)
        try container.encode(skin.look.colors.map { [$0.red, $0.green, $0.blue] }, forKey: .init("rgb"))
        try container.encode(timesSeen, forKey: .init("timesSeen"))
    }
}

/// The answer to `feed.palettes`: the palettes of the visit, in the order of making.
public struct PaletteList: Equatable, Sendable {
    public var palettes: [Palette]
}

extension PaletteList: Encodable {
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Fields.Key.self)
        var list = container.nestedUnkeyedContainer(forKey: .init("palettes"))
        for palette in palettes {
            var entry = list.nestedContainer(keyedBy: Fields.Key.self)
            try palette.encode(into: &entry)
        }
    }
}

/// The announcement that ten skins were made of how the visitor behaves, and may be found from now on.
public struct PaletteMade: AnnouncementBody {
    public var topic: String { "palette" }
    public var palette: Palette

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Fields.Key.self)
        try palette.encode(into: &container)
    }
}

extension Palette {
    /// Writes all that the palette was made of: whoever has the description can make the palette again.
    fileprivate func encode(into container: inout KeyedEncodingContainer<Fields.Key>) throws {
        // As text: JSON numbers are exact up to 2⁵³ only.
        let digits = String(seed, radix: 16)
        try container.encode("0x" + String(repeating: "0", count: 16 - digits.count) + digits, forKey: .init("seed"))
        try container.encode(recipe.behaviour.rare, forKey: .init("rare"))
        try container.encode(recipe.timestamp, forKey: .init("timestamp"))
        try container.encode(recipe.isFolded, forKey: .init("mood"))
        try container.encode(recipe.behaviour, forKey: .init("snapshot"))
        try container.encode(skins, forKey: .init("skins"))
    }
}

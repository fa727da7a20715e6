import Fields
import Signals

// One spelling of what is told about a feed, for the socket and telemetry both.

extension Color: Encodable {
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(hex)
    }
}

extension Skin: Encodable {
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Fields.Key.self)
        try container.encode(id, forKey: .init("id"))
        try container.encode(name, forKey: .init("name"))
        try container.encode(rarity, forKey: .init("rarity"))
        try container.encode(look.kind, forKey: .init("kind"))
        try container.encode(look.colors, forKey: .init("colors"))
        try container.encodeIfPresent(look.angle, forKey: .init("angle"))
        try container.encodeIfPresent(look.symbol, forKey: .init("symbol"))
    }
}

extension Card: Encodable {
    /// How faces are called.
    private enum FaceName: String, CaseIterable, Encodable { case leaderboard, gray, skin }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Fields.Key.self)
        try container.encode(index, forKey: .init("index"))
        switch face {
        case .leaderboard:
            try container.encode(FaceName.leaderboard, forKey: .init("face"))
        case .gray(let color):
            try container.encode(FaceName.gray, forKey: .init("face"))
            try container.encode(color, forKey: .init("color"))
        case .skin(let skin):
            try container.encode(FaceName.skin, forKey: .init("face"))
            try container.encode(skin, forKey: .init("skin"))
        }
    }
}

extension Scroll: Encodable {
    /// The fields of the record and of the feed's state side by side: what both have is the same.
    public func encode(to encoder: any Encoder) throws {
        try state.encode(to: encoder)
        try record.encode(to: encoder)
        var container = encoder.container(keyedBy: Fields.Key.self)
        try container.encode(card, forKey: .init("card"))
        try container.encode(cards, forKey: .init("cards"))
    }
}

extension Scroll: Clocked {
    public func clocked(_ moment: (Double) -> Int64) -> Scroll {
        var clocked = self
        clocked.state = state.clocked(moment)
        return clocked
    }
}

extension PaletteMade: Encodable {
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Fields.Key.self)
        try palette.encode(into: &container)
    }
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

extension Palette {
    /// With all that it was made of: whoever has the description can make it again.
    fileprivate func encode(into container: inout KeyedEncodingContainer<Fields.Key>) throws {
        // As text: JSON numbers are exact up to 2⁵³ only.
        try container.encode(seed.hexadecimal, forKey: .init("seed"))
        try container.encode(recipe.behaviour.rare, forKey: .init("rare"))
        try container.encode(recipe.timestamp, forKey: .init("timestamp"))
        try container.encode(recipe.isFolded, forKey: .init("mood"))
        try container.encode(recipe.behaviour, forKey: .init("snapshot"))
        try container.encode(skins, forKey: .init("skins"))
    }
}

extension UInt64 {
    /// `0x` and 16 digits.
    public var hexadecimal: String {
        let digits = String(self, radix: 16)
        return "0x" + String(repeating: "0", count: 16 - digits.count) + digits
    }
}

extension Inventory: Encodable {
    /// A list for each rarity.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Fields.Key.self)
        for rarity in Rarity.allCases { try container.encode(self[rarity], forKey: .init(rarity.rawValue)) }
    }
}

extension Inventory.Entry: Encodable {
    /// The skin's own fields, and two more.
    public func encode(to encoder: any Encoder) throws {
        try skin.encode(to: encoder)
        var container = encoder.container(keyedBy: Fields.Key.self)
        try container.encode(skin.look.colors.map { [$0.red, $0.green, $0.blue] }, forKey: .init("rgb"))
        try container.encode(timesSeen, forKey: .init("timesSeen"))
    }
}

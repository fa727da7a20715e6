import Fields
import Signals

/// A colour in sRGB (IEC 61966-2-1), 8 bits a channel.
public struct Color: Hashable, Sendable {
    public var red: UInt8
    public var green: UInt8
    public var blue: UInt8
}

extension Color {
    /// Creates a colour from red, green and blue in the three lowest bytes, as in 0xDC143C.
    init(_ hex: UInt32) {
        self.init(red: UInt8(hex >> 16 & 0xFF), green: UInt8(hex >> 8 & 0xFF), blue: UInt8(hex & 0xFF))
    }

    init(gray: UInt8) { self.init(red: gray, green: gray, blue: gray) }

    /// The colour as in `#dc143c`.
    public var hex: String {
        let digits = String(UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue), radix: 16)
        return "#" + String(repeating: "0", count: 6 - digits.count) + digits
    }
}

extension Color: Encodable {
    public func encode(to encoder: any Encoder) throws { try hex.encode(to: encoder) }
}

/// The rarity of a skin: how hard it is to find.
public enum Rarity: String, CaseIterable, Codable, Sendable {
    case common, rare, special

    /// The index of the rarity in `allCases`, from 0 for the commonest.
    var index: Int {
        switch self {
        case .common: 0
        case .rare: 1
        case .special: 2
        }
    }
}

/// The look of a card, as data that any front end can draw.
public struct Skin: Equatable, Sendable {
    /// The skin's id: words joined by hyphens. No other skin of the session has it.
    public var id: String
    /// The name of the skin as people read it.
    public var name: String
    public var rarity: Rarity
    public var look: Look

    public enum Look: Equatable, Sendable {
        case solid(Color)
        /// A gradient from the first colour to the last. At 0° it goes from left to right, at 90° from the bottom to the top.
        case gradient([Color], angle: Int)
        /// Bars of equal width, one colour after another in the direction of `angle`.
        case stripes([Color], angle: Int)
        /// Dots in all colours but the first, which is the background.
        case dots([Color])
        /// One character, scattered in all colours but the first, which is the background.
        case symbols(String, [Color])
        /// One emoji in rows and columns.
        case emoji(String, on: Color)
    }
}

extension Skin.Look {
    public enum Kind: String, CaseIterable, Encodable, Sendable { case solid, gradient, stripes, dots, symbols, emoji }

    public var kind: Kind {
        switch self {
        case .solid: .solid
        case .gradient: .gradient
        case .stripes: .stripes
        case .dots: .dots
        case .symbols: .symbols
        case .emoji: .emoji
        }
    }

    /// The colours in the order in which they are drawn.
    public var colors: [Color] {
        switch self {
        case .solid(let color), .emoji(_, on: let color): [color]
        case .gradient(let colors, _), .stripes(let colors, _), .dots(let colors), .symbols(_, let colors): colors
        }
    }

    /// The direction of a gradient or of stripes in degrees, counter-clockwise; nil for a look that has no direction.
    public var angle: Int? {
        switch self {
        case .gradient(_, let angle), .stripes(_, let angle): angle
        case .solid, .dots, .symbols, .emoji: nil
        }
    }

    public var symbol: String? {
        switch self {
        case .symbols(let symbol, _), .emoji(let symbol, _): symbol
        case .solid, .gradient, .stripes, .dots: nil
        }
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

/// The answer to `feed.inventory`: every skin that the visitor has unlocked, in the order of unlocking.
public struct Inventory: Equatable, Sendable {
    public struct Entry: Equatable, Sendable {
        public var skin: Skin
        /// The number of views of cards that carry the skin.
        public var timesSeen: Int
    }

    public var entries: [Entry]

    public subscript(rarity: Rarity) -> [Entry] { entries.filter { $0.skin.rarity == rarity } }
}

extension Inventory: Encodable {
    /// Writes an object with one list of skins for each rarity.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Fields.Key.self)
        for rarity in Rarity.allCases { try container.encode(self[rarity], forKey: .init(rarity.rawValue)) }
    }
}

extension Inventory.Entry: Encodable {
    /// Writes the fields of the skin and, in addition, `rgb` and `timesSeen`.
    public func encode(to encoder: any Encoder) throws {
        try skin.encode(to: encoder)
        var container = encoder.container(keyedBy: Fields.Key.self)
        try container.encode(skin.look.colors.map { [$0.red, $0.green, $0.blue] }, forKey: .init("rgb"))
        try container.encode(timesSeen, forKey: .init("timesSeen"))
    }
}

/// The answer to `feed.palettes`: the palettes of the visit, in the order in which they were made.
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

/// The announcement that a palette was made of the visitor's behaviour. Its skins may appear from now on.
public struct PaletteMade: AnnouncementBody {
    public var topic: String { "palette" }
    public var palette: Palette

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Fields.Key.self)
        try palette.encode(into: &container)
    }
}

extension Palette {
    /// Writes everything from which the palette was made, so that the palette can be made again.
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

import Fields
import Signals

/// A colour in sRGB (IEC 61966-2-1), 8 bits a channel.
public struct Color: Hashable, Sendable {
    public var red: UInt8
    public var green: UInt8
    public var blue: UInt8

    init(red: UInt8, green: UInt8, blue: UInt8) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// Takes red, green and blue from the three lowest bytes, as in 0xDC143C.
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
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(hex)
    }
}

/// How hard a skin is to come by.
public enum Rarity: String, CaseIterable, Codable, Sendable { case common, rare, special }

/// What a card can wear, as data that any front end can draw.
public struct Skin: Equatable, Sendable {
    /// A word or two, joined by hyphens, that no other skin of the session has.
    public var id: String
    /// The name that people read.
    public var name: String
    public var rarity: Rarity
    public var look: Look

    public enum Look: Equatable, Sendable {
        case solid(Color)
        /// A course from the first colour to the last: at 0° from left to right, at 90° from the bottom to the top.
        case gradient([Color], angle: Int)
        /// Bars of equal width, one colour after another in the direction of `angle`.
        case stripes([Color], angle: Int)
        /// Dots in all colours but the first, which is the ground.
        case dots([Color])
        /// One character, scattered in all colours but the first, which is the ground.
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

    /// The direction in degrees, counter-clockwise; nil for a look that has none.
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

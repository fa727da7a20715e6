/// How hard a skin is to come by.
public enum Rarity: String, CaseIterable, Codable, Sendable { case common, rare, special }

/// What a card can wear. Data that any front end can draw.
public struct Skin: Equatable, Sendable {
    /// Tells skins apart within a session: a word or two, joined by hyphens.
    public var id: String
    /// For people.
    public var name: String
    public var rarity: Rarity
    public var look: Look

    public enum Look: Equatable, Sendable {
        case solid(Color)
        /// From the first colour to the last; at 0° from left to right, at 90° from the bottom to the top.
        case gradient([Color], angle: Int)
        /// Bars of equal width, in turn, that follow one another in the direction of `angle`.
        case stripes([Color], angle: Int)
        /// On the first colour, in the others.
        case dots([Color])
        /// One character scattered on the first colour, in the others.
        case symbols(String, [Color])
        /// One emoji in rows and columns.
        case emoji(String, on: Color)
    }

    public init(id: String, name: String, rarity: Rarity, look: Look) {
        self.id = id
        self.name = name
        self.rarity = rarity
        self.look = look
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

    /// In the order in which they are drawn.
    public var colors: [Color] {
        switch self {
        case .solid(let color), .emoji(_, on: let color): [color]
        case .gradient(let colors, _), .stripes(let colors, _), .dots(let colors), .symbols(_, let colors): colors
        }
    }

    /// Degrees, counter-clockwise; nil where there is no direction.
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

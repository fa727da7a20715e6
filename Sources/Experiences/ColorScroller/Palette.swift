import Experience
import Signals

/// Ten skins made of how a visitor behaves: six commons, three rares and a special, in colours that belong together.
public struct Palette: Equatable, Sendable {
    public static let size = 10
    /// The cards of the authors' course for which a palette's skins are `boost` times as likely as later.
    static let boostLength = 100
    static let boost = 3.0
    /// A fresh palette's share of new skins while the catalogue's rares are still to be found: a palette is seen before all rares are.
    static let earlyShare = 1.0 / 3
    /// The word in place of a rare's id, for a palette that was made because there was nothing left to throw in.
    static let gift = "gift"

    /// What a palette is made of.
    public struct Recipe: Codable, Equatable, Sendable {
        public var behaviour: Behaviour
        /// Whether the colours follow the mood.
        public var isFolded: Bool
        /// The moment of the making, in seconds since 1970-01-01 in UTC.
        public var timestamp: Double

        public var seed: UInt64 { isFolded ? Mood(behaviour).folded(into: behaviour.hash) : Mood.unfolded(behaviour.hash) }
    }

    public let recipe: Recipe
    /// The palette's number in the session, from 1.
    let ordinal: Int
    public let seed: UInt64
    /// Degrees.
    let anchorHue: Double
    let hueSpread: Double
    let saturationCenter: Double
    let brightnessCenter: Double
    public let skins: [Skin]

    /// Draws ten skins, of which everything but the names follows from the seed alone. `names` are those that are taken, and get ten more.
    init(_ recipe: Recipe, ordinal: Int, besides names: inout Set<String>) {
        self.recipe = recipe
        self.ordinal = ordinal
        seed = recipe.seed
        var draws = SplitMix64(seed: seed)
        let mood = Mood(seed: seed)
        let anchor = Mood.hue(draws.unit(), mood)
        let saturation = Mood.saturation(draws.unit(), mood)
        let brightness = 0.55 + 0.40 * draws.unit()
        let spread = 18 + 25 * draws.unit()
        anchorHue = anchor
        saturationCenter = saturation
        brightnessCenter = brightness
        hueSpread = spread
        func color() -> Color {
            HSB(hue: anchor + spread * (2 * draws.unit() - 1), saturation: saturation + 0.12 * (2 * draws.unit() - 1),
                brightness: brightness + 0.10 * (2 * draws.unit() - 1)).color
        }
        func look(_ rarity: Rarity) -> Skin.Look {
            switch rarity {
            case .common: return .solid(color())
            case .rare:
                let stops = 2 + draws.below(2)
                return .gradient((0..<stops).map { _ in color() }, angle: 15 * draws.below(24))
            case .special:
                switch draws.below(4) {
                case 0: return .stripes([color(), color()], angle: 45 * draws.below(4))
                case 1: return .dots([color(), color(), color()])
                case 2: return .symbols(draws.pick(PaletteWords.symbols), [color(), color()])
                default: return .emoji(draws.pick(PaletteWords.emoji), on: color())
                }
            }
        }
        var naming = PaletteNames(seed: seed)
        let rarities = [Rarity](repeating: .common, count: 6) + [Rarity](repeating: .rare, count: 3) + [.special]
        skins = rarities.enumerated().map { place, rarity in
            Skin(id: "palette-\(ordinal)-\(place + 1)", name: naming.next(besides: &names), rarity: rarity, look: look(rarity))
        }
    }
}

/// The palettes of a visit, in the order of making. No two skins of a visit have the same name.
struct Palettes: Equatable, Sendable {
    private(set) var all: [Palette] = []
    private var names = Set(Catalog.skins.map(\.name))

    mutating func make(_ recipe: Palette.Recipe) -> Palette {
        let palette = Palette(recipe, ordinal: all.count + 1, besides: &names)
        all.append(palette)
        return palette
    }
}

/// Codes palettes by their recipes: the skins follow from those.
extension Palettes: Codable {
    init(from decoder: any Decoder) throws {
        for recipe in try [Palette.Recipe](from: decoder) { _ = make(recipe) }
    }

    func encode(to encoder: any Encoder) throws { try all.map(\.recipe).encode(to: encoder) }
}

/// The names of a palette's skins: an adjective and a noun, drawn apart from the colours, so that a name that is taken moves no colour.
struct PaletteNames: Sendable {
    /// The number of draws that find a free pair while one in ten of the 576 is free.
    private static let attempts = 64

    private var draws: SplitMix64

    /// `seed` is the palette's.
    init(seed: UInt64) { draws = SplitMix64(seed: ~seed) }

    /// Draws a name that is not among `names`, and adds it to those. When no free pair is found, the last pair drawn gets the first free
    /// number.
    mutating func next(besides names: inout Set<String>) -> String {
        var name = ""
        for _ in 0..<Self.attempts {
            name = draws.pick(PaletteWords.adjectives) + " " + draws.pick(PaletteWords.nouns)
            if names.insert(name).inserted { return name }
        }
        var number = 2
        while !names.insert("\(name) \(number)").inserted { number += 1 }
        return "\(name) \(number)"
    }
}

/// The words and signs of palettes' skins. They stay as they are, in this order: recorded sessions name their skins by it.
enum PaletteWords {
    static let adjectives = [
        "Frozen", "Electric", "Velvet", "Hollow", "Golden", "Silent", "Restless", "Burning", "Faded", "Feral", "Glassy", "Hungry",
        "Lonely", "Molten", "Neon", "Pale", "Quiet", "Rusted", "Secret", "Sleepless", "Sugar", "Tender", "Toxic", "Wild",
    ]
    static let nouns = [
        "Ember", "Tide", "Orchid", "Signal", "Mirror", "Dusk", "Static", "Bloom", "Canyon", "Comet", "Drift", "Echo", "Fever",
        "Harbor", "Hour", "Lagoon", "Meadow", "Mirage", "Nectar", "Pulse", "Reef", "Smoke", "Thread", "Vapor",
    ]
    static let symbols = ["★", "✦", "♥", "☾", "▲", "◆", "✚", "∞"]
    static let emoji = ["🌈", "💎", "🍒", "⚡", "🪐", "🍄", "🦋", "🎈"]
}

/// A colour by hue, saturation and brightness (A. R. Smith, "Color gamut transform pairs", SIGGRAPH 1978, there called HSV).
struct HSB: Equatable, Sendable {
    /// Degrees, 0 up to, and without, 360.
    let hue: Double
    /// 0…1.
    let saturation: Double
    let brightness: Double

    /// Wraps a hue that is less than one turn outside the circle into 0..<360, and limits saturation and brightness to 0…1.
    init(hue: Double, saturation: Double, brightness: Double) {
        self.hue = hue < 0 ? hue + 360 : hue >= 360 ? hue - 360 : hue
        self.saturation = min(1, max(0, saturation))
        self.brightness = min(1, max(0, brightness))
    }

    /// The colour in the nearest 8-bit values.
    var color: Color {
        let sector = min(5, Int(hue / 60))
        let part = hue / 60 - Double(sector)
        let p = brightness * (1 - saturation)
        let q = brightness * (1 - saturation * part)
        let t = brightness * (1 - saturation * (1 - part))
        let (red, green, blue) = switch sector {
        case 0: (brightness, t, p)
        case 1: (q, brightness, p)
        case 2: (p, brightness, t)
        case 3: (p, q, brightness)
        case 4: (t, p, brightness)
        default: (brightness, p, q)
        }
        func byte(_ value: Double) -> UInt8 { UInt8(value * 255 + 0.5) }
        return Color(red: byte(red), green: byte(green), blue: byte(blue))
    }
}

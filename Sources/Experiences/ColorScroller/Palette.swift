import Experience

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

    /// Returns the rarity of a palette's skin by its place, 0 to `size` - 1.
    static func rarity(at place: Int) -> Rarity { place < 6 ? .common : place < 9 ? .rare : .special }

    /// Draws ten skins, of which everything but the names follows from the seed alone. The names are none of `names`, which get them.
    init(_ recipe: Recipe, ordinal: Int, besides names: inout PaletteNames) {
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
        // Apart from the colours' draws, so that a name that is taken moves no colour.
        var naming = SplitMix64(seed: ~seed)
        skins = (0..<Self.size).map { place in
            let rarity = Self.rarity(at: place)
            return Skin(id: "palette-\(ordinal)-\(place + 1)", name: names.draw(&naming), rarity: rarity, look: look(rarity))
        }
    }
}

/// The palettes of a visit, in the order of making. No two skins of a visit have the same name.
struct Palettes: Equatable, Sendable {
    private(set) var all: [Palette] = []
    private var names = PaletteNames()

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

/// The names that a visit's palettes have: an adjective and a noun, and a number where another skin has this pair of words.
struct PaletteNames: Equatable, Sendable {
    /// The largest number of draws in the search for a free pair. So many find one as long as a tenth of the 576 pairs is free.
    private static let attempts = 64

    /// The number of skins that each pair of words names: the nouns beside the first adjective, then those beside the next.
    private var skins = [Int](repeating: 0, count: PaletteWords.adjectives.count * PaletteWords.nouns.count)

    /// Draws a name that no skin has. When no free pair is found, the last pair drawn gets the next number, from 2.
    mutating func draw(_ draws: inout SplitMix64) -> String {
        var adjective = 0, noun = 0, pair = 0
        for _ in 0..<Self.attempts {
            adjective = draws.below(PaletteWords.adjectives.count)
            noun = draws.below(PaletteWords.nouns.count)
            pair = adjective * PaletteWords.nouns.count + noun
            if skins[pair] == 0 { break }
        }
        skins[pair] += 1
        let words = PaletteWords.adjectives[adjective] + " " + PaletteWords.nouns[noun]
        return skins[pair] == 1 ? words : "\(words) \(skins[pair])"
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

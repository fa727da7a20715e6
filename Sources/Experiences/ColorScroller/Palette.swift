import Experience

/// Ten skins that are made of a visitor's behaviour: six commons, three rares and one special, in matching colours.
public struct Palette: Equatable, Sendable {
    public static let size = 10
    /// The number of cards of the authors' course for which a palette is fresh: its skins are then `boost` times as likely.
    static let boostLength = 100
    static let boost = 3.0
    /// The fraction of new skins that are of a fresh palette while rares of the catalogue are still to be found. So visitors see a palette
    /// before they have found all rares.
    static let earlyShare = 1.0 / 3
    /// The word that replaces the id of a rare, for a palette that was made because an intervention had no other skin to give.
    static let gift = "gift"

    /// The data from which a palette's skins can be made again at any time.
    public struct Recipe: Codable, Equatable, Sendable {
        public var behaviour: Behaviour
        /// Whether the colours depend on the mood (time of day and pace of scrolling).
        public var isFolded: Bool
        /// The time at which the palette was made, in seconds since 1970-01-01 in UTC.
        public var timestamp: Double

        public var seed: UInt64 { isFolded ? Mood(behaviour).folded(into: behaviour.hash) : Mood.unfolded(behaviour.hash) }
    }

    public let recipe: Recipe
    /// The palette's number in the session, counted from 1.
    let ordinal: Int
    public let seed: UInt64
    /// The mean hue, in degrees.
    let anchorHue: Double
    let hueSpread: Double
    let saturationCenter: Double
    let brightnessCenter: Double
    public let skins: [Skin]

    /// Returns the rarity of the palette's skin number `index`, 0…9.
    static func rarity(at index: Int) -> Rarity { index < 6 ? .common : index < 9 ? .rare : .special }

    /// Makes the ten skins of a palette. Everything but their names depends on the seed alone. `names` has the names that are taken; the
    /// new names are added to it.
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
        skins = (0..<Self.size).map { index in
            let rarity = Self.rarity(at: index)
            return Skin(id: "palette-\(ordinal)-\(index + 1)", name: names.draw(&naming), rarity: rarity, look: look(rarity))
        }
    }
}

/// The palettes of a visit, in the order in which they were made. No two skins of these palettes have the same name.
struct Palettes: Equatable, Sendable {
    private(set) var all: [Palette] = []
    private var names = PaletteNames()

    mutating func make(_ recipe: Palette.Recipe) -> Palette {
        let palette = Palette(recipe, ordinal: all.count + 1, besides: &names)
        all.append(palette)
        return palette
    }
}

/// Palettes are coded as their recipes, from which the skins are made again.
extension Palettes: Codable {
    init(from decoder: any Decoder) throws {
        for recipe in try [Palette.Recipe](from: decoder) { _ = make(recipe) }
    }

    func encode(to encoder: any Encoder) throws { try all.map(\.recipe).encode(to: encoder) }
}

/// The names of a visit's palette skins: an adjective and a noun, and a number if another skin has the same words.
struct PaletteNames: Equatable, Sendable {
    /// The largest number of draws in the search for a free pair of words. They nearly always find one while a tenth of the 576 pairs is
    /// free.
    private static let attempts = 64

    /// How many skins have the name made of each pair of words. The pairs are ordered by adjective, and then by noun.
    private var skins = [Int](repeating: 0, count: PaletteWords.adjectives.count * PaletteWords.nouns.count)

    /// Draws a name that no skin has yet, and notes it as taken. If no free pair of words is found, the last drawn pair gets its next
    /// number, from 2.
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

/// The words and symbols of palettes' skins. They and their order must not change, because recorded sessions depend on them.
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
    /// The hue in degrees, from 0 up to, but not including, 360.
    let hue: Double
    /// The saturation, 0…1.
    let saturation: Double
    let brightness: Double

    /// Wraps a hue that is at most one turn outside of the circle into it, and limits saturation and brightness to 0…1.
    init(hue: Double, saturation: Double, brightness: Double) {
        self.hue = hue < 0 ? hue + 360 : hue >= 360 ? hue - 360 : hue
        self.saturation = min(1, max(0, saturation))
        self.brightness = min(1, max(0, brightness))
    }

    /// The colour, rounded to 8 bits for each channel.
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

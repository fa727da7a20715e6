import Experience
import Signals

/// Ten skins made of how a visitor behaves: six commons, three rares and a special, in colours that belong together.
public struct Palette: Equatable, Sendable {
    public static let size = 10
    /// Cards of the authors' course for which its skins are `boost` times as likely as later.
    static let boostLength = 100
    static let boost = 3.0
    /// Of new skins while the catalogue's rares are still to be found. A palette is seen before all rares are.
    static let earlyShare = 1.0 / 3
    /// In place of a rare's id: it was made because there was nothing left to throw in.
    static let gift = "gift"

    /// What it is made of.
    public struct Recipe: Codable, Equatable, Sendable {
        public var behaviour: Behaviour
        /// Whether its colours follow the mood.
        public var isFolded: Bool
        /// When, in seconds since 1970-01-01 in UTC.
        public var timestamp: Double

        public var seed: UInt64 { isFolded ? Mood(behaviour).folded(into: behaviour.hash) : Mood.unfolded(behaviour.hash) }
    }

    public let recipe: Recipe
    /// 1 for a session's first.
    let ordinal: Int
    public let seed: UInt64
    /// In degrees.
    let anchorHue: Double
    let hueSpread: Double
    let saturationCenter: Double
    let brightnessCenter: Double
    public let skins: [Skin]

    /// Everything but the names follows from the seed alone. `names` are those that are taken, and get ten more.
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

import Experience
import Signals

/// Ten skins made of how a visitor behaves: six commons, three rares and a special, in colours that belong together.
public struct Palette: Equatable, Sendable {
    public static let size = 10
    /// Cards for which its skins are `boost` times as likely as later.
    static let boostLength = 100
    static let boost = 3.0

    /// What it was made of.
    public let behaviour: Behaviour
    /// 1 for a session's first.
    let ordinal: Int
    public let seed: UInt64
    /// In degrees.
    let anchorHue: Double
    let hueSpread: Double
    let saturationCenter: Double
    let brightnessCenter: Double
    public let skins: [Skin]

    public init(_ behaviour: Behaviour, ordinal: Int) {
        self.behaviour = behaviour
        self.ordinal = ordinal
        seed = behaviour.seed
        var draws = SplitMix64(seed: seed)
        let anchor = 360 * draws.unit()
        let saturation = 0.50 + 0.40 * draws.unit()
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
        var names: Set<String> = []
        func name() -> String {
            while true {
                let name = draws.pick(PaletteWords.adjectives) + " " + draws.pick(PaletteWords.nouns)
                if names.insert(name).inserted { return name }
            }
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
        let rarities = [Rarity](repeating: .common, count: 6) + [Rarity](repeating: .rare, count: 3) + [.special]
        var skins: [Skin] = []
        for (place, rarity) in rarities.enumerated() {
            let name = name()
            skins.append(Skin(id: "palette-\(ordinal)-\(place + 1)", name: name, rarity: rarity, look: look(rarity)))
        }
        self.skins = skins
    }

    /// How likely its skins are beside others of their rarity on card `index`.
    func weight(at index: Int) -> Double {
        (behaviour.index..<behaviour.index + Self.boostLength).contains(index) ? Self.boost : 1
    }
}

/// By what it was made of: the skins follow.
extension Palette: Codable {
    private enum CodingKeys: CodingKey { case behaviour, ordinal }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(try container.decode(Behaviour.self, forKey: .behaviour), ordinal: try container.decode(Int.self, forKey: .ordinal))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(behaviour, forKey: .behaviour)
        try container.encode(ordinal, forKey: .ordinal)
    }
}

@testable import ColorScroller
import Experience
import Signals
import Testing

private func behaviour(_ viewed: Int, _ unique: Int, active: Int, scrolling: Bool, index: Int, bucket: Int, session: Int,
                       _ weights: [Int], _ rare: String) -> Behaviour {
    Behaviour(blocksViewed: viewed, uniqueBlocksSeen: unique, activeScrollMilliseconds: active, isScrolling: scrolling, index: index,
              timeOfDayBucket: bucket, sessionMilliseconds: session, rarityWeights: weights, rare: rare)
}

private let lava = behaviour(64, 60, active: 71_234, scrolling: true, index: 62, bucket: 2, session: 80_500, [666_667, 333_333, 0], "lava")

/// Hue in degrees, saturation and brightness in 0…1, from the definition of the hexcone model.
private func hexcone(_ color: Color) -> (hue: Double, saturation: Double, brightness: Double) {
    let (r, g, b) = (Double(color.red) / 255, Double(color.green) / 255, Double(color.blue) / 255)
    let most = max(r, g, b), chroma = most - min(r, g, b)
    guard chroma > 0 else { return (0, 0, most) }
    let sextant = most == r ? (g - b) / chroma : most == g ? 2 + (b - r) / chroma : 4 + (r - g) / chroma
    return (sextant < 0 ? 60 * sextant + 360 : 60 * sextant, chroma / most, most)
}

@Suite struct PaletteTests {
    /// Worked out by palette.py beside this file, which shares no code with the engine.
    @Test func `a palette follows from its behaviour, to the last bit`() {
        let first = Palette(lava, ordinal: 1)
        #expect(first.seed.hexadecimal == "0xf5d6b0f47e3a7cb7")
        #expect(first.skins.flatMap { $0.look.colors.map(\.hex) } == [
            "#3be29e", "#2ed36d", "#1cdabe", "#30bb98", "#2cc596", "#41d3c7", "#17bbe8", "#35d29c", "#2eceb0", "#38b85d", "#3fda6b",
            "#22cb5e", "#3ac863", "#1bbcc9", "#2be174",
        ])
        let words: [(Int, Int)] = [(3, 4), (14, 10), (14, 22), (0, 15), (2, 5), (9, 1), (5, 3), (6, 22), (3, 14), (11, 0)]
        let names = words.map { "\(PaletteWords.adjectives[$0.0]) \(PaletteWords.nouns[$0.1])" }
        #expect(first.skins.map(\.name) == names)
        #expect(first.skins.compactMap(\.look.angle) == [240, 210, 30])
        #expect(first.skins[9].look.symbol == PaletteWords.symbols[4])
        let third = Palette(behaviour(300, 280, active: 300_000, scrolling: false, index: 281, bucket: 0, session: 901_000,
                                      [600_000, 300_000, 100_000], "ocean-glass"), ordinal: 3)
        #expect(third.seed.hexadecimal == "0x282dd8d38fd64ddf")
        let name = "\(PaletteWords.adjectives[5]) \(PaletteWords.nouns[3])"
        #expect(third.skins[9] == Skin(id: "palette-3-10", name: name, rarity: .special, look: .emoji(PaletteWords.emoji[1], on: Color(0x60E554))))
    }

    /// A hundred thousand snapshots: everything about a palette's colours is as its description says.
    @Test func `colours stay in the neighbourhood`() {
        var draws = SplitMix64(seed: 11)
        var seeds: Set<UInt64> = []
        var faults = 0
        for _ in 0..<100_000 {
            let viewed = 55 + draws.below(2000), weights = [600_000, 300_000, 100_000]
            let snapshot = behaviour(viewed, viewed - draws.below(50), active: draws.below(3_600_000), scrolling: draws.below(2) == 1,
                                     index: viewed - draws.below(50), bucket: draws.below(4), session: draws.below(7_200_000), weights,
                                     ["sunrise", "aurora", "lava"][draws.below(3)])
            let palette = Palette(snapshot, ordinal: 1)
            seeds.insert(palette.seed)
            let isInRange = (0..<360).contains(palette.anchorHue) && (0.50...0.90).contains(palette.saturationCenter)
                && (0.55...0.95).contains(palette.brightnessCenter) && (18...43).contains(palette.hueSpread)
            let rarities = palette.skins.map(\.rarity)
            let isWhole = rarities == [Rarity](repeating: .common, count: 6) + [.rare, .rare, .rare, .special]
                && Set(palette.skins.map(\.name)).count == 10 && palette.skins[0..<6].allSatisfy { $0.look.kind == .solid }
                && palette.skins[6..<9].allSatisfy { $0.look.kind == .gradient && (2...3).contains($0.look.colors.count) }
                && [.stripes, .dots, .symbols, .emoji].contains(palette.skins[9].look.kind)
            let isNear = palette.skins.flatMap(\.look.colors).allSatisfy { color in
                let seen = hexcone(color)
                let turn = abs(seen.hue - palette.anchorHue)
                // What rounding to 8 bits can move a hue by depends on how much colour there is.
                let rounding = 60 / (255 * seen.saturation * seen.brightness)
                return min(turn, 360 - turn) <= palette.hueSpread + rounding
                    && abs(seen.saturation - palette.saturationCenter) <= 0.12 + 0.01 && abs(seen.brightness - palette.brightnessCenter) <= 0.10 + 0.003
            }
            if !isInRange || !isWhole || !isNear { faults += 1 }
        }
        #expect(faults == 0)
        #expect(seeds.count > 99_990, "hardly two are alike")
    }

    @Test func `whatever differs in how a visitor behaved makes another seed`() {
        var others: [Behaviour] = []
        for change in [{ $0.blocksViewed += 1 }, { $0.uniqueBlocksSeen -= 1 }, { $0.activeScrollMilliseconds += 1 }, { $0.isScrolling = false },
                       { $0.index += 1 }, { $0.timeOfDayBucket = 3 }, { $0.sessionMilliseconds += 1 }, { $0.rarityWeights[1] -= 1 },
                       { $0.rare = "aurora" }] as [(inout Behaviour) -> Void] {
            var other = lava
            change(&other)
            others.append(other)
        }
        #expect(Set(others.map(\.seed) + [lava.seed]).count == 10)
    }

    /// Two visitors who come to the rare at the same time by the same way; one of them has swiped back once before.
    @Test func `two sessions that differ by one swipe at the rare's unlock get different palettes`() throws {
        var ahead = Viewer(seed: 5)
        while ahead.palette == nil { ahead.swipe() }
        let rare = ahead.state.index
        var first = Viewer(seed: 5)
        while first.state.index + 1 < rare { first.swipe() }
        var second = first
        second.swipe(.down, after: 0.5)
        second.wait(0.5)
        first.wait(1)
        for viewer in [first, second] { #expect(viewer.state.time == first.state.time) }
        first.act(.action(Action(FeedScroll(to: rare))))
        second.act(.action(Action(FeedScroll(to: rare))))
        #expect(second.state.totalSwipes == first.state.totalSwipes + 1)
        let palette = try #require(first.palette)
        let other = try #require(second.palette)
        #expect(other.seed != palette.seed)
        #expect(Set(other.skins.flatMap(\.look.colors)).isDisjoint(with: palette.skins.flatMap(\.look.colors)))
    }

    @Test func `a palette is kept by what it was made of, and made again`() throws {
        var viewer = Viewer(seed: 5)
        while viewer.palette == nil { viewer.swipe() }
        let told = try #require(viewer.palette)
        let kept = try #require(viewer.scroller.palettes.first)
        #expect(kept.seed == told.seed && kept.skins == told.skins)
        #expect(Palette(kept.behaviour, ordinal: 1) == kept)
        #expect(kept.behaviour.blocksViewed == viewer.state.blocksViewed && kept.behaviour.rare == viewer.unlock?.skin.id)
    }

    @Test func `a fresh palette's skins come more often for a hundred cards`() {
        let palette = Palette(lava, ordinal: 1)
        #expect(palette.weight(at: 62) == 3 * palette.weight(at: 162) && palette.weight(at: 161) == palette.weight(at: 62))
    }

    /// From the definition in sixths of the circle, and Python's colorsys for the last.
    @Test(arguments: [(0.0, 1.0, 1.0, "#ff0000"), (60, 1, 1, "#ffff00"), (120, 1, 1, "#00ff00"), (180, 1, 1, "#00ffff"), (240, 1, 1, "#0000ff"),
                      (300, 1, 1, "#ff00ff"), (-60, 1, 1, "#ff00ff"), (420, 0, 0.5, "#808080"), (215, 0.6, 0.8, "#5285cc")])
    func `hue, saturation and brightness make a colour`(hue: Double, saturation: Double, brightness: Double, hex: String) {
        #expect(HSB(hue: hue, saturation: saturation, brightness: brightness).color.hex == hex)
    }
}

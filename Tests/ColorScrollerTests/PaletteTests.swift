@testable import ColorScroller
import Experience
import Signals
import Testing

private func behaviour(_ viewed: Int, _ unique: Int, active: Int, scrolling: Bool, index: Int, bucket: Int, session: Int,
                       _ weights: [Int], _ rare: String) -> Behaviour {
    Behaviour(blocksViewed: viewed, uniqueBlocksSeen: unique, activeScrollMilliseconds: active, isScrolling: scrolling, index: index,
              timeOfDayBucket: bucket, sessionMilliseconds: session, rarityWeights: weights, rare: rare)
}

private let lava = behaviour(64, 60, active: 71_234, scrolling: true, index: 62, bucket: 2, session: 80_500, [440_000, 373_333, 186_667, 0], "lava")

private func recipe(_ behaviour: Behaviour, folded: Bool = true) -> Palette.Recipe {
    Palette.Recipe(behaviour: behaviour, isFolded: folded, timestamp: newYear)
}

private func palette(_ behaviour: Behaviour, folded: Bool = true, ordinal: Int = 1) -> Palette {
    var names = PaletteNames()
    return Palette(recipe(behaviour, folded: folded), ordinal: ordinal, besides: &names)
}

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
        func names(_ words: [(Int, Int)]) -> [String] { words.map { "\(PaletteWords.adjectives[$0.0]) \(PaletteWords.nouns[$0.1])" } }
        let plain = palette(lava, folded: false)
        #expect(plain.seed == 0x0B94_0E41_C250_A8E0)
        #expect(plain.skins.flatMap { $0.look.colors.map(\.hex) } == [
            "#c2412f", "#b0690c", "#c37014", "#c28c0b", "#dc4f15", "#ca582b", "#cf6914", "#c1602d", "#b8090b", "#bc2f12", "#be3f27", "#da8530",
            "#bc2915", "#b98631", "#d59e2f", "#c63122",
        ])
        #expect(plain.skins.map(\.name) == names([(16, 10), (3, 13), (12, 14), (22, 3), (4, 10), (15, 17), (1, 18), (2, 17), (4, 12), (21, 16)]))
        #expect(plain.skins.compactMap(\.look.angle) == [240, 225, 120])
        #expect(plain.skins[9].look.symbol == PaletteWords.emoji[7])
        let folded = palette(lava, ordinal: 2)
        #expect(folded.seed == 0x0B94_0E41_C250_A8F6)
        #expect(folded.skins.flatMap { $0.look.colors.map(\.hex) } == [
            "#3c968a", "#3aac8d", "#2caa8f", "#2ba69e", "#55bbbf", "#367c8f", "#3d9a7f", "#4fa4a3", "#269272", "#40989c", "#31b49c", "#549fb7",
            "#49a3ba", "#429365", "#49aa98",
        ])
        let evening = palette(behaviour(300, 280, active: 300_000, scrolling: false, index: 281, bucket: 3, session: 901_000,
                                        [460_000, 324_000, 162_000, 54_000], "ocean-glass"), ordinal: 3)
        #expect(evening.seed == 0x540C_8447_1C30_E197)
        #expect(evening.skins[9] == Skin(id: "palette-3-10", name: names([(8, 11)])[0], rarity: .special,
                                         look: .symbols(PaletteWords.symbols[2], [Color(0xDC4E4C), Color(0xFC6F7D)])))
    }

    /// The names are those that palette.py draws when the first palette's are taken.
    @Test func `a name that is taken is drawn again, and no colour changes by it`() {
        var names = PaletteNames()
        let first = Palette(recipe(lava), ordinal: 1, besides: &names)
        let second = Palette(recipe(lava), ordinal: 2, besides: &names)
        #expect(second.skins.map(\.look) == first.skins.map(\.look))
        #expect(second.skins.prefix(3).map(\.name) == [(16, 19), (6, 1), (10, 12)].map { "\(PaletteWords.adjectives[$0]) \(PaletteWords.nouns[$1])" })
    }

    /// Twice as many skins as there are pairs of words.
    @Test func `names are unique through a visit however long it is, and none is of the catalogue`() throws {
        var palettes = Palettes()
        var names = Catalog.skins.map(\.name)
        for viewed in 0..<116 {
            var behaviour = lava
            behaviour.blocksViewed += viewed
            names += palettes.make(recipe(behaviour)).skins.map(\.name)
        }
        #expect(Set(names).count == names.count && names.count == 28 + 1_160)
        #expect(names.contains { $0.hasSuffix(" 2") })
        #expect(try Coded.read(Palettes.self, Coded.bytes(palettes)) == palettes)
    }

    /// 100 moments of each time of day and pace.
    @Test func `evenings are warm, slow visitors' colours are muted, and the knob switches both off`() {
        var draws = SplitMix64(seed: 3)
        var warm = [0, 0, 0, 0], saturation = [0.0, 0, 0, 0], plainWarm = 0, plainSaturation = [0.0, 0, 0, 0]
        for bucket in 0..<4 {
            for (pace, active) in [160_000, 100_000, 50_000, 20_000].enumerated() {
                for _ in 0..<100 {
                    let snapshot = behaviour(100, 90, active: active, scrolling: true, index: draws.below(100), bucket: bucket,
                                             session: draws.below(1_000_000), [1], "lava")
                    let (palette, plain) = (palette(snapshot), palette(snapshot, folded: false))
                    #expect(Mood(seed: palette.seed) == Mood(snapshot) && Mood(seed: plain.seed) == nil)
                    #expect(Mood(snapshot).pace == pace)
                    #expect((0.5...0.9).contains(palette.saturationCenter) && (0..<360).contains(palette.anchorHue))
                    let isWarm: (Palette) -> Int = { palette in
                        palette.skins.flatMap(\.look.colors).count { hexcone($0).hue < 75 || hexcone($0).hue >= 285 } * 2 > palette.skins.flatMap(\.look.colors).count ? 1 : 0
                    }
                    warm[bucket] += isWarm(palette)
                    plainWarm += isWarm(plain)
                    saturation[pace] += palette.saturationCenter / 400
                    plainSaturation[pace] += plain.saturationCenter / 400
                }
            }
        }
        print("warm palettes at night, morning, afternoon, evening:", warm.map { Double($0) / 4 }, "%; without the mood", Double(plainWarm) / 16, "%")
        print("mean saturation from slow to fast:", saturation, "; without the mood", plainSaturation)
        #expect(warm[3] == 400 && warm[1] + warm[2] < 100 && (400...1_000).contains(plainWarm))
        for (mean, expected) in zip(saturation, [0.55, 0.65, 0.75, 0.85]) { #expect(abs(mean - expected) < 0.01) }
        for mean in plainSaturation { #expect(abs(mean - 0.70) < 0.03) }
    }

    /// A hundred thousand snapshots: everything about a palette's colours is as its description says.
    @Test func `colours stay in the neighbourhood`() {
        var draws = SplitMix64(seed: 11)
        var seeds: Set<UInt64> = []
        var faults = 0
        for _ in 0..<20_000 {
            let viewed = 55 + draws.below(2000), weights = [460_000, 324_000, 162_000, 54_000]
            let snapshot = behaviour(viewed, viewed - draws.below(50), active: draws.below(3_600_000), scrolling: draws.below(2) == 1,
                                     index: viewed - draws.below(50), bucket: draws.below(4), session: draws.below(7_200_000), weights,
                                     ["sunrise", "aurora", "lava"][draws.below(3)])
            let palette = palette(snapshot, folded: draws.below(2) == 1)
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
        #expect(seeds.count > 19_990, "hardly two are alike")
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
        #expect(Set(others.map { recipe($0).seed } + [recipe(lava).seed]).count == 10)
    }

    /// Two visitors who come to the rare at the same time by the same way; one of them has swiped back once before.
    @Test func `two sessions that differ by one swipe at the rare's unlock get different palettes`() throws {
        var ahead = Viewer(seed: 5)
        while ahead.palette == nil { ahead.swipe() }
        let rare = ahead.state.index
        var first = Viewer(seed: 5)
        while first.state.index + 1 < rare { first.swipe() }
        first.waitForPause()
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
        var names = PaletteNames()
        #expect(kept == told)
        #expect(Palette(kept.recipe, ordinal: 1, besides: &names) == kept)
        #expect(kept.recipe.behaviour.blocksViewed == viewer.state.blocksViewed && kept.recipe.behaviour.rare == viewer.unlock?.skin.id)
        // Cards without colour, commons and rares; there are no specials yet. (1 − 0.12) · ½ are without colour.
        #expect(kept.recipe.behaviour.rarityWeights == [440_000, 373_333, 186_667, 0])
    }

    @Test func `whoever asks is told of each palette what it was made of and when`() throws {
        var viewer = Viewer(seed: 5)
        while viewer.scroller.palettes.count < 2 { viewer.swipe() }
        let answer = try viewer.run.answer(try #require(ColorScroller.declaration.query("feed.palettes")), at: viewer.time)
        struct Told: Decodable {
            struct Entry: Decodable {
                var seed: String
                var rare: String
                var timestamp: Double
                var mood: Bool
                var snapshot: Behaviour
                var skins: [Skin]
                struct Skin: Decodable { var id: String }
            }
            var palettes: [Entry]
        }
        let told = try Coded.read(Told.self, Coded.bytes(answer)).palettes
        let second = viewer.scroller.palettes[1]
        #expect(told.count == 2 && UInt64(told[1].seed.dropFirst(2), radix: 16) == second.seed)
        #expect(told[1].snapshot == second.recipe.behaviour && told[1].mood)
        #expect(told[1].rare == viewer.unlock?.skin.id && told[1].timestamp == viewer.record?.timestamp)
        #expect(told[1].skins.map(\.id) == second.skins.map(\.id))
    }

    /// The catalogue's rares are all found on card 140 here.
    @Test func `a fresh palette's skins come more often for a hundred cards, which begin when its special may come`() {
        var collection = Collection(on: .authors)
        _ = collection.addPalette(recipe(lava))
        let skin = Catalog.skins.count
        #expect(collection.weight(of: skin, at: 62) == 3 && collection.weight(of: skin, at: 400) == 3 && collection.weight(of: 0, at: 62) == 1)
        collection.unlockCatalog(at: 140)
        #expect(collection.weight(of: skin, at: 62) == 3 && collection.weight(of: skin, at: 239) == 3 && collection.weight(of: skin, at: 240) == 1)
        var later = lava
        later.index = 300
        _ = collection.addPalette(recipe(later))
        #expect(collection.weight(of: skin + 10, at: 399) == 3 && collection.weight(of: skin + 10, at: 400) == 1)
    }

    /// A visit of hours, in which gifts have unlocked much more than the catalogue.
    @Test func `of more than 128 unlocked skins the newest come again, and what is locked is found behind them`() {
        var collection = Collection(on: .authors)
        collection.unlockCatalog(at: 0)
        #expect(collection.numbersFromFirstLocked.isEmpty)
        for _ in 0..<20 { _ = collection.addPalette(recipe(lava)) }
        for number in Catalog.skins.count..<collection.count { collection.unlock(number, at: 0) }
        let feed = Feed(seed: 7, collection, Tuning())
        let numbers = (10..<3_000).compactMap { feed.skin(at: $0, collection) }
        #expect(numbers.allSatisfy { $0 >= collection.count - 128 } && Set(numbers).count == 128)
        let known = collection.count
        _ = collection.addPalette(recipe(lava))
        collection.unlock(known + 2, at: 5)
        #expect(collection.numbersFromFirstLocked == known..<known + 10)
        #expect(feed.candidates(at: 90, collection) == (known..<known + 10).filter { $0 != known + 2 })
    }

    /// From the definition in sixths of the circle, and Python's colorsys for the last.
    @Test(arguments: [(0.0, 1.0, 1.0, "#ff0000"), (60, 1, 1, "#ffff00"), (120, 1, 1, "#00ff00"), (180, 1, 1, "#00ffff"), (240, 1, 1, "#0000ff"),
                      (300, 1, 1, "#ff00ff"), (-60, 1, 1, "#ff00ff"), (420, 0, 0.5, "#808080"), (215, 0.6, 0.8, "#5285cc")])
    func `hue, saturation and brightness make a colour`(hue: Double, saturation: Double, brightness: Double, hex: String) {
        #expect(HSB(hue: hue, saturation: saturation, brightness: brightness).color.hex == hex)
    }
}

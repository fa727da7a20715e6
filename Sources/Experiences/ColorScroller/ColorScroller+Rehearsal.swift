import Experience
import Signals

extension ColorScroller {
    /// A rehearsal with the catalogue's own skins, one for each look that a skin can have.
    static let rehearsal = Rehearsal(query: "feed.state") { answer in
        (answer as? FeedState).map { FeedBegun(index: $0.index) }
    } scenes: { Example.scenes }
}

/// The example announcements that the rehearsal shows.
private enum Example {
    typealias Scene = Rehearsal.Scene

    static var scenes: [Scene] {
        scrolls + unlocks + moments + boards
    }

    /// The index of the card that is shown.
    private static let index = 12
    private static let state = FeedState(
        time: 0, index: index, generated: index + 13, blocksViewed: 24, uniqueBlocksSeen: 18, totalSwipes: 23, unlockCount: 4,
        rewardDrought: 3, pausedUntil: nil, pChurn: 0.31, model: "handTuned", interventions: 1, palettes: 1, rank: 8, toneFrequency: 392,
        toneLevel: -44)
    private static let decision = Decision(model: state.model, margin: -0.8, isEligible: true, isHeldOut: false, action: .none,
                                           propensity: 0.967, chosen: .none)

    /// The first skin of each kind of look. It is named by its rarity; where the rarity has several kinds, by its rarity and kind.
    private static let skins: [(name: String, skin: Skin)] = Rarity.allCases.flatMap { rarity in
        let kinds = Skin.Look.Kind.allCases.compactMap { kind in
            Catalog.skins.first { $0.rarity == rarity && $0.look.kind == kind }
        }
        return kinds.map { skin in (rarity.rawValue + (kinds.count == 1 ? "" : "-\(skin.look.kind.rawValue)"), skin) }
    }

    private static func card(_ face: Card.Face) -> Card { Card(index: index, face: face) }

    private static var scrolls: [Scene] {
        let faces = [("leaderboard", Card.Face.leaderboard), ("gray", .gray(Color(gray: 0xAB)))]
            + skins.map { ($0.name, Card.Face.skin($0.skin)) }
        return faces.map { name, face in
            let card = card(face)
            let record = ScrollRecord(
                timestamp: 0, cardIndex: index, blocksViewed: state.blocksViewed, uniqueBlocksSeen: state.uniqueBlocksSeen,
                unlockCount: state.unlockCount, rewardDrought: state.rewardDrought, velocity: 1.8, velocityTrend: -0.1, sessionLength: 42,
                activeScrollSeconds: 30, timeOfDayBucket: 2, rarityShown: card.rarity, pChurn: 0.31)
            return Scene(name, Scroll(record: record, decision: decision, card: card, cards: [], state: state))
        }
    }

    private static var unlocks: [Scene] {
        var pause = Pause()
        pause.begin(at: 0)
        let unlocks = skins.map { Scene($0.name, Unlocked(skin: $0.skin, index: index, pausedUntil: pause.end, at: 0)) }
        let toasts = Rarity.allCases.compactMap { rarity in
            Catalog.skins.first { $0.rarity == rarity }.map { Scene(rarity.rawValue, Toast(rarity: rarity, name: $0.name)) }
        }
        return unlocks + [Scene("paused", Held(index: index, pausedUntil: pause.end, at: 0))] + toasts
    }

    private static var moments: [Scene] {
        var palettes = Palettes()
        let palette = palettes.make(Palette.Recipe(
            behaviour: Behaviour(blocksViewed: 24, uniqueBlocksSeen: 18, activeScrollMilliseconds: 30_000, isScrolling: true, index: index,
                                 timeOfDayBucket: 2, sessionMilliseconds: 42_000, rarityWeights: [10, 3, 1], rare: "sunrise"),
            isFolded: true, timestamp: 0))
        let gift = skins.last.map { Card(index: index + 2, face: .skin($0.skin)) }
        return [
            Scene("made", PaletteMade(palette: palette)),
            Scene("moderate", Intervention(.moderate, pChurn: 0.58, reward: gift, taunt: nil)),
            Scene("high-passed", Intervention(.high, pChurn: 0.8, reward: gift, taunt: Taunt(.passed, "neon_ghost"))),
            Scene("high-ahead", Intervention(.high, pChurn: 0.8, reward: gift, taunt: Taunt(.ahead, "night_feed"))),
            Scene("no-reward", Intervention(.moderate, pChurn: 0.58, reward: nil, taunt: nil)),
        ]
    }

    private static var boards: [Scene] {
        let rivals = [("nobody-before", nil), ("after-a-visit", LastVisit(cards: 57))].map { name, last in
            Scene(name, Rivals(seed: 7, last: last).board(hour: 15))
        }
        return [
            Scene("changed", Counters(blocksViewed: state.blocksViewed, uniqueBlocksSeen: state.uniqueBlocksSeen,
                                      totalSwipes: state.totalSwipes, unlockCount: state.unlockCount, rewardDrought: state.rewardDrought,
                                      interventions: state.interventions, palettes: state.palettes, rank: state.rank, pChurn: state.pChurn,
                                      toneLevel: state.toneLevel)),
            Scene("passed", RankChange(rank: 7, of: Rivals.lastRank, passed: "neon_ghost")),
            Scene("first", RankChange(rank: 1, of: Rivals.lastRank, passed: "night_feed")),
            Scene("last", RankChange(rank: Rivals.lastRank, of: Rivals.lastRank, passed: nil)),
        ] + rivals + [Scene("begun", FeedBegun(index: 0))]
    }
}

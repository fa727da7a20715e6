@testable import ColorScroller
import Experience
import Signals
import Testing
import Units

private let commons: Set = ["Crimson", "Tangerine", "Lemon", "Jade", "Azure", "Violet", "Magenta", "Mint", "Cyan", "Indigo"]
private let rares: Set = ["Sunrise", "Ocean Glass", "Aurora", "Grape Soda", "Lava", "Deep Space"]

/// Cards that could have carried a new skin, and those that did.
private struct Trials {
    var cards = 0
    var hits = 0

    static func + (a: Trials, b: Trials) -> Trials { Trials(cards: a.cards + b.cards, hits: a.hits + b.hits) }

    /// By how many standard errors of a binomial proportion the share of hits is off.
    func deviation(from chance: Double) -> Double {
        let error = (chance * (1 - chance) / Double(cards)).squareRoot()
        return (Double(hits) / Double(cards) - chance) / error
    }
}

/// One simulated visitor, watched closely. What is expected is worked out here from the piece's rules, as they are written down.
private struct Watched {
    var viewer: Viewer
    var draws: SplitMix64
    let isPatient: Bool
    /// Skins by id, with those of palettes as they are told.
    var locked = Dictionary(uniqueKeysWithValues: Catalog.skins.map { ($0.id, $0.rarity) })
    var unlockedNames: Set<String> = []
    /// What cards had that have been shown.
    var seen: [Int: Skin?] = [:]
    /// New skins on cards ahead, by card.
    var waiting: [Int: String] = [:]
    var generated = 0
    var early = Trials(), middle = Trials(), late = Trials()
    var interventions = 0, highs = 0, specials = 0
    var lastIntervention = -100
    var lastToast = -100.0
    var level = -1000.0
    var faults: [String] = []

    init(seed: UInt64) {
        viewer = Viewer(seed: seed)
        isPatient = seed % 3 != 0
        draws = SplitMix64(seed: seed &+ 0xABCD)
        for case .toneLevel(let first) in viewer.scroller.opening { level = first.rawValue }
        lookAhead(from: 0)
    }

    mutating func check(_ holds: Bool, _ rule: String) { if !holds { faults.append("\(rule) at card \(viewer.state.index)") } }

    func mayAppear(_ rarity: Rarity, at index: Int) -> Bool {
        switch rarity {
        case .common: index >= 10
        case .rare: index >= 55 && commons.isSubset(of: unlockedNames)
        case .special: index >= 85 && commons.union(rares).isSubset(of: unlockedNames)
        }
    }

    /// Takes note of the cards that have just been generated.
    mutating func lookAhead(from index: Int) {
        for card in viewer.scroller.cards(generated..<Int.max) {
            check(card.index >= 10 || card.rarity == nil, "the first ten cards have no colour")
            let isNew = card.skin.map { locked[$0.id] != nil && !waiting.values.contains($0.id) } ?? false
            if card.index >= 10, locked.contains(where: { id, rarity in mayAppear(rarity, at: card.index) && !waiting.values.contains(id) }) {
                let trial = Trials(cards: 1, hits: isNew ? 1 : 0)
                switch card.index {
                case ..<55: early = early + trial
                case ..<85: middle = middle + trial
                default: late = late + trial
                }
            } else {
                check(!isNew, "a new skin where there may be none")
            }
            if isNew, let skin = card.skin {
                check(mayAppear(skin.rarity, at: card.index), "a new \(skin.rarity) too early")
                waiting[card.index] = skin.id
            }
            generated = card.index + 1
        }
        check(generated >= index + 11, "ten cards ahead")
    }

    mutating func swipe() {
        // Some grow weary of waiting for something new, and everybody looks away now and then.
        let isDistracted = draws.unit() < 0.01
        let weariness = isDistracted ? 20 : isPatient ? 1 : 1 + 0.15 * Double(viewer.state.rewardDrought)
        let dwell = weariness * (0.15 + 2.5 * draws.unit()), velocity = (0.3 + 3 * draws.unit()) / weariness
        // Some go back now and then, and some leap to a card they see ahead.
        switch draws.below(100) {
        case ..<5 where viewer.state.index > 0: viewer.swipe(.down, after: dwell, velocity: velocity)
        case 5..<8:
            viewer.wait(dwell)
            viewer.act(.action(Action(FeedScroll(to: viewer.state.index + 1 + draws.below(4), velocity: velocity))))
        default: viewer.swipe(after: dwell, velocity: velocity)
        }
        guard let record = viewer.record else { return check(false, "every scroll is recorded") }
        let card = viewer.scroller.cards(record.cardIndex..<record.cardIndex + 1).first?.skin
        let isNew = card.map { locked[$0.id] != nil } ?? false
        check(seen[record.cardIndex].map { $0 == card } ?? true, "a card that was seen stays as it was")
        check(waiting[record.cardIndex].map { $0 == card?.id } ?? true, "a card that was generated stays as it was")
        seen[record.cardIndex] = card
        check((viewer.unlock != nil) == isNew, "a new skin is unlocked when it is viewed")
        check(viewer.cues.contains(.chime("unlock")) == isNew && viewer.cues.contains(.haptic("unlock")) == isNew, "an unlock is heard and felt")
        if let skin = card, isNew {
            check(mayAppear(skin.rarity, at: record.cardIndex), "a \(skin.rarity) is unlocked too early")
            locked[skin.id] = nil
            if skin.rarity == .special { specials += 1 }
            unlockedNames.insert(skin.name)
            check(record.rewardDrought == 0, "an unlock ends the drought")
        }
        waiting = waiting.filter { $0.key > record.cardIndex }
        for skin in viewer.palette?.skins ?? [] { locked[skin.id] = skin.rarity }
        check((viewer.palette != nil) == (isNew && rares.contains(card?.name ?? "")), "a static rare makes a palette")
        if viewer.toast != nil {
            check(isNew && record.sessionLength - lastToast >= 3, "toasts keep their cooldown")
            lastToast = record.sessionLength
        } else {
            check(!isNew || record.sessionLength - lastToast < 3, "a toast that may appear does")
        }
        lookAhead(from: record.cardIndex)
        watchTone()
        watchIntervention(record)
    }

    mutating func watchTone() {
        for cue in viewer.cues {
            if case .tonePitch(let pitch, _) = cue { check(pitch.rawValue <= 5000 && pitch.rawValue >= 240, "the pitch keeps to its range") }
            if case .toneLevel(let next) = cue {
                check(next.rawValue > level, "the level only rises")
                level = next.rawValue
            }
        }
    }

    mutating func watchIntervention(_ record: ScrollRecord) {
        let mayBe = record.blocksViewed > lastIntervention + 12
        check((viewer.intervention != nil) == (mayBe && record.pChurn >= 0.55), "interventions keep to threshold and cooldown")
        guard let intervention = viewer.intervention else {
            return check(!viewer.cues.contains(.haptic("surprise")) && !viewer.cues.contains(.chime("ding")), "no surprise by itself")
        }
        let isHigh = record.pChurn >= 0.70
        lastIntervention = record.blocksViewed
        interventions += 1
        highs += isHigh ? 1 : 0
        check(intervention.strength == (isHigh ? .high : .moderate), "strength follows from P(churn)")
        check(viewer.cues.contains(.haptic("surprise")), "an intervention is felt")
        check(viewer.cues.contains(.chime("ding")) == isHigh && (intervention.taunt != nil) == isHigh, "a high one dings and taunts")
        let places = (record.cardIndex + 2...record.cardIndex + 4).filter { seen[$0] == nil }
        guard let reward = intervention.reward, let skin = reward.skin else {
            let isLeft = places.contains { place in
                locked.contains { id, rarity in mayAppear(rarity, at: place) && !waiting.values.contains(id) }
            }
            return check(!isLeft, "there is a reward if there can be")
        }
        check(places.contains(reward.index), "the reward is near, and on no card that was seen")
        check(locked[skin.id] != nil && mayAppear(skin.rarity, at: reward.index), "the reward is locked, and may be found")
        let betterIsLeft = places.contains { place in
            locked.contains { id, rarity in rarity != .common && mayAppear(rarity, at: place) && !waiting.values.contains(id) }
        }
        check(skin.rarity != .common || !betterIsLeft, "the reward is rare or special where there is one")
        waiting[reward.index] = skin.id
    }
}

@Suite struct VisitorsTests {
    /// Ten thousand visitors in all, each with another seed. A long visit in twenty is long enough for specials.
    @Test(arguments: 0..<8) func `the piece keeps its rules with every visitor`(part: Int) {
        var early = Trials(), middle = Trials(), late = Trials()
        var interventions = 0, highs = 0, specials = 0
        for visitor in part * 1250..<(part + 1) * 1250 {
            var watched = Watched(seed: UInt64(visitor))
            for _ in 0..<(visitor % 20 == 0 ? 600 : 60) { watched.swipe() }
            #expect(watched.faults.isEmpty, "visitor \(visitor): \(watched.faults.prefix(3))")
            early = early + watched.early
            middle = middle + watched.middle
            late = late + watched.late
            interventions += watched.interventions
            highs += watched.highs
            specials += watched.specials
        }
        #expect(abs(early.deviation(from: 0.20)) < 3, "\(early)")
        #expect(abs(middle.deviation(from: 0.12)) < 3, "\(middle)")
        #expect(abs(late.deviation(from: 0.08)) < 3, "\(late)")
        #expect(interventions > 100 && highs > 0 && specials > 50, "\(interventions), \(highs), \(specials): everything was seen")
    }
}

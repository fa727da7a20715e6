@testable import ColorScroller
import Experience
import Foundation
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

    /// The standard errors of a binomial proportion by which the share of hits is off.
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
    /// The skins whose toasts wait, the newest last.
    var toasts: [String] = []
    /// The skins that shown cards had.
    var seen: [Int: Skin?] = [:]
    /// New skins on cards ahead, by card.
    var waiting: [Int: String] = [:]
    var generated = 0
    var early = Trials(), middle = Trials(), late = Trials(), gifts = Trials()
    /// The cards on which the catalogue and a palette could have given a new skin, and those that got a palette's.
    var shared = Trials()
    var names = Set(Catalog.skins.map(\.name))
    var interventions = 0, highs = 0, specials = 0
    var lastIntervention = -100
    var cooldown = 0
    var lastToast = -100.0
    var helds = 0
    var level = -1000.0
    var faults: [String] = []

    init(seed: UInt64) {
        viewer = Viewer(seed: seed, knobs: .standard)
        isPatient = seed % 3 != 0
        draws = SplitMix64(seed: seed &+ 0xABCD)
        for case .toneLevel(let first) in viewer.scroller.opening { level = first.rawValue }
        lookAhead(from: 0)
    }

    mutating func check(_ holds: Bool, _ rule: String) { if !holds { faults.append("\(rule) at card \(viewer.state.index)") } }

    /// Whether a common or a rare of the catalogue could come.
    func hasFirst(at index: Int, _ waiting: Dictionary<Int, String>.Values) -> Bool {
        locked.contains { id, rarity in
            !id.hasPrefix("palette-") && rarity != .special && mayAppear(rarity, at: index) && !waiting.contains(id)
        }
    }

    /// Whether a gift of `id` may not come before the catalogue's commons and rares that could.
    func isCrowdedOut(_ id: String, at index: Int, _ waiting: Dictionary<Int, String>.Values) -> Bool {
        id.hasPrefix("palette-") && hasFirst(at: index, waiting)
    }

    /// Whether a palette's skin could come.
    func hasOfPalette(at index: Int) -> Bool {
        locked.contains { id, rarity in id.hasPrefix("palette-") && mayAppear(rarity, at: index) && !waiting.values.contains(id) }
    }

    func mayAppear(_ rarity: Rarity, at index: Int) -> Bool {
        switch rarity {
        case .common: index >= 10
        case .rare: index >= 55 && commons.isSubset(of: unlockedNames)
        case .special: index >= 85 && commons.union(rares).isSubset(of: unlockedNames)
        }
    }

    /// Takes note of the cards that have just been generated, but for the card on which something has been thrown in since.
    mutating func lookAhead(from index: Int, without gift: Int? = nil) {
        for card in viewer.scroller.cards(generated..<Int.max) {
            check(card.index >= 10 || card.rarity == nil, "the first ten cards have no colour")
            generated = card.index + 1
            if card.index == gift { continue }
            let isNew = card.skin.map { locked[$0.id] != nil && !waiting.values.contains($0.id) } ?? false
            if card.index >= 10, locked.contains(where: { id, rarity in mayAppear(rarity, at: card.index) && !waiting.values.contains(id) }) {
                let trial = Trials(cards: 1, hits: isNew ? 1 : 0)
                switch card.index {
                case ..<55: early = early + trial
                case ..<85: middle = middle + trial
                default:
                    if rares.isSubset(of: unlockedNames) { late = late + trial } else { middle = middle + trial }
                }
            } else {
                check(!isNew, "a new skin where there may be none")
            }
            if isNew, let skin = card.skin {
                check(mayAppear(skin.rarity, at: card.index), "a new \(skin.rarity) too early")
                if hasFirst(at: card.index, waiting.values), hasOfPalette(at: card.index) {
                    shared = shared + Trials(cards: 1, hits: skin.id.hasPrefix("palette-") ? 1 : 0)
                }
                waiting[card.index] = skin.id
            }
        }
        check(generated >= index + 11, "ten cards ahead")
    }

    mutating func swipe() {
        // Some grow weary of waiting for something new, and everybody looks away now and then.
        let isDistracted = draws.unit() < 0.01
        let weariness = isDistracted ? 20 : isPatient ? 1 : 1 + 0.15 * Double(viewer.state.rewardDrought)
        let dwell = weariness * (0.15 + 2.5 * draws.unit()), velocity = (0.3 + 3 * draws.unit()) / weariness
        let before = viewer.state
        if let end = before.pausedUntil, end - before.time > 0.1 {
            // Too early, and nothing moves.
            viewer.wait(0.05)
            viewer.act(.swipe(Swipe(.up, velocity: velocity)))
            check(viewer.held != nil && viewer.record == nil && viewer.state.index == before.index, "the feed stands still in its pause")
            helds += 1
            noteToasts()
        }
        viewer.waitForPause()
        noteToasts()
        // Some go back now and then, and some leap to a card they see ahead.
        switch draws.below(100) {
        case ..<5 where viewer.state.index > 0:
            viewer.swipe(.down, after: dwell, velocity: velocity)
            noteToasts()
        case 5..<8:
            viewer.wait(dwell)
            noteToasts()
            viewer.act(.action(Action(FeedScroll(to: viewer.state.index + 1 + draws.below(4), velocity: velocity))))
        default:
            viewer.swipe(after: dwell, velocity: velocity)
            noteToasts()
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
        let palettes = viewer.told.compactMap { $0.body as? PaletteMade }
        check(palettes.contains { $0.palette.recipe.behaviour.rare == card?.id } == (isNew && rares.contains(card?.name ?? "")),
              "a rare of the catalogue makes a palette")
        check(palettes.allSatisfy { $0.palette.recipe.behaviour.rare == card?.id || viewer.intervention != nil }, "no palette by itself")
        check(viewer.toast == nil || isNew, "a toast without a wait is for something new")
        if let skin = card, isNew, viewer.toast?.name != skin.name { toasts = (toasts + [skin.name]).suffix(3) }
        if viewer.toast != nil {
            check(record.sessionLength - lastToast >= 3 - 1e-4 && toasts.isEmpty, "toasts keep their cooldown")
            lastToast = record.sessionLength
        } else {
            check(!isNew || record.sessionLength - lastToast < 3 + 1e-4, "a toast that may appear does")
        }
        // One that a rare made may be found at once. One that is made for a gift comes after the cards that are generated now.
        var fresh: Set<String> = []
        for made in palettes {
            for skin in made.palette.skins {
                check(names.insert(skin.name).inserted, "two skins are called \(skin.name)")
                if made.palette.recipe.behaviour.rare != "gift" { locked[skin.id] = skin.rarity }
            }
        }
        lookAhead(from: record.cardIndex, without: viewer.intervention?.reward?.index)
        for made in palettes where made.palette.recipe.behaviour.rare == "gift" {
            for skin in made.palette.skins {
                locked[skin.id] = skin.rarity
                fresh.insert(skin.id)
            }
        }
        watchTone()
        watchIntervention(record, fresh: fresh)
    }

    /// Takes note of the toasts that came while nothing happened: the newest of those that wait.
    mutating func noteToasts() {
        for told in viewer.toldMeanwhile.compactMap({ $0.body as? Toast }) {
            check(told.name == toasts.popLast(), "the newest toast comes first")
            // As soon as it may.
            lastToast += 3
        }
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

    /// `fresh` are skins of a palette that was made for the gift.
    mutating func watchIntervention(_ record: ScrollRecord, fresh: Set<String>) {
        guard let decision = viewer.decision else { return check(false, "every scroll has its decision") }
        let isHigh = decision.action == .high
        let mayBe = record.blocksViewed >= 5 && record.blocksViewed > lastIntervention + cooldown && !decision.isHeldOut
        check(decision.isEligible == mayBe, "interventions keep to their cooldown, and off visits that are held out")
        check(decision.chosen == (record.pChurn >= 0.70 ? .high : record.pChurn >= 0.55 ? .moderate : .none), "the model keeps to its thresholds")
        check((viewer.intervention != nil) == (decision.action != .none), "what is decided is done")
        check(mayBe || decision.action == .none && decision.propensity == 1, "where it may not, the machine does nothing for certain")
        let propensity = 0.05 / 3 + (decision.action == decision.chosen ? 0.95 : 0)
        check(!mayBe || abs(decision.propensity - propensity) < 1e-12, "the propensity is that of what was done")
        guard let intervention = viewer.intervention else {
            return check(!viewer.cues.contains(.haptic("surprise")) && !viewer.cues.contains(.chime("ding")), "no surprise by itself")
        }
        lastIntervention = record.blocksViewed
        cooldown = isHigh ? 40 : 8
        check(intervention.explored == (decision.action != decision.chosen), "what was drawn is told as such")
        interventions += 1
        highs += isHigh ? 1 : 0
        check(intervention.strength == (isHigh ? .high : .moderate), "strength follows from what was decided")
        check(viewer.cues.contains(.haptic("surprise")), "an intervention is felt")
        check(viewer.cues.contains(.chime("ding")) == isHigh && (intervention.taunt != nil) == isHigh, "a high one dings and taunts")
        guard let reward = intervention.reward, let skin = reward.skin else { return check(false, "no gift is empty") }
        // The next three that have not been seen and carry nothing new, or else the next three that have not been seen.
        let unseen = (max(10, record.cardIndex + 2)..<generated).filter { seen[$0] == nil }
        let free = unseen.filter { waiting[$0] == nil }
        let cards = (free.isEmpty ? unseen : free).prefix(3)
        check(cards.contains(reward.index), "the reward is near, and on no card that was seen")
        check(locked[skin.id] != nil && mayAppear(skin.rarity, at: reward.index), "the reward is locked, and may be found")
        func isLeft(_ isWanted: (Rarity) -> Bool) -> Bool {
            cards.contains { card in
                locked.contains { id, rarity in
                    isWanted(rarity) && mayAppear(rarity, at: card) && !waiting.values.contains(id) && !isCrowdedOut(id, at: card, waiting.values)
                        && !fresh.contains(id)
                }
            }
        }
        check(skin.rarity != .common || fresh.contains(skin.id) || !isLeft { $0 != .common }, "the reward is rare or special where there is one")
        check(fresh.isEmpty || !isLeft { _ in true }, "a palette is made where nothing is left")
        check(fresh.isEmpty || fresh.contains(skin.id), "and one of its skins is thrown in")
        let specialMayBe = cards.contains { mayAppear(.special, at: $0) }
        check(fresh.isEmpty || (skin.rarity == .special) == specialMayBe, "its special where one may be found")
        gifts = gifts + Trials(cards: 1, hits: fresh.isEmpty ? 0 : 1)
        waiting[reward.index] = skin.id
    }
}

@Suite struct VisitorsTests {
    /// The visitors in each of the eight parts. `THRUMDEV_VISITORS=1250` makes ten thousand in all.
    private static let visitors = ProcessInfo.processInfo.environment["THRUMDEV_VISITORS"].flatMap { Int($0) } ?? 250

    /// Each visitor has another seed. A long visit in twenty is long enough for specials.
    @Test(arguments: 0..<8) func `the piece keeps its rules with every visitor`(part: Int) {
        var early = Trials(), middle = Trials(), late = Trials(), gifts = Trials(), shared = Trials()
        var interventions = 0, highs = 0, specials = 0, helds = 0
        for visitor in part * Self.visitors..<(part + 1) * Self.visitors {
            var watched = Watched(seed: UInt64(visitor))
            for _ in 0..<(visitor % 20 == 0 ? 600 : 60) { watched.swipe() }
            #expect(watched.faults.isEmpty, "visitor \(visitor): \(watched.faults.prefix(3))")
            early = early + watched.early
            middle = middle + watched.middle
            late = late + watched.late
            shared = shared + watched.shared
            interventions += watched.interventions
            highs += watched.highs
            specials += watched.specials
            helds += watched.helds
            gifts = gifts + watched.gifts
        }
        #expect(abs(early.deviation(from: 0.20)) < 3, "\(early)")
        #expect(abs(middle.deviation(from: 0.12)) < 3, "\(middle)")
        #expect(abs(late.deviation(from: 0.08)) < 3, "\(late)")
        #expect(abs(shared.deviation(from: 1.0 / 3)) < 3 && shared.cards > Self.visitors / 5, "\(shared): a third are a palette's")
        print("gifts \(gifts.cards), none empty, \(gifts.hits) of a palette made for them; \(helds) swipes held in pauses")
        #expect(helds > Self.visitors && gifts.cards == interventions)
        #expect(interventions > 100 && highs > 0 && specials > Self.visitors / 25, "\(interventions), \(highs), \(specials): everything was seen")
    }
}

@testable import ColorScroller
import Direct
import Experience
import Fields
import Foundation
import Signals
import Testing
import Units

@Suite struct ColorScrollerTests {
    private var viewer = Viewer(seed: 3)

    @Test mutating func `a swipe is felt, moves one card on, and is told`() throws {
        viewer.swipe(after: 2, velocity: 1.5)
        #expect(viewer.cues.first == .haptic("swipe"))
        let record = try #require(viewer.record)
        #expect(record == ScrollRecord(
            timestamp: 1_767_225_602, cardIndex: 1, blocksViewed: 1, uniqueBlocksSeen: 1, unlockCount: 0, rewardDrought: 1, velocity: 1.5,
            velocityTrend: 0, sessionLength: 2, activeScrollSeconds: 2, timeOfDayBucket: 0, rarityShown: nil, pChurn: record.pChurn))
        #expect((0...1).contains(record.pChurn))
    }

    @Test mutating func `a card is told with all that it takes to draw it, under the names of the feed's state`() throws {
        for _ in 0..<40 {
            let before = viewer.state
            viewer.swipe()
            guard let scroll = viewer.scroll else { continue }
            let (after, cards) = (viewer.state, viewer.scroller.cards(0..<Int.max))
            #expect(scroll.card == cards[after.index] && scroll.card.index == scroll.cardIndex)
            // An intervention may put its gift on one of them, and tells that after it.
            if viewer.intervention == nil { #expect(scroll.cards == Array(cards[before.generated...])) }
            #expect(scroll.state.index == after.index && scroll.state.generated == after.generated && scroll.state.time == after.time)
            #expect(scroll.state.totalSwipes == after.totalSwipes && scroll.state.toneFrequency == after.toneFrequency)
            #expect(scroll.state.blocksViewed == scroll.blocksViewed && scroll.state.unlockCount == scroll.unlockCount)
        }
        let text = String(decoding: try JSONEncoder().encode(try #require(viewer.scroll)), as: UTF8.self)
        for field in ["card", "cards", "cardIndex", "index", "generated", "rank", "totalSwipes", "time", "velocity", "pChurn"] {
            #expect(text.contains("\"\(field)\":"), "\(field)")
        }
    }

    @Test mutating func `a finger is heard and felt as ever`() {
        #expect(viewer.act(.touch(Touch(.began))) == [.haptic("touch-down"), .toneGate(open: true)])
        #expect(viewer.run.hands.isHeld && viewer.run.hands.isHeld(by: .connection(1)))
        #expect(viewer.act(.touch(Touch(.ended))) == [.haptic("touch-up"), .toneGate(open: false)])
        #expect(viewer.act(.left) == [])
    }

    @Test mutating func `views, cards and swipes are counted apart`() {
        for direction in [Swipe.Direction.up, .up, .down, .up, .down, .down] { viewer.swipe(direction) }
        #expect(viewer.state.index == 0)
        #expect(viewer.state.blocksViewed == 6 && viewer.state.uniqueBlocksSeen == 3 && viewer.state.totalSwipes == 6)
        // There is nothing above the first card.
        #expect(viewer.swipe(.down) == [.haptic("swipe")])
        #expect(viewer.state.blocksViewed == 6 && viewer.state.totalSwipes == 7)
    }

    @Test mutating func `a front end that scrolls by itself says which card it shows`() {
        viewer.act(.action(Action(FeedScroll(to: 4))))
        #expect(viewer.told.map(\.topic) == ["scroll", "counters"])
        #expect(viewer.state.index == 4 && viewer.state.blocksViewed == 1 && viewer.state.uniqueBlocksSeen == 1)
        #expect(viewer.act(.action(Action(FeedScroll(to: 4)))) == [], "it is shown already")
        #expect(!viewer.cues.contains(.haptic("swipe")))
    }

    @Test mutating func `a card there is none of yet is refused with the cards there are`() {
        let fault = viewer.refusal(of: .action(Action(FeedScroll(to: 13))))
        #expect(fault == Fault(field: "index", expected: "a whole number from 0 to 12, the cards there are so far", found: "13"))
        #expect(viewer.refusal(of: .action(Action(FeedScroll(to: 12)))) == nil)
        #expect(viewer.refusal(of: .action(Action(FeedUpdate(blocksViewed: 1))))
            == Fault(field: "method", expected: "only feed.scroll, feed.reset of the pieces' own, because the experience is colorscroller",
                     found: "feed.update"))
    }

    @Test mutating func `a card stays as it was generated`() {
        var seen: [Card] = []
        for _ in 0..<300 {
            viewer.swipe(after: 0.4)
            let cards = viewer.scroller.cards(0..<Int.max)
            #expect(cards.count == viewer.state.index + 13 && cards.map(\.index) == Array(0..<cards.count))
            if let reward = viewer.intervention?.reward, reward.index < seen.count { seen[reward.index] = reward }
            #expect(Array(cards.prefix(seen.count)) == seen)
            seen = cards
        }
        #expect(seen[0].face == .leaderboard)
    }

    @Test mutating func `an unlock pauses the feed for 0.8 s, and the state says until when`() throws {
        while viewer.unlock == nil { viewer.swipe() }
        let until = try #require(viewer.unlock).pausedUntil
        #expect(abs(until - viewer.state.time - 0.8) < 1e-9)
        #expect(viewer.state.pausedUntil == until && viewer.unlock?.pausedFor == 0.8 && viewer.state.pausedFor == 0.8)
        viewer.wait(0.79)
        #expect(viewer.state.pausedUntil == until && viewer.state.pausedFor == 0.01)
        viewer.wait(0.02)
        #expect(viewer.state.pausedUntil == nil)
    }

    @Test mutating func `in the pause a swipe is felt as a touch and moves nothing, and whoever asked and whoever draws is told`() throws {
        while viewer.unlock == nil { viewer.swipe() }
        let before = viewer.state
        viewer.wait(0.3)
        #expect(viewer.act(.swipe(Swipe(.up))) == [.haptic("touch-down")])
        #expect(viewer.held == Held(index: before.index, pausedUntil: try #require(before.pausedUntil), at: viewer.state.time))
        #expect(viewer.held?.pausedFor == 0.5)
        #expect(viewer.effects.result == .object(["held": .flag(true), "index": .integer(Int64(before.index)),
                                                  "pausedUntil": .number(try #require(before.pausedUntil)), "pausedFor": .number(0.5)]))
        #expect(viewer.record == nil && viewer.counters?.totalSwipes == before.totalSwipes + 1)
        #expect(viewer.act(.action(Action(FeedScroll(to: before.index + 2)))) == [] && viewer.held != nil && viewer.effects.result != nil)
        #expect(viewer.act(.touch(Touch(.began))) == [.haptic("touch-down"), .toneGate(open: true)], "a finger is a finger")
        #expect(viewer.state.index == before.index && viewer.state.blocksViewed == before.blocksViewed)
        viewer.wait(0.499)
        #expect(viewer.act(.swipe(Swipe(.up))) == [.haptic("touch-down")], "799 ms after the unlock")
        viewer.wait(0.001)
        viewer.act(.swipe(Swipe(.up)))
        #expect(viewer.state.index == before.index + 1 && viewer.held == nil && viewer.effects.result == nil)
    }

    @Test func `moments are told by the machine's clock, too, where there is one`() {
        let told = Announcement(Held(index: 4, pausedUntil: 12.5, at: 12)).clocked { 1_000 + Int64($0 * 1e9) }
        #expect((told.body as? Held)?.pausedUntilMonotonic == 12_500_001_000)
        #expect(viewer.state.clocked { _ in 7 }.pausedUntilMonotonic == nil, "no pause has no end")
        let toast = Announcement(Toast(rarity: .rare, name: "Lava"))
        #expect(toast.clocked { _ in 7 } == toast)
    }

    @Test mutating func `an operator's reset begins the feed anew, and remembers the visit so far`() throws {
        while viewer.state.unlockCount < 4 { viewer.swipe() }
        let before = viewer.state, cards = viewer.scroller.cards(0..<13)
        viewer.act(.action(Action(FeedMove.reset)))
        #expect(viewer.told.map(\.topic) == ["reset", "leaderboard", "counters"])
        #expect(viewer.cues == [.tonePitch(Hertz(240), glide: .milliseconds(50)), .toneLevel(Decibels(-60))])
        let after = viewer.state
        #expect(after.index == 0 && after.blocksViewed == 0 && after.unlockCount == 0 && after.totalSwipes == 0 && after.pausedUntil == nil)
        #expect(after.time == before.time && viewer.scroller.cards(0..<13) != cards)
        #expect(viewer.scroller.leaderboard(at: viewer.time).lastSession?.cards == before.blocksViewed)
        viewer.swipe(after: 1)
        #expect(viewer.record?.activeScrollSeconds == 1 && viewer.state.index == 1, "the pace is as new, too")
        #expect(ColorScroller.declaration.action("feed.reset")?.isForOperators == true)
        #expect(ColorScroller.declaration.action("feed.reset")?.beginsVisit == false)
    }

    @Test mutating func `counters are told whenever they have changed`() {
        #expect(viewer.counters?.blocksViewed == 0 && viewer.counters?.rank == 11, "at first")
        for _ in 0..<120 {
            viewer.swipe(after: 0.5)
            let state = viewer.state
            #expect(viewer.counters == Counters(
                blocksViewed: state.blocksViewed, uniqueBlocksSeen: state.uniqueBlocksSeen, totalSwipes: state.totalSwipes,
                unlockCount: state.unlockCount, rewardDrought: state.rewardDrought, interventions: state.interventions, palettes: state.palettes,
                rank: state.rank, pChurn: state.pChurn, toneLevel: state.toneLevel))
        }
    }

    @Test mutating func `what is seen again is no unlock, and counted in the inventory`() throws {
        while viewer.unlock == nil { viewer.swipe() }
        let skin = try #require(viewer.unlock).skin
        #expect(viewer.scroller.inventory.entries == [Inventory.Entry(skin: skin, timesSeen: 1)])
        viewer.swipe(.down)
        viewer.swipe()
        #expect(viewer.unlock == nil)
        #expect(viewer.scroller.inventory[.common] == [Inventory.Entry(skin: skin, timesSeen: 2)])
        #expect(viewer.scroller.inventory[.rare].isEmpty)
    }

    @Test mutating func `pitch and level are at their ends after about 500 cards`() {
        var capped: Int?
        for view in 1...600 {
            viewer.swipe(after: 0.3)
            if capped == nil, viewer.state.toneFrequency == 5000 { capped = view }
            if view == 499 { #expect(viewer.state.toneLevel < -6) }
        }
        #expect(viewer.state.toneLevel == -6)
        #expect((400...600).contains(capped ?? 0), "\(String(describing: capped))")
    }

    @Test func `a feed swiped by ourselves at a reported speed, or at that of its cards`() {
        var viewer = Viewer(seed: 3)
        viewer.swipe(after: 0.5)
        #expect(viewer.record?.velocity == 2)
        viewer.swipe(after: 0.5, velocity: 7)
        #expect(viewer.record?.velocity == 7)
        #expect(viewer.record?.velocityTrend == 5)
    }

    @Test func `a first scroll by the event that begins the session says nothing of how fast`() {
        var viewer = Viewer(seed: 3)
        viewer.swipe(after: 0)
        #expect(viewer.record?.velocity == 0 && viewer.record?.velocityTrend == 0)
        viewer.swipe(after: 0.5)
        #expect(viewer.record?.velocity == 2 && viewer.record?.velocityTrend == 0)
    }

    @Test mutating func `a card is told of before what it sets off`() {
        while viewer.palette == nil { viewer.swipe(after: 4) }
        #expect(viewer.told.map(\.topic).prefix(4) == ["scroll", "unlock", "toast", "palette"])
    }

    @Test mutating func `its state can be written down at any moment, is small, and goes on the same`() throws {
        for card in 1...400 {
            viewer.swipe(after: 0.2 + Double(card % 7) * 0.3)
            guard card % 50 == 0 else { continue }
            let bytes = try Coded.bytes(viewer.scroller.state)
            #expect(bytes.count < 16_384, "\(bytes.count) bytes after \(card) cards")
            var other = ColorScroller(rate: .standard, state: try Coded.read(ColorScroller.State.self, bytes))
            var here = viewer.scroller
            #expect(other.state == here.state)
            for second in 1...20 {
                let now = viewer.run.now(at: viewer.time + SampleRate.standard.frames(in: Seconds(Double(second))))
                let (there, same) = (other.reduce(.swipe(Swipe()), at: now), here.reduce(.swipe(Swipe()), at: now))
                #expect(there.cues == same.cues && there.announcements == same.announcements)
            }
        }
    }
}

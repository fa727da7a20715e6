import Evdev
import Signals
import Testing
import Wire

@testable import Live

@Suite struct TouchOwnershipTests {
    private var ownership = TouchOwnership()
    private let screen = Devices.Report.Screen(number: 3, name: "Front", node: "/dev/input/event3", turn: .right, width: 1_080, height: 1_920)
    private let began = EventKind.touch(Touch(.began, x: 0.5, y: 0.5))

    @Test mutating func `the engine owns touches while it reads a screen and a page draws from that, and else the page`() {
        #expect(ownership.owner == .anyone && !ownership.wantsScreens)
        ownership.introduced(1, .engine, as: .visitor, isLocal: true)
        #expect(ownership.owner == .page && ownership.wantsScreens, "there is no touchscreen")
        ownership.follow([screen])
        #expect(ownership.owner == .engine)
        #expect(ownership.report(for: 1) == TouchOwnerReport(owner: .engine, screens: [
            TouchOwnerReport.Screen(client: -3, name: "Front", rotate: 90, width: 1_080, height: 1_920),
        ]))
        // Pulled, and put back: another screen to us.
        ownership.follow([])
        #expect(ownership.owner == .page)
        var again = screen
        again.number = 4
        ownership.follow([again])
        #expect(ownership.owner == .engine && ownership.report(for: 1)?.screens.map(\.client) == [-4])
        ownership.disconnected(1)
        #expect(ownership.owner == .anyone && !ownership.wantsScreens, "nobody draws from it any more")
    }

    @Test mutating func `a screen that another program has grabbed owns nothing`() {
        ownership.introduced(1, .engine, as: .visitor, isLocal: true)
        var deaf = screen
        deaf.isDeaf = true
        ownership.follow([deaf])
        #expect(ownership.owner == .page && ownership.report(for: 1)?.screens == [])
    }

    @Test mutating func `a page's own touches are refused while the engine owns them, letting go never, and nobody else's`() throws {
        ownership.introduced(1, .engine, as: .visitor, isLocal: true)
        ownership.introduced(2, .page, as: .visitor, isLocal: true)
        ownership.follow([screen])
        for kind in [began, .touch(Touch(.moved)), .tap(Tap()), .swipe(Swipe())] {
            let fault = try #require(ownership.refusal(of: kind, from: 1))
            #expect(fault.field == "method" && fault.expected.hasPrefix("none of tap, touch and swipe") && fault.found == "\"\(kind.name)\"")
            #expect(ownership.refusal(of: kind, from: 2) == nil, "it has fingers of its own")
            #expect(ownership.refusal(of: kind, from: 3) == nil, "it is no page")
        }
        #expect(ownership.refusal(of: .touch(Touch(.ended)), from: 1) == nil)
        #expect(ownership.refusal(of: .stop, from: 1) == nil && ownership.refusal(of: .start, from: 1) == nil)
        ownership.follow([])
        #expect(ownership.refusal(of: began, from: 1) == nil, "the touchscreen is gone")
    }

    @Test mutating func `a visitor from another machine has fingers of its own, whatever it says, and an operator's page may be anywhere`() {
        ownership.introduced(1, .engine, as: .visitor, isLocal: false)
        ownership.follow([screen])
        #expect(!ownership.wantsScreens && ownership.owner == .anyone && ownership.seesGestures(of: 1))
        #expect(ownership.report(for: 1)?.owner == .page && ownership.refusal(of: began, from: 1) == nil)
        #expect(ownership.refusalOfClaim(from: 1) != nil)
        ownership.introduced(2, .engine, as: .operator, isLocal: false)
        #expect(ownership.owner == .engine && ownership.report(for: 1)?.owner == .page, "the phone keeps its own")
    }

    @Test mutating func `who may only watch owns no touches, and a later word replaces the one before`() {
        ownership.introduced(1, .engine, as: .watch, isLocal: true)
        #expect(ownership.owner == .anyone && ownership.report(for: 1) == nil && !ownership.seesGestures(of: 1))
        ownership.introduced(2, .engine, as: .operator, isLocal: true)
        #expect(ownership.owner == .page && ownership.seesGestures(of: 2))
        ownership.introduced(2, nil, as: .operator, isLocal: true)
        #expect(ownership.owner == .anyone && !ownership.seesGestures(of: 2))
    }

    @Test mutating func `a change is told once`() {
        #expect(ownership.takeChange() == nil, "nothing is as it was")
        ownership.introduced(1, .engine, as: .visitor, isLocal: true)
        #expect(ownership.takeChange()?.owner == .page)
        #expect(ownership.takeChange() == nil)
        ownership.follow([screen])
        #expect(ownership.takeChange()?.owner == .engine)
        ownership.disconnected(1)
        #expect(ownership.takeChange()?.owner == .anyone)
    }
}

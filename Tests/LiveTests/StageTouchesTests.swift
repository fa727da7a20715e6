import CLinux
import ColorScroller
import Evdev
import Signals
import Testing

@testable import Live

/// Whose touches count, through the stage: from what clients ask to what the conductor is told.
@Suite struct StageTouchesTests {
    private let rig: StageRig
    private let screen = Devices.Report.Screen(number: 1, name: "Front", node: "/dev/input/event0")

    init() throws { rig = try StageRig(ColorScroller.self) }

    @Test func `a page that fills the screen is told who owns touches, is refused while the engine does, and hears of every change`() async throws {
        let told = try await rig.connect(1)
        await rig.stage.follow([screen])
        let answer = try await rig.ask(1, "hello", #"{"touches":"engine"}"#)
        #expect(answer?.contains(#""touches":{"owner":"engine","screens":[{"client":-1,"height":1,"name":"Front","rotate":0,"width":1}]}"#) == true)
        _ = try await rig.ask(1, "subscribe", #"{"topics":["touches","touch.owner"]}"#)
        let refused = try await rig.ask(1, "touch", #"{"phase":"began","x":0.5,"y":0.5}"#)
        #expect(refused?.contains(#""field":"method","found":"\"touch\"""#) == true && refused?.contains("because the engine reads") == true)
        #expect(await !rig.stage.hasVisit, "it had no effect")
        // The screen is pulled out, and put back.
        await rig.stage.follow([])
        #expect(try await rig.ask(1, "touch", #"{"phase":"began","x":0.5,"y":0.5}"#) == nil, "it waits for the sound")
        #expect(await rig.stage.hasVisit)
        await rig.stage.follow([screen])
        #expect(told.all.map { $0.contains(#""owner":"page","screens":[]"#) } == [true, false])
        #expect(told.all.last?.contains(#""method":"touch.owner""#) == true && told.all.last?.contains(#""owner":"engine""#) == true)
        // What it still held it may let go.
        let ended = try await rig.ask(1, "touch", #"{"phase":"ended","x":0.5,"y":0.5}"#)
        #expect(ended?.contains("error") != true)
        #expect(await rig.stage.touchOwner == .engine)
        try await rig.disconnect(1)
        #expect(await rig.stage.touchOwner == .anyone)
        try await rig.stop()
    }

    @Test func `a page that goes lets go of its own fingers, and not of the screen's`() async throws {
        _ = try await rig.connect(1)
        _ = try await rig.ask(1, "hello", #"{"touches":"engine"}"#)
        await rig.stage.follow([screen])
        await rig.stage.touched(TouchReport(screen: 1, moment: monotonicNanoseconds(), touches: [Touch(.began, x: 0.5, y: 0.5)]))
        try await rig.disconnect(1)
        #expect(await rig.stage.fingers == 1)
        try await rig.stop()
    }

    @Test func `fingers on our screen are told as they come, to a visitor's page, too`() async throws {
        let told = try await rig.connect(1)
        _ = try await rig.ask(1, "subscribe", #"{"topics":["touches"]}"#)
        let moment = monotonicNanoseconds()
        await rig.stage.touched(TouchReport(screen: 1, moment: moment, touches: [Touch(.began, finger: 2, x: 0.25, y: 0.75)]))
        #expect(told.all == [#"{"jsonrpc":"2.0","method":"touches","params":{"number":1,"at":\#(moment),"client":-1,"#
            + #""contacts":[{"id":2,"phase":"began","x":0.25,"y":0.75}]}}"#])
        try await rig.stop()
    }

    /// A flick of 100 ms, in samples of 10 ms, by either way.
    @Test func `a flick that a page reports leads to the same as one on our screen`() async throws {
        let rigs = [rig, try StageRig(ColorScroller.self)]
        var told: [[String]] = []
        for (index, rig) in rigs.enumerated() {
            let lines = try await rig.connect(1)
            _ = try await rig.ask(1, "hello", #"{"touches":"engine"}"#)
            _ = try await rig.ask(1, "subscribe", #"{"topics":["scroll","session"]}"#)
            if index == 0 { await rig.stage.follow([screen]) }
            let start = monotonicNanoseconds() - 200_000_000
            for step in 0...10 {
                let (moment, y) = (start + Int64(step) * 10_000_000, 0.8 - 0.03 * Double(step))
                let phase: Touch.Phase = step == 0 ? .began : step == 10 ? .ended : .moved
                if index == 0 {
                    await rig.stage.touched(TouchReport(screen: 1, moment: moment, touches: [Touch(phase, x: 0.5, y: y)]))
                } else {
                    _ = try await rig.ask(1, "touch", #"{"phase":"\#(phase.rawValue)","x":0.5,"y":\#(y),"at":\#(moment)}"#)
                }
            }
            // Cards, the tone's steps and whether the visit is held out are those of another seed.
            told.append(lines.all.map {
                $0.replacing(/"(timestamp|time|sessionLength|activeScrollSeconds|toneFrequency)":[0-9.]+/, with: "")
                    .replacing(/"isHeldOut":(true|false)/, with: "").replacing(/"card":.*?"cardIndex"/, with: "")
                    .replacing(/"cards":.*?"generated"/, with: "")
            })
            // Down, up, the swipe, and a move every 16 ms at most: at 20, 40, 60 and 80.
            #expect(await rig.stage.events == 3 + 4 + rig.stage.eventsBefore)
            try await rig.stop()
        }
        #expect(told[0] == told[1] && told[0].count == 2, "\(told)")
        #expect(told[0].last?.contains(#""velocity":2.99999"#) == true, "0.3 heights in 0.1 s, but for rounding: \(told[0])")
    }

    @Test func `a finger that the page keeps for itself makes no swipe, and no other client may keep one`() async throws {
        _ = try await rig.connect(1)
        _ = try await rig.connect(2)
        _ = try await rig.ask(1, "hello", #"{"touches":"engine"}"#)
        let early = try await rig.ask(1, "finger.claim", #"{"client":-1,"id":0}"#)
        #expect(early?.contains("no finger.claim") == true, "there is no touchscreen")
        await rig.stage.follow([screen])
        #expect(try await rig.ask(2, "finger.claim", #"{"client":-1,"id":0}"#)?.contains("error") == true)
        let start = monotonicNanoseconds() - 200_000_000
        for step in 0...10 {
            let phase: Touch.Phase = step == 0 ? .began : step == 10 ? .ended : .moved
            await rig.stage.touched(TouchReport(screen: 1, moment: start + Int64(step) * 10_000_000,
                                                touches: [Touch(phase, x: 0.5, y: 0.8 - 0.03 * Double(step))]))
            if step == 1 { #expect(try await rig.ask(1, "finger.claim", #"{"client":-1,"id":0}"#)?.contains("error") == false) }
        }
        // Down, up, and four moves.
        #expect(await rig.stage.events == 2 + 4 + rig.stage.eventsBefore)
        try await rig.stop()
    }

    @Test func `another client's gestures take none from our screen while we own touches`() async throws {
        _ = try await rig.connect(1)
        _ = try await rig.connect(2)
        _ = try await rig.ask(1, "hello", #"{"touches":"engine"}"#)
        _ = try await rig.ask(2, "hello", #"{"gestures":true}"#)
        await rig.stage.follow([screen])
        let start = monotonicNanoseconds() - 200_000_000
        for step in 0...10 {
            let phase: Touch.Phase = step == 0 ? .began : step == 10 ? .ended : .moved
            await rig.stage.touched(TouchReport(screen: 1, moment: start + Int64(step) * 10_000_000,
                                                touches: [Touch(phase, x: 0.5, y: 0.8 - 0.03 * Double(step))]))
        }
        // Down, up, the swipe, and four moves.
        #expect(await rig.stage.events == 3 + 4 + rig.stage.eventsBefore)
        try await rig.stop()
    }

    @Test func `a visitor's page on another machine is told that its fingers are its own, and hears no other owner`() async throws {
        let told = try await rig.connect(1)
        let distant = try await rig.connect(2, isLocal: false)
        for client in [1, 2] { _ = try await rig.ask(client, "subscribe", #"{"topics":["touch.owner"]}"#) }
        #expect(try await rig.ask(2, "hello", #"{"touches":"engine"}"#)?.contains(#""touches":{"owner":"page""#) == true)
        await rig.stage.follow([screen])
        _ = try await rig.ask(1, "hello", #"{"touches":"engine"}"#)
        #expect(told.all.last?.contains(#""owner":"engine""#) == true)
        #expect(!distant.all.isEmpty && distant.all.allSatisfy { $0.contains(#""owner":"page""#) }, "\(distant.all)")
        try await rig.stop()
    }

    @Test func `gestures of its own and touches that the engine looks at exclude each other`() async throws {
        _ = try await rig.connect(1)
        await #expect(throws: (any Error).self) { try await rig.ask(1, "hello", #"{"gestures":true,"touches":"page"}"#) }
        try await rig.stop()
    }
}

extension Stage {
    fileprivate var hasVisit: Bool { conductor.visit != nil }
    fileprivate var fingers: Int { conductor.fingers }
    fileprivate var touchOwner: TouchOwner { conductor.touchOwner }
    fileprivate var events: Int { conductor.run?.events ?? 0 }
    /// Whose touches count, and the arrival.
    fileprivate var eventsBefore: Int { 2 }
}

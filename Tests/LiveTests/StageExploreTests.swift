import CLinux
import ColorScroller
import Evdev
import Signals
import Testing
import Wire

@testable import Live

/// Exploring by touch, through the stage: from what fingers do to what is heard, felt and told.
@Suite struct StageExploreTests {
    private let rig: StageRig
    private let screen = Devices.Report.Screen(number: 1, name: "Front", node: "/dev/input/event0")
    private let regions = #"{"regions":[{"id":"next","label":"Next card","role":"button","x":0,"y":0,"width":0.5,"height":1}]}"#

    init() throws { rig = try StageRig(ColorScroller.self) }

    /// Connects a page that draws from the engine's touches, and tells its regions.
    private func page(_ client: Int, touches: String = "engine") async throws -> Lines {
        let told = try await rig.connect(client)
        await rig.stage.follow([screen])
        _ = try await rig.ask(client, "hello", #"{"touches":"\#(touches)"}"#)
        _ = try await rig.ask(client, "subscribe", #"{"topics":["explore.mode","explore.at","explore.activate","cue","scroll"]}"#)
        #expect(try await rig.ask(client, "explore.regions", regions)?.contains(#""result":{"on":false}"#) == true)
        return told
    }

    private func touch(_ phase: Touch.Phase, _ x: Double, finger: Int = 0, at moment: Int64) async {
        await rig.stage.touched(TouchReport(screen: 1, moment: moment, touches: [Touch(phase, finger: finger, x: x, y: 0.5)]))
    }

    /// What was told, as topic and what follows the number.
    private func words(_ lines: Lines) -> [String] {
        lines.all.map { $0.replacing(#"{"jsonrpc":"2.0","method":"#, with: "").replacing(/,"params":{"number":[0-9]+,?/, with: " ") }
    }

    @Test func `a finger that comes upon a region is heard and felt, and the page is told; a second tap acts`() async throws {
        let told = try await page(1)
        #expect(try await rig.ask(1, "explore.set", #"{"on":true}"#)?.contains(#""result":{}"#) == true)
        #expect(await rig.stage.hasVisit, "somebody is there")
        let before = told.all.count
        let start = monotonicNanoseconds()
        await touch(.began, 0.9, at: start)
        await touch(.moved, 0.2, at: start + 1_000_000)
        await touch(.ended, 0.2, at: start + 2_000_000)
        await touch(.began, 0.9, at: start + 3_000_000)
        await touch(.ended, 0.9, at: start + 4_000_000)
        #expect(Array(words(told).dropFirst(before)) == [
            #""cue" "cue":"chime","name":"explore-blank"}}"#, #""explore.at" }}"#,
            #""cue" "cue":"haptic","name":"explore-edge"}}"#, #""cue" "cue":"chime","name":"explore-button"}}"#,
            #""explore.at" "id":"next","label":"Next card","role":"button"}}"#, #""explore.activate" "id":"next"}}"#,
        ])
        #expect(await rig.stage.fingers == 0, "the piece hears of none")
        try await rig.stop()
    }

    @Test func `two fingers that are held for two seconds switch it on, and the piece loses them; the same ends it`() async throws {
        let told = try await page(1)
        let start = monotonicNanoseconds()
        for finger in [0, 1] { await touch(.began, 0.9, finger: finger, at: start - 2_100_000_000) }
        #expect(await rig.stage.fingers == 2)
        await rig.stage.tend()
        #expect(await rig.stage.fingers == 0)
        #expect(words(told).suffix(2) == [#""cue" "cue":"chime","name":"explore-on"}}"#, #""explore.mode" "on":true}}"#])
        for finger in [0, 1] { await touch(.ended, 0.9, finger: finger, at: start) }
        for finger in [0, 1] { await touch(.began, 0.9, finger: finger, at: start - 2_100_000_000) }
        await rig.stage.tend()
        #expect(words(told).suffix(2) == [#""cue" "cue":"chime","name":"explore-off"}}"#, #""explore.mode" "on":false}}"#])
        await touch(.moved, 0.1, at: start)
        await touch(.ended, 0.1, at: start)
        await touch(.began, 0.1, at: start)
        #expect(await rig.stage.fingers == 1, "a finger that comes anew is the piece's")
        try await rig.stop()
    }

    @Test func `a swipe moves no card meanwhile, on the screen and on a page with fingers of its own`() async throws {
        let told = try await page(1, touches: "page")
        _ = try await rig.ask(1, "explore.set", #"{"on":true}"#)
        let start = monotonicNanoseconds() - 200_000_000
        for step in 0...10 {
            let phase: Touch.Phase = step == 0 ? .began : step == 10 ? .ended : .moved
            let (moment, y) = (start + Int64(step) * 10_000_000, 0.8 - 0.03 * Double(step))
            let answer = try await rig.ask(1, "touch", #"{"phase":"\#(phase.rawValue)","x":0.2,"y":\#(y),"at":\#(moment)}"#)
            #expect(answer?.contains("error") == false, "it is answered at once: it is no event")
        }
        _ = try await rig.ask(1, "swipe", #"{"direction":"up","velocity":3}"#)
        #expect(!words(told).contains { $0.hasPrefix(#""scroll""#) } && words(told).contains { $0.contains("explore-button") })
        _ = try await rig.ask(1, "explore.set", #"{"on":false}"#)
        _ = try await rig.ask(1, "swipe", #"{"direction":"up","velocity":3}"#)
        #expect(words(told).contains { $0.hasPrefix(#""scroll""#) })
        try await rig.stop()
    }

    @Test func `it ends with the visit, and regions go with their page`() async throws {
        let told = try await page(1)
        _ = try await rig.ask(1, "explore.set", #"{"on":true}"#)
        _ = try await rig.ask(1, "session.end", "{}")
        #expect(words(told).last == #""explore.mode" "on":false}}"#)
        try await rig.disconnect(1)
        let other = try await rig.connect(2)
        _ = try await rig.ask(2, "subscribe", #"{"topics":["explore.at","cue"]}"#)
        _ = try await rig.ask(2, "explore.set", #"{"on":true}"#)
        await touch(.began, 0.2, at: monotonicNanoseconds())
        #expect(words(other).last == #""cue" "cue":"chime","name":"explore-on"}}"#, "nothing is found")
        try await rig.stop()
    }

    @Test func `only pages that have told regions are told that it is on: a page elsewhere goes on as before`() async throws {
        let told = try await page(1)
        let elsewhere = try await rig.connect(2, isLocal: false)
        _ = try await rig.ask(2, "subscribe", #"{"topics":["explore.mode"]}"#)
        #expect(reason(try await rig.ask(2, "explore.regions", #"{"regions":[]}"#)) == "not-allowed")
        _ = try await rig.ask(1, "explore.set", #"{"on":true}"#)
        #expect(words(told).last == #""explore.mode" "on":true}}"# && elsewhere.all.isEmpty)
        try await rig.stop()
    }

    @Test func `who explores is at it, also where nothing is found: no other visitor ends the session`() async throws {
        _ = try await page(1, touches: "page")
        _ = try await rig.connect(2)
        _ = try await rig.ask(2, "explore.set", #"{"on":true}"#)
        // A finger without a place finds nothing, and so nothing is heard of it.
        _ = try await rig.ask(1, "touch", #"{"phase":"began"}"#)
        #expect(reason(try await rig.ask(2, "session.end", "{}")) == "not-yet")
        try await rig.stop()
    }

    @Test func `only the page is told a label, who may watch are told the rest, and no visitor from elsewhere switches`() async throws {
        let told = try await page(1)
        let (visitor, watcher) = (try await rig.connect(2), try await rig.connect(3, as: .watch))
        for client in [2, 3] { _ = try await rig.ask(client, "subscribe", #"{"topics":["explore.at"]}"#) }
        _ = try await rig.connect(4, isLocal: false)
        #expect(reason(try await rig.ask(4, "explore.set", #"{"on":true}"#)) == "not-allowed")
        #expect(reason(try await rig.ask(4, "explore.regions", regions)) == "not-allowed")
        _ = try await rig.ask(1, "explore.set", #"{"on":true}"#)
        await touch(.began, 0.2, at: monotonicNanoseconds())
        #expect(visitor.all.isEmpty && words(watcher) == [#""explore.at" "id":"next","role":"button"}}"#])
        #expect(words(told).last == #""explore.at" "id":"next","label":"Next card","role":"button"}}"#)
        try await rig.stop()
    }
}

extension Stage {
    fileprivate var hasVisit: Bool { conductor.visit != nil }
    fileprivate var fingers: Int { conductor.fingers }
    fileprivate func tend() { desks.explore.tend(on: self) }
}

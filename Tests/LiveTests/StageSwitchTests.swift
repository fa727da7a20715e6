import CLinux
import ColorScroller
import Evdev
import Signals
import Testing
import Wire

@testable import Live

/// Switches, jacks and sensors, through the stage: from what is pressed, put in or noticed to what is heard and told.
@Suite struct StageSwitchTests {
    private let rig: StageRig
    private let regions = """
        {"regions":[{"id":"title","label":"The feed","role":"heading","x":0,"y":0,"width":1,"height":0.1},\
        {"id":"next","label":"Next card","role":"button","x":0,"y":0.1,"width":0.5,"height":0.9},\
        {"id":"skins","label":"Skins","role":"button","x":0.5,"y":0.1,"width":0.5,"height":0.9}]}
        """

    init() throws { rig = try StageRig(ColorScroller.self) }

    /// Connects a page that has fingers of its own, and tells its regions.
    private func page(_ client: Int) async throws -> Lines {
        let told = try await rig.connect(client)
        _ = try await rig.ask(client, "hello", #"{"touches":"page"}"#)
        _ = try await rig.ask(client, "subscribe", #"{"topics":["explore.mode","explore.at","explore.activate","cue"]}"#)
        _ = try await rig.ask(client, "explore.regions", regions)
        return told
    }

    private func turn(_ isOn: Bool, _ use: SwitchRule.Use, isJack: Bool = false, of device: Int = 4, at moment: Int64,
                      isLast: Bool = false) async {
        await rig.stage.switched(SwitchReport(name: "aid", device: device, use: use, isJack: isJack, hold: 700_000_000, isOn: isOn, moment: moment,
                                              isLast: isLast))
    }

    /// Presses the switch for so many milliseconds, from `moment` on.
    private func press(for length: Int64, at moment: Int64) async {
        await turn(true, .step, at: moment)
        await turn(false, .step, at: moment + length * 1_000_000)
    }

    /// What was told, as topic and what follows the number.
    private func words(_ lines: Lines) -> [String] {
        lines.all.map { $0.replacing(#"{"jsonrpc":"2.0","method":"#, with: "").replacing(/,"params":{"number":[0-9]+,?/, with: " ") }
    }

    @Test func `one switch does it all: the first press begins, short ones go on, a long one acts, by its end or while it is held`() async throws {
        let told = try await page(1)
        let start = monotonicNanoseconds() - 3_000_000_000
        await press(for: 100, at: start)
        #expect(words(told).suffix(2) == [#""cue" "cue":"chime","name":"explore-on"}}"#, #""explore.mode" "on":true}}"#])
        let before = told.all.count
        await press(for: 100, at: start + 200_000_000)
        await press(for: 100, at: start + 400_000_000)
        await press(for: 700, at: start + 600_000_000)
        #expect(Array(words(told).dropFirst(before)) == [
            #""cue" "cue":"haptic","name":"explore-edge"}}"#, #""cue" "cue":"chime","name":"explore-button"}}"#,
            #""explore.at" "id":"next","label":"Next card","role":"button"}}"#,
            #""cue" "cue":"haptic","name":"explore-edge"}}"#, #""cue" "cue":"chime","name":"explore-button"}}"#,
            #""explore.at" "id":"skins","label":"Skins","role":"button"}}"#, #""explore.activate" "id":"skins"}}"#,
        ])
        await turn(true, .step, at: start + 2_000_000_000)
        await rig.stage.tendSwitches()
        #expect(words(told).count == before + 8 && words(told).last == #""explore.activate" "id":"skins"}}"#)
        await turn(false, .step, at: start + 2_900_000_000)
        #expect(words(told).count == before + 8, "it has acted already")
        try await rig.stop()
    }

    @Test func `a button turns exploring over, and headphones do so as long as they are in; the visit's end ends it`() async throws {
        let told = try await page(1)
        func mode() -> String? { words(told).last { $0.hasPrefix(#""explore.mode""#) } }
        let now = monotonicNanoseconds()
        for isOn in [true, false] {
            await turn(true, .explore, at: now)
            await turn(false, .explore, at: now)
            #expect(mode() == #""explore.mode" "on":\#(isOn)}}"#)
        }
        for isOn in [true, false, true] {
            await turn(isOn, .explore, isJack: true, at: now)
            #expect(mode() == #""explore.mode" "on":\#(isOn)}}"#)
        }
        _ = try await rig.ask(1, "session.end", "{}")
        #expect(mode() == #""explore.mode" "on":false}}"#)
        let count = told.all.count
        await turn(false, .explore, isJack: true, at: now)
        #expect(told.all.count == count, "it is off already")
        try await rig.stop()
    }

    @Test func `headphones in one of two jacks keep exploring on`() async throws {
        let told = try await page(1)
        func modes() -> Int { words(told).count { $0.hasPrefix(#""explore.mode""#) } }
        let now = monotonicNanoseconds()
        for device in [4, 5] { await turn(true, .explore, isJack: true, of: device, at: now) }
        #expect(modes() == 1)
        await turn(false, .explore, isJack: true, of: 4, at: now, isLast: true)
        #expect(modes() == 1)
        await turn(false, .explore, isJack: true, of: 5, at: now)
        #expect(modes() == 2 && words(told).last == #""explore.mode" "on":false}}"#)
        try await rig.stop()
    }

    @Test func `a mat that comes again under another number is not off because the old one is gone`() async throws {
        let told = try await rig.connect(1)
        _ = try await rig.ask(1, "subscribe", #"{"topics":["state"]}"#)
        await turn(true, .presence, of: 4, at: monotonicNanoseconds())
        await turn(true, .presence, of: 5, at: monotonicNanoseconds())
        await turn(false, .presence, of: 4, at: monotonicNanoseconds(), isLast: true)
        #expect(told.all.count == 1 && told.all.last?.contains(#""isNoticed":true"#) == true)
        await turn(false, .presence, of: 5, at: monotonicNanoseconds())
        #expect(told.all.count == 2 && told.all.last?.contains(#""isNoticed":false"#) == true)
        try await rig.stop()
    }

    @Test func `a switch that is unplugged while it is down presses nothing`() async throws {
        let told = try await page(1)
        let start = monotonicNanoseconds() - 100_000_000
        await press(for: 10, at: start)
        let count = told.all.count
        await turn(true, .step, at: start + 20_000_000)
        await turn(false, .step, at: start + 30_000_000, isLast: true)
        #expect(told.all.count == count)
        try await rig.stop()
    }

    @Test func `who only stands there is told of in the state, by a mat and by a front end's word, and is no visit`() async throws {
        let told = try await rig.connect(1)
        _ = try await rig.ask(1, "subscribe", #"{"topics":["state","session"]}"#)
        await turn(true, .presence, at: monotonicNanoseconds())
        #expect(told.all.last?.contains(#""isNoticed":true"#) == true && told.all.last?.contains(#""hasSession":false"#) == true)
        #expect(try await rig.ask(1, "presence.set", #"{"on":true,"sensor":"radar","seconds":60}"#)?.contains(#""result":{}"#) == true)
        await turn(false, .presence, at: monotonicNanoseconds())
        #expect(told.all.count == 1, "one of two has gone")
        _ = try await rig.ask(1, "presence.set", #"{"on":false,"sensor":"radar"}"#)
        #expect(told.all.count == 2 && told.all.last?.contains(#""isNoticed":false"#) == true)
        _ = try await rig.connect(2, isLocal: false)
        #expect(reason(try await rig.ask(2, "presence.set", #"{"on":true}"#)) == "not-allowed")
        try await rig.stop()
    }
}

extension Stage {
    fileprivate func tendSwitches() { desks.switches.tend(on: self) }
}

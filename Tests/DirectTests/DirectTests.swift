import Direct
import Experience
import Fields
import Signals
import Testing
import Units

private func touch(_ phase: Touch.Phase, _ finger: Int = 0, client: Client = .connection(1)) -> Event {
    Event(client: client, .touch(Touch(phase, finger: finger)))
}

extension Run {
    fileprivate mutating func reduce(_ event: Event, at time: Frame) throws -> [Cue] { act(on: try admit(event, at: time), at: time).cues }

    fileprivate func refusal(of event: Event) -> Fault? {
        do throws(Fault) {
            _ = try admit(event, at: .zero)
            return nil
        } catch {
            return error
        }
    }
}

@Suite struct DirectTests {
    private var direct = Run(Direct.self, Opening(theme: .standard, seed: 1, rate: .standard))

    @Test mutating func `the tone sounds from the first finger down to the last finger up`() throws {
        #expect(try direct.reduce(touch(.began, 1), at: .zero) == [.haptic("touch-down"), .toneGate(open: true)])
        #expect(try direct.reduce(touch(.began, 2), at: .zero) == [.haptic("touch-down")])
        #expect(try direct.reduce(touch(.moved, 2), at: .zero) == [])
        #expect(try direct.reduce(touch(.ended, 1), at: .zero) == [.haptic("touch-up")])
        #expect(try direct.reduce(touch(.ended, 2), at: .zero) == [.haptic("touch-up"), .toneGate(open: false)])
        #expect(!direct.hands.isHeld)
    }

    @Test mutating func `a finger that is down already, or up already, changes nothing`() throws {
        _ = try direct.reduce(touch(.began), at: .zero)
        #expect(try direct.reduce(touch(.began), at: .zero) == [])
        _ = try direct.reduce(touch(.ended), at: .zero)
        #expect(try direct.reduce(touch(.ended), at: .zero) == [])
    }

    @Test mutating func `fingers of different clients are different fingers`() throws {
        _ = try direct.reduce(touch(.began, 0, client: .connection(1)), at: .zero)
        _ = try direct.reduce(touch(.began, 0, client: .connection(2)), at: .zero)
        #expect(try direct.reduce(touch(.ended, 0, client: .connection(1)), at: .zero) == [.haptic("touch-up")])
        #expect(direct.hands.isHeld)
    }

    @Test mutating func `who leaves lets go of everything, and of nothing else`() throws {
        _ = try direct.reduce(touch(.began, 0, client: .connection(1)), at: .zero)
        _ = try direct.reduce(touch(.began, 1, client: .connection(1)), at: .zero)
        _ = try direct.reduce(Event(client: .connection(2), .tone(ToneRequest(on: true))), at: .zero)
        #expect(try direct.reduce(Event(client: .connection(1), .left), at: .zero) == [])
        #expect(try direct.reduce(Event(client: .connection(2), .left), at: .zero) == [.toneGate(open: false)])
    }

    @Test mutating func `a feed update moves pitch and level, and a repeated one nothing`() throws {
        let cues = try direct.reduce(Event(client: .connection(1), .action(Action(FeedUpdate(blocksViewed: 500)))), at: .zero)
        guard case .tonePitch(let pitch, _) = cues.first else { Issue.record("no pitch in \(cues)"); return }
        #expect(pitch > Hertz(2000))
        #expect(cues.last == .toneLevel(Decibels(-6)))
        #expect(try direct.reduce(Event(client: .connection(1), .action(Action(FeedUpdate(blocksViewed: 500)))), at: .zero) == [])
    }

    @Test mutating func `a tone request sets pitch and level before it opens the gate`() throws {
        let request = ToneRequest(on: true, frequency: Hertz(440), level: Decibels(-20), glide: Seconds(0.5))
        #expect(try direct.reduce(Event(client: .connection(1), .tone(request)), at: .zero)
            == [.tonePitch(Hertz(440), glide: Seconds(0.5)), .toneLevel(Decibels(-20)), .toneGate(open: true)])
    }

    @Test mutating func `stop lets go of everything at once`() throws {
        _ = try direct.reduce(touch(.began), at: .zero)
        _ = try direct.reduce(Event(client: .connection(2), .tone(ToneRequest(on: true))), at: .zero)
        #expect(try direct.reduce(Event(client: .connection(3), .stop), at: .zero) == [.stop])
        #expect(!direct.hands.isHeld)
        #expect(try direct.reduce(touch(.began), at: .zero) == [.haptic("touch-down"), .toneGate(open: true)])
    }

    @Test mutating func `a chime plays with the haptic pattern of its name, where there is one`() throws {
        #expect(try direct.reduce(Event(client: .connection(1), .chime(name: "unlock")), at: .zero) == [.chime("unlock"), .haptic("unlock")])
        #expect(try direct.reduce(Event(client: .connection(1), .chime(name: "ding")), at: .zero) == [.chime("ding")])
    }

    @Test mutating func `a texture sounds as long as any client holds it, and ends with the last that leaves`() throws {
        func texture(_ on: Bool, by client: Int) -> Event { Event(client: .connection(client), .texture(name: "purr-tired", on: on)) }
        #expect(try direct.reduce(texture(true, by: 1), at: .zero) == [.texture("purr-tired", on: true)])
        #expect(try direct.reduce(texture(true, by: 2), at: .zero) == [])
        #expect(try direct.reduce(texture(false, by: 1), at: .zero) == [])
        #expect(try direct.reduce(texture(false, by: 1), at: .zero) == [])
        #expect(try direct.reduce(Event(client: .connection(2), .left), at: .zero) == [.texture("purr-tired", on: false)])
        #expect(direct.refusal(of: Event(client: .connection(1), .texture(name: "growl", on: true)))
            == Fault(field: "name", expected: "one of pant-healthy, pant-sick, purr-concerned, purr-healthy, purr-sick, purr-tired, purr-weak", found: "\"growl\""))
        #expect(direct.refusal(of: Event(client: .connection(1), .texture(name: "growl", on: false))) == nil)
    }

    @Test mutating func `unknown chimes and too many fingers are refused with a reason`() throws {
        #expect(direct.refusal(of: Event(client: .connection(1), .chime(name: "gong")))
            == Fault(field: "name", expected: "one of award, band-drop, bypass, cure, death, ding, eating, explore-blank, explore-button, explore-heading, explore-image, explore-off, explore-on, explore-slider, explore-text, explore-toggle, growth, memorial, mew-concerned, mew-dead, mew-healthy, mew-tired, mew-weak, nightly, purchase, restart, revive, shield-back, streak, terminal, unlock, welcome", found: "\"gong\""))
        for finger in 0..<Hands.fingerLimit {
            #expect(direct.refusal(of: touch(.began, finger)) == nil)
            _ = try direct.reduce(touch(.began, finger), at: .zero)
        }
        #expect(direct.refusal(of: touch(.began, 999))?.field == "id")
        #expect(direct.refusal(of: touch(.ended, 0)) == nil)
    }

    @Test func `cues become commands through the theme`() throws {
        let score = CueLowering(.standard, numbers: [:], hasTransducer: false)
        #expect(score.commands(for: .chime("unlock")).count == 2)
        #expect(score.commands(for: .chime("gong")).isEmpty)
        #expect(score.commands(for: .haptic("swipe")).isEmpty)
        #expect(score.commands(for: .stop).count == 1)
    }

    @Test func `with a transducer haptic cues are commands, by the numbers of their waveforms`() throws {
        let commands = CueLowering(.standard, numbers: ["swipe": 7], hasTransducer: true).commands(for: .haptic("swipe"))
        guard case .haptic(7)? = commands.first else {
            Issue.record("no command")
            return
        }
        #expect(CueLowering(.standard, numbers: ["swipe": 7], hasTransducer: true).commands(for: .haptic("earthquake")).isEmpty)
    }
}

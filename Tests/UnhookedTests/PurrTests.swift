import Signals
import Testing
import TestSupport
@testable import Unhooked

@Suite struct PurrTests {
    private func textures(_ cues: [Cue]) -> [Cue] { cues.filter { if case .texture = $0 { true } else { false } } }

    private func touch(_ owner: inout Owner, _ phase: Touch.Phase) throws -> [Cue] {
        textures(try owner.act(.touch(Touch(phase, finger: 0, x: 0.5, y: 0.5))).cues)
    }

    @Test func `a cat purrs and a dog pants while it is stroked, as it is`() throws {
        var owner = Owner()
        #expect(try touch(&owner, .began) == [.texture("purr-healthy", on: true)])
        #expect(try touch(&owner, .ended) == [.texture("purr-healthy", on: false)])
        owner.wait(days: 3)
        #expect(try touch(&owner, .began) == [.texture("purr-sick", on: true)])
        owner.wait(days: 4)
        #expect(owner.pet.health == .dead && textures(owner.cues) == [.texture("purr-sick", on: false)], "it dies under the hand")
        #expect(try touch(&owner, .ended).isEmpty && touch(&owner, .began).isEmpty)
        var dog = Owner()
        try dog.act("adopt", ["species": .text("dog")])
        #expect(try touch(&dog, .began) == [.texture("pant-healthy", on: true)])
        #expect(try dog.act(.stop).cues == [.stop] && touch(&dog, .ended).isEmpty)
    }

    @Test func `it purrs for three seconds when it was fed, and on where it is stroked meanwhile`() throws {
        var owner = Owner()
        #expect(try owner.feed("kibble").cues == [.chime("eating"), .haptic("eating"), .texture("purr-healthy", on: true)])
        owner.wait(2.9)
        #expect(owner.cues.isEmpty)
        owner.wait(0.2)
        #expect(owner.cues == [.texture("purr-healthy", on: false)])
        try owner.feed("kibble")
        #expect(try touch(&owner, .began).isEmpty)
        owner.wait(60)
        #expect(owner.cues.isEmpty)
        #expect(try touch(&owner, .ended) == [.texture("purr-healthy", on: false)])
    }

    @Test func `a pet that dies while it eats falls silent, and its meal's end is not told again`() throws {
        var owner = Owner(at: 0.5, knobs: KnobSettings(["day-minutes": .number(1)]))
        // The seventh day without a whole meal ends within three seconds.
        owner.wait(6 * 60 + 58)
        #expect(try textures(owner.feed("kibble").cues) == [.texture("purr-sick", on: true)])
        owner.wait(2)
        #expect(owner.pet.health == .dead && textures(owner.cues) == [.texture("purr-sick", on: false)])
        owner.wait(10)
        #expect(textures(owner.cues).isEmpty)
    }

    @Test func `a meal's purr ends when the clock is set, ahead or back`() throws {
        for seconds in [-3_600.0, 3_600] {
            var owner = Owner()
            try owner.feed("kibble")
            owner.setClock(by: seconds)
            #expect(textures(owner.cues) == [.texture("purr-healthy", on: false)], "\(seconds)")
        }
    }

    @Test(arguments: [1.0, 5, 1_440]) func `no tick is asked for that lies in the past, however the clock is set`(dayMinutes: Double) throws {
        var owner = Owner(knobs: KnobSettings(["day-minutes": .number(dayMinutes)]), gems: 5_000)
        var draws = TestSupport.SplitMix64(seed: 5)
        func below(_ count: Int) -> Int { Int(draws.next() % UInt64(count)) }
        for _ in 0..<300 {
            switch below(6) {
            case 0: _ = try? owner.feed("kibble")
            case 1: _ = try? owner.pay(["cure", "revive"][below(2)])
            case 2: owner.setClock(by: Double(below(2 * 86_400) - 86_400) + 0.3)
            case 3: try owner.report(below(200))
            case 4: _ = try touch(&owner, below(2) == 0 ? .began : .ended)
            default: owner.wait(Double(below(90_000)) * dayMinutes / 1_440)
            }
            #expect(owner.run.unusedEffects.wakes == 0 && owner.run.wake != nil)
        }
        #expect(owner.run.unusedEffects.total == 0)
    }

    @Test func `what happens is heard and felt`() throws {
        var owner = Owner(gems: 1_000)
        func heard(_ cues: [Cue]) -> [String] { cues.compactMap { if case .chime(let name) = $0 { name } else { nil } } }
        #expect(heard(try owner.pay("buy", ["cosmetic": .text("crown")]).cues) == ["purchase"])
        try owner.report(0)
        owner.wait(days: 1)
        #expect(heard(owner.cues) == ["award"])
        owner.wait(days: 2)
        #expect(heard(try owner.pay("cure").cues) == ["cure"])
        owner.wait(days: 7)
        #expect(heard(owner.cues) == ["death"])
        #expect(heard(try owner.pay("revive").cues) == ["revive"])
        owner.wait(days: 7)
        #expect(heard(try owner.pay("restart", ["species": .text("dog")]).cues) == ["restart"])
        #expect(heard(try owner.act("remember", ["pet": .integer(1)]).cues) == ["memorial"])
        #expect(owner.run.unusedEffects.total == 0)
    }
}

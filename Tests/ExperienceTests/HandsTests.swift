import Experience
import Signals
import Testing
import Units

@Suite struct HandsTests {
    private func release(_ kind: EventKind, holding held: [EventKind] = []) -> Hands.Release? {
        var hands = Hands()
        for kind in held { _ = hands.reduce(Event(client: .connection(1), kind), in: .standard) }
        return hands.release(by: Event(client: .connection(1), kind))
    }

    @Test func `a release lets go of what its client holds, and else changes nothing but the pitch or level of the tone`() {
        let tone = EventKind.tone(ToneRequest(on: true)), silence = EventKind.tone(ToneRequest(on: false))
        let retuned = EventKind.tone(ToneRequest(on: false, frequency: Hertz(440)))
        let began = EventKind.touch(Touch(.began, finger: 3)), ended = EventKind.touch(Touch(.ended, finger: 3))
        #expect(release(silence) == .nothing && release(retuned) == .retunes)
        #expect(release(silence, holding: [tone]) == .letsGo && release(retuned, holding: [tone]) == .letsGo)
        #expect(release(ended) == .nothing && release(ended, holding: [began]) == .letsGo)
        #expect(release(.touch(Touch(.ended, finger: 4)), holding: [began]) == .nothing)
        #expect(release(.left) == .nothing && release(.left, holding: [began]) == .letsGo && release(.stop, holding: [began]) == .letsGo)
        #expect(release(.texture(name: "purr", on: false), holding: [.texture(name: "purr", on: true)]) == .letsGo)
        #expect(release(.noise(nil)) == .nothing && release(.noise(nil), holding: [.noise(Decibels(-20))]) == .letsGo)
        #expect(release(.stop, holding: [.noise(Decibels(-20))]) == .letsGo)
        #expect([tone, began, .tap(Tap()), .chime(name: "ding"), .mute(true)].allSatisfy { release($0) == nil }, "a mute is nobody's hold")
    }

    @Test func `noise sounds at the last level until the last client that holds it lets go or leaves`() {
        var hands = Hands()
        func cues(_ client: Int, _ kind: EventKind) -> [Cue] { hands.reduce(Event(client: .connection(client), kind), in: .standard) }
        #expect(cues(1, .noise(Decibels(-30))) == [.noise(Decibels(-30))])
        #expect(cues(2, .noise(Decibels(-20))) == [.noise(Decibels(-20))])
        #expect(hands.isHeld(by: .connection(2)) && !hands.isHeld, "a check is no visitor's touch")
        #expect(cues(2, .noise(nil)).isEmpty && cues(3, .noise(nil)).isEmpty && cues(3, .left).isEmpty)
        #expect(cues(1, .left) == [.noise(nil)])
        _ = cues(1, .noise(Decibels(-30)))
        #expect(cues(2, .stop) == [.stop] && cues(1, .noise(nil)).isEmpty)
    }
}

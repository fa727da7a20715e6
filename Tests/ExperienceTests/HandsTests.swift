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
        #expect([tone, began, .tap(Tap()), .chime(name: "ding"), .mute(true)].allSatisfy { release($0) == nil }, "a mute is nobody's hold")
    }
}

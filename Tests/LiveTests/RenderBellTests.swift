import AudioOutput
import NIOEmbedded
import Testing

@testable import Live

@Suite struct RenderBellTests {
    @Test func `a turn's first event rings at once, and all others of the turn ring together when it is over`() {
        let loop = EmbeddedEventLoop()
        let door = Doorbell()
        let bell = RenderBell(door, on: loop)
        bell.ring()
        #expect(door.hasRung(within: 0))
        for _ in 0..<5 { bell.ring() }
        #expect(!door.hasRung(within: 0))
        loop.run()
        #expect(door.hasRung(within: 0))
        loop.run()
        #expect(!door.hasRung(within: 0))
    }

    @Test func `a turn with one event rings once, and so does the next turn`() {
        let loop = EmbeddedEventLoop()
        let door = Doorbell()
        let bell = RenderBell(door, on: loop)
        for _ in 0..<2 {
            bell.ring()
            #expect(door.hasRung(within: 0))
            loop.run()
            #expect(!door.hasRung(within: 0))
        }
    }
}

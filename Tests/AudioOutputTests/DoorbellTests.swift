import AudioOutput
import Foundation
import Synchronization
import Testing

@Suite struct DoorbellTests {
    /// What was done before a ring is seen by whoever hears it, and none is lost: else this would wait for a ring that never comes.
    @Test func `no ring is lost between a hundred thousand of them`() {
        let bell = Doorbell()
        let done = Atomic(0)
        let total = 100_000
        let ringer = Thread {
            for _ in 0..<total {
                done.add(1, ordering: .releasing)
                bell.ring()
            }
        }
        ringer.start()
        var seen = 0
        while seen < total {
            guard bell.hasRung(within: 10_000) else { break }
            seen = done.load(ordering: .acquiring)
        }
        #expect(seen == total)
    }

    @Test func `ringing twice is ringing once, and again after it was heard`() {
        let bell = Doorbell()
        bell.ring()
        bell.ring()
        #expect(bell.hasRung(within: 0))
        #expect(!bell.hasRung(within: 0))
        bell.ring()
        #expect(bell.hasRung(within: 0))
    }
}

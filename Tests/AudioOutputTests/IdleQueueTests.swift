import Testing
import Units

@testable import AudioOutput

/// How much is held while nobody is there, by `queue`, in milliseconds.
@Suite struct IdleQueueTests {
    @Test(arguments: [(50.0, 100.0), (200, 400), (300, 400), (500, 500)])
    func `a server holds twice the queue, but not so much that it would be asked in long steps`(_ queue: Double, _ idle: Double) {
        let settings = PulseSettings(server: nil, sink: nil, queue: .milliseconds(queue), sinkLatency: .milliseconds(5), transducers: [],
                                     revises: true)
        #expect(abs(settings.idleQueue.rawValue * 1000 - idle) < 1e-9)
    }

    @Test(arguments: [(50.0, 150.0), (200, 600), (300, 600), (500, 600)])
    func `a card holds three times the queue, but no more than a change can go back in`(_ queue: Double, _ idle: Double) {
        let settings = AlsaSettings(device: nil, queue: .milliseconds(queue), transducers: [])
        #expect(abs(settings.idleQueue.rawValue * 1000 - idle) < 1e-9)
    }
}

import Evdev
import Signals
import Testing
import Wire

@testable import Live

@Suite struct TouchStreamTests {
    private var stream = TouchStream()
    private var subscribers = Subscribers()
    private static let millisecond: Int64 = 1_000_000

    private func report(_ milliseconds: Int64, _ touches: Touch...) -> TouchReport {
        TouchReport(screen: 1, moment: milliseconds * Self.millisecond, touches: touches)
    }

    private func finger(_ phase: Touch.Phase, _ id: Int = 0, y: Double = 0.5) -> Touch { Touch(phase, finger: id, x: 0.5, y: y) }

    @Test mutating func `a packet is a message at most, and moves closer than 4 ms are put together`() {
        var told: [TouchesReport] = []
        if let first = stream.take(report(0, finger(.began, 0), finger(.began, 1))) { told.append(first) }
        // A thousand packets a second, for 100 ms.
        for ms in Int64(1)...100 {
            if let report = stream.take(report(ms, finger(.moved, Int(ms % 2), y: Double(ms) / 1_000))) { told.append(report) }
        }
        #expect(told.map { $0.moment / Self.millisecond } == Array(stride(from: 0, through: 100, by: 4)))
        #expect(told.dropFirst().allSatisfy { $0.contacts.map(\.finger).sorted() == [0, 1] })
        #expect(told.last?.contacts.compactMap(\.y).max() == 0.1, "the newest position counts")
    }

    @Test mutating func `a finger that comes or goes is told at once, after what the others did before`() {
        _ = stream.take(report(0, finger(.began, 0), finger(.began, 1)))
        #expect(stream.take(report(1, finger(.moved, 0, y: 0.6), finger(.moved, 1, y: 0.7))) == nil)
        #expect(stream.take(report(2, finger(.ended, 1, y: 0.8)))?.contacts == [finger(.moved, 0, y: 0.6), finger(.ended, 1, y: 0.8)])
        // A slot that is let go and taken again within a packet.
        #expect(stream.take(report(3, finger(.ended, 0), finger(.began, 0)))?.contacts == [finger(.ended, 0), finger(.began, 0)])
    }

    @Test mutating func `a move that nothing follows is told all the same`() {
        _ = stream.take(report(0, finger(.began)))
        #expect(stream.take(report(1, finger(.moved, y: 0.9))) == nil)
        let told = stream.takeWaiting()
        #expect(told.map(\.contacts) == [[finger(.moved, y: 0.9)]] && told.map(\.moment) == [Self.millisecond], "as the kernel has it")
        #expect(stream.takeWaiting().isEmpty)
    }

    @Test mutating func `one who does not read loses moves, and learns of every finger that came or went`() {
        let reader = Lines()
        let other = Lines()
        for (client, lines) in [(1, reader), (2, other)] {
            subscribers.add(client) { lines.take($0) }
            _ = subscribers.subscribe(client, to: [.touches])
        }
        reader.isReading.withLock { $0 = false }
        for ms in Int64(0)..<200 {
            let phase: Touch.Phase = ms % 20 == 0 ? .began : ms % 20 == 19 ? .ended : .moved
            if let told = stream.take(report(ms * 10, finger(phase, y: Double(ms) / 1_000))) { stream.tell(told, to: &subscribers) }
        }
        #expect(reader.all.isEmpty && other.all.count == 200)
        reader.isReading.withLock { $0 = true }
        stream.tell(nil, to: &subscribers)
        #expect(reader.all.count == 20, "ten fingers came and went")
        #expect(reader.all.allSatisfy { $0.contains(#""phase":"began""#) || $0.contains(#""phase":"ended""#) })
        #expect(reader.all.first?.contains(#""number":1,"#) == true && reader.all.last?.contains(#""number":20,"#) == true, "none is missed")
        if let next = stream.take(report(3_000, finger(.moved))) { stream.tell(next, to: &subscribers) }
        #expect(reader.all.last?.contains(#""number":21,"at":3000000000,"client":-1,"contacts":[{"id":0,"phase":"moved","x":0.5,"y":0.5}]"#) == true)
    }

    @Test mutating func `what is kept for one who never reads has an end, and is counted as missed`() {
        let reader = Lines()
        subscribers.add(1) { reader.take($0) }
        _ = subscribers.subscribe(1, to: [.touches])
        reader.isReading.withLock { $0 = false }
        for n in 0...Int64(TouchStream.mostKept) {
            if let told = stream.take(report(10 * n, finger(n % 2 == 0 ? .began : .ended))) { stream.tell(told, to: &subscribers) }
        }
        reader.isReading.withLock { $0 = true }
        if let told = stream.take(report(90_000_000, finger(.ended))) { stream.tell(told, to: &subscribers) }
        #expect(reader.all.count == 2 && reader.all[0].contains(#""method":"missed""#), "\(reader.all.prefix(2))")
        #expect(reader.all[0].contains("\"count\":\(TouchStream.mostKept + 1)"))
    }

    @Test mutating func `nobody wants it: nothing is kept`() {
        subscribers.add(1) { _ in preconditionFailure("it has not subscribed") }
        if let told = stream.take(report(0, finger(.began))) { stream.tell(told, to: &subscribers) }
        _ = subscribers.subscribe(1, to: [.fault])
        stream.tell(nil, to: &subscribers)
    }
}

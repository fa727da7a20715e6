import Signals
import Testing

@testable import Live

@Suite struct AgendaTests {
    /// How many events a client can plan.
    private func fill(_ agenda: inout Agenda, from client: Int, weight: Int = 1) -> Int {
        var count = 0
        while agenda.hasRoom(for: client, weight: weight) {
            agenda.put(from: client, weight: weight) { _ in {} } cancelled: {}
            count += 1
        }
        return count
    }

    @Test func `whatever the others have planned, each client has room for some of its own`() {
        var agenda = Agenda()
        for client in 1...8 { #expect(fill(&agenda, from: client) == 512) }
        #expect(fill(&agenda, from: 9) == 16 + 4_096 - 8 * 496)
        for client in 10...20 { #expect(fill(&agenda, from: client) == 16) }
        #expect(fill(&agenda, from: 21, weight: 16) == 1, "a pattern has room, too")
        // What one gives back, another may have.
        _ = agenda.cancel(from: 1)
        #expect(fill(&agenda, from: 10) == 496)
        #expect(fill(&agenda, from: 1) == 16)
        _ = agenda.cancelAll()
        for client in 1...8 { #expect(fill(&agenda, from: client) == 512) }
        _ = agenda.cancelAll()
    }

    @Test func `what is cancelled stops its timer and is told, in the order in which it was planned, and what has struck is not`() {
        final class Log { var lines: [String] = [] }
        let log = Log()
        var agenda = Agenda()
        for client in [7, 8, 7] {
            agenda.put(from: client, weight: 1) { number in { log.lines.append("stop \(number)") } } cancelled: {
                log.lines.append("told \(client)")
            }
        }
        agenda.strike(1)
        agenda.cancel(from: 7).forEach { $0() }
        #expect(log.lines == ["stop 3", "told 7"])
        agenda.cancelAll().forEach { $0() }
        #expect(log.lines == ["stop 3", "told 7", "stop 2", "told 8"])
        #expect(agenda.cancelAll().isEmpty)
    }
}

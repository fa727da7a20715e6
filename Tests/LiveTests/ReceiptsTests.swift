import Conductor
import Synchronization
import Testing
import Units
import Wire

@testable import Live
@testable import StateStore

@Suite struct ReceiptsTests {
    private final class Answers: Sendable {
        private let lines = Mutex<[String]>([])
        var all: [String] { lines.withLock { $0 } }
        func add(_ line: [UInt8]) { lines.withLock { $0.append(String(decoding: line, as: UTF8.self)) } }
    }

    @Test func `whoever asked is answered once, with the frame at which it took effect and how late that was`() {
        let answers = Answers()
        var receipts = Receipts()
        let first = receipts.ask(.integer(1)) { answers.add($0) }
        let second = receipts.ask(.integer(2)) { answers.add($0) }
        receipts.confirm(Conductor.Placement(ticket: second, position: Frame(480), lateness: FrameCount(24)), .standard)
        receipts.confirm(Conductor.Placement(ticket: first, position: Frame(7), lateness: .zero), .standard)
        receipts.confirm(Conductor.Placement(ticket: first, position: Frame(8), lateness: .zero), .standard)
        // 24 frames at 48,000 Hz are half a millisecond.
        #expect(answers.all == [#"{"id":2,"jsonrpc":"2.0","result":{"frame":480,"lateMilliseconds":0.5}}"# + "\n",
                                #"{"id":1,"jsonrpc":"2.0","result":{"frame":7}}"# + "\n"])
    }

    @Test func `what the piece answers is left out where it is not for whoever asked`() {
        let answers = Answers()
        var receipts = Receipts()
        for tellsResult in [true, false] {
            let ticket = receipts.ask(.integer(1), tellsResult: tellsResult) { answers.add($0) }
            receipts.confirm(Conductor.Placement(ticket: ticket, position: Frame(7), lateness: .zero, result: .integer(3)), .standard)
        }
        #expect(answers.all == [#"{"id":1,"jsonrpc":"2.0","result":{"frame":7,"result":3}}"# + "\n",
                                #"{"id":1,"jsonrpc":"2.0","result":{"frame":7}}"# + "\n"])
    }

    @Test func `what is answered otherwise gets no receipt, and what came late counts also where nobody asked`() {
        let answers = Answers()
        var receipts = Receipts()
        let ticket = receipts.ask(.integer(1)) { answers.add($0) }
        receipts.withdraw(ticket)
        receipts.confirm(Conductor.Placement(ticket: ticket, position: .zero, lateness: .zero), .standard)
        receipts.confirm(Conductor.Placement(ticket: nil, position: .zero, lateness: FrameCount(1)), .standard)
        #expect(answers.all.isEmpty)
        #expect(receipts.late == 1)
    }

    private static let outcomes: [(Result<Commit, NotKept>, String)] = [
        (.success(Commit()), #"{"frame":7}"#),
        (.success(Commit(known: ["a"])), #"{"alreadyKept":["a"],"frame":7}"#),
        (.failure(NotKept(reason: "full")), #"{"frame":7,"notKept":"full"}"#),
    ]

    @Test(arguments: 0..<outcomes.count, [true, false])
    func `who waits for a commit is told how it went, whether it is over before the event takes effect or after`(outcome: Int, isFirst: Bool) {
        let (result, told) = Self.outcomes[outcome]
        let answers = Answers()
        var receipts = Receipts()
        let ticket = receipts.ask(.integer(1)) { answers.add($0) }
        let placement = Conductor.Placement(ticket: ticket, position: Frame(7), lateness: .zero)
        receipts.awaitCommit(of: ticket)
        if isFirst { receipts.committed(ticket, .standard, result) } else { receipts.confirm(placement, .standard) }
        #expect(answers.all.isEmpty)
        if isFirst { receipts.confirm(placement, .standard) } else { receipts.committed(ticket, .standard, result) }
        #expect(answers.all == [#"{"id":1,"jsonrpc":"2.0","result":\#(told)}"# + "\n"])
    }

    @Test func `who was refused is not answered by the commit, too`() {
        let answers = Answers()
        var receipts = Receipts()
        let ticket = receipts.ask(.integer(1)) { answers.add($0) }
        receipts.awaitCommit(of: ticket)
        receipts.withdraw(ticket)
        receipts.committed(ticket, .standard, .success(Commit()))
        receipts.confirm(Conductor.Placement(ticket: ticket, position: .zero, lateness: .zero), .standard)
        #expect(answers.all.isEmpty)
    }

    @Test func `eight answers of a client wait for the database at once, and others have their own eight`() throws {
        var answers = DeferredAnswers()
        for _ in 0..<8 { try answers.begin(for: 1) }
        #expect(throws: ErrorReply(.refused(.busy), "busy: 8 questions of this client are being answered")) { try answers.begin(for: 1) }
        for client in 2...8 { for _ in 0..<8 { try answers.begin(for: client) } }
        #expect(throws: ErrorReply(.refused(.busy), "busy: 64 questions of all clients are being answered")) { try answers.begin(for: 9) }
        answers.end(for: 1)
        try answers.begin(for: 9)
        #expect(throws: ErrorReply.self) { try answers.begin(for: 1) }
    }
}

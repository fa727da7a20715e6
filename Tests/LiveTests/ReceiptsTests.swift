import Conductor
import Synchronization
import Testing
import Units
import Wire

@testable import Live

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
        let second = receipts.ask(.text("b")) { answers.add($0) }
        receipts.confirm(Conductor.Placement(ticket: second, position: Frame(480), lateness: FrameCount(24)), .standard)
        receipts.confirm(Conductor.Placement(ticket: first, position: Frame(7), lateness: .zero), .standard)
        receipts.confirm(Conductor.Placement(ticket: first, position: Frame(8), lateness: .zero), .standard)
        // 24 frames at 48,000 Hz are half a millisecond.
        #expect(answers.all == [#"{"id":"b","jsonrpc":"2.0","result":{"frame":480,"lateMilliseconds":0.5}}"# + "\n",
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

    @Test(arguments: [true, false])
    func `what must be kept is answered when it is placed and kept, whichever comes last`(isKeptFirst: Bool) {
        let answers = Answers()
        var receipts = Receipts()
        let ticket = receipts.ask(.integer(1)) { answers.add($0) }
        let placement = Conductor.Placement(ticket: ticket, position: Frame(7), lateness: .zero, result: .object(["sum": .integer(5)]))
        receipts.awaitCommit(of: ticket)
        if isKeptFirst { receipts.committed(ticket, .standard, problem: nil) } else { receipts.confirm(placement, .standard) }
        #expect(answers.all.isEmpty)
        if isKeptFirst { receipts.confirm(placement, .standard) } else { receipts.committed(ticket, .standard, problem: nil) }
        #expect(answers.all == [#"{"id":1,"jsonrpc":"2.0","result":{"frame":7,"result":{"sum":5}}}"# + "\n"])
    }

    @Test(arguments: [true, false])
    func `whoever asked for what cannot be kept is told why`(isKeptFirst: Bool) {
        let answers = Answers()
        var receipts = Receipts()
        let ticket = receipts.ask(.integer(1)) { answers.add($0) }
        let placement = Conductor.Placement(ticket: ticket, position: Frame(7), lateness: .zero)
        receipts.awaitCommit(of: ticket)
        if isKeptFirst { receipts.committed(ticket, .standard, problem: "full") } else { receipts.confirm(placement, .standard) }
        if isKeptFirst { receipts.confirm(placement, .standard) } else { receipts.committed(ticket, .standard, problem: "full") }
        #expect(answers.all == [#"{"id":1,"jsonrpc":"2.0","result":{"frame":7,"notKept":"full"}}"# + "\n"])
    }

    @Test func `sixteen answers are made on other threads at once, and another when one of them is done`() throws {
        var answers = DeferredAnswers()
        for _ in 0..<16 { try answers.begin() }
        #expect(throws: ErrorReply(.refused, "busy: 16 such questions are being answered")) { try answers.begin() }
        answers.end()
        try answers.begin()
        #expect(throws: ErrorReply.self) { try answers.begin() }
    }
}

import Journal
import Testing
import Units
import Wire

@testable import Live

@Suite struct FaultHistoryTests {
    @Test func `an issue has when it began and when it was over, and begins anew when it is back`() {
        var history = FaultHistory()
        history.note(issues: ["no sound"], at: 10)
        history.note(issues: ["no sound", "the sink is muted"], at: 20)
        history.note(issues: ["the sink is muted"], at: 30)
        history.note(issues: ["no sound"], at: 40)
        #expect(history.records == [
            FaultRecord(number: 1, kind: .issue, began: 10, ended: 30, issue: "no sound"),
            FaultRecord(number: 2, kind: .issue, began: 20, ended: 40, issue: "the sink is muted"),
            FaultRecord(number: 3, kind: .issue, began: 40, issue: "no sound"),
        ])
    }

    @Test func `an issue that only counts further is the same one, with its newest words`() {
        var history = FaultHistory()
        for count in 1...50 { history.note(issues: ["\(count) journal entries are lost"], at: Double(count)) }
        #expect(history.records == [FaultRecord(number: 1, kind: .issue, began: 1, issue: "50 journal entries are lost")])
    }

    @Test func `of two issues that differ only in figures, the one that has been mended is over`() {
        var history = FaultHistory()
        history.note(issues: ["ding1.wav cannot be read", "ding2.wav cannot be read"], at: 1)
        history.note(issues: ["ding2.wav cannot be read"], at: 2)
        #expect(history.records == [FaultRecord(number: 1, kind: .issue, began: 1, ended: 2, issue: "ding1.wav cannot be read"),
                                    FaultRecord(number: 2, kind: .issue, began: 1, issue: "ding2.wav cannot be read")])
    }

    @Test func `a gap that is told twice is one record, and has its session's frame`() {
        var history = FaultHistory()
        history.note(.gap(nil), at: Frame(48_000), 5)
        #expect(history.records == [FaultRecord(number: 1, kind: .gap, began: 5, frame: 48_000)])
        history.note(.gap(FrameCount(480)), at: Frame(48_000), 7)
        history.note(.gap(FrameCount(480)), at: Frame(96_000), 9)
        #expect(history.records == [FaultRecord(number: 1, kind: .gap, began: 5, ended: 7, frame: 48_000),
                                    FaultRecord(number: 2, kind: .gap, began: 9, ended: 9, frame: 96_000)])
    }

    @Test func `events that are heard late one after the other are one record, and lost entries are one each`() {
        var history = FaultHistory()
        for second in 0...8 { history.note(.late(FrameCount(1)), at: Frame(Int64(second)), Double(second)) }
        history.note(.late(FrameCount(1)), at: Frame(20), 20)
        history.note(.lost(entries: 3), at: Frame(30), 30)
        #expect(history.records == [FaultRecord(number: 1, kind: .late, began: 0, ended: 8, frame: 0),
                                    FaultRecord(number: 2, kind: .late, began: 20, ended: 20, frame: 20),
                                    FaultRecord(number: 3, kind: .lost, began: 30, ended: 30, frame: 30)])
    }

    @Test func `the newest hundred are kept, and what goes on before what is over`() {
        var history = FaultHistory()
        history.note(issues: ["goes on"], at: 0)
        for second in 1...250 { history.note(.lost(entries: 1), at: Frame(Int64(second)), Double(second)) }
        #expect(FaultHistory.room == 100)
        #expect(history.records.map(\.number) == [1] + Array(153...251))
        history.note(issues: ["goes on"], at: 300)
        #expect(history.records.first == FaultRecord(number: 1, kind: .issue, began: 0, issue: "goes on"), "it does not begin anew")
    }
}

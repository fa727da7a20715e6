import Calendar
@testable import ColorScroller
import Experience
import Fields
import Signals
import Testing

@Suite struct LeaderboardTests {
    @Test func `a board has ten rows, the best first, with handles everybody knows`() {
        let rows = Rivals(seed: 1, last: nil).board(hour: 5).rows
        #expect(rows.count == 10 && rows.map(\.score) == rows.map(\.score).sorted(by: >))
        let names = (0..<100).reduce(into: Set<String>()) { names, hour in
            names.formUnion(Rivals(seed: 1, last: nil).board(hour: hour).rows.map(\.name))
        }
        #expect(names.isSuperset(of: ["void_echo", "pixel_drift", "dead_scroll"]))
    }

    @Test func `scores are a function of the hour and the seed`() {
        #expect(Rivals(seed: 1, last: nil).board(hour: 5) == Rivals(seed: 1, last: nil).board(hour: 5))
        #expect(Rivals(seed: 1, last: nil).board(hour: 5) != Rivals(seed: 1, last: nil).board(hour: 6))
        #expect(Rivals(seed: 1, last: nil).board(hour: 5) != Rivals(seed: 2, last: nil).board(hour: 5))
    }

    @Test(arguments: [0, 57, 5000]) func `the visitor's last session is among them, wherever it belongs`(score: Int) {
        let rows = Rivals(seed: 1, last: LastVisit(cards: score)).board(hour: 5).rows
        #expect(rows.filter(\.isVisitor).map(\.score) == [score])
        #expect(rows.count == 10 && rows.map(\.score) == rows.map(\.score).sorted(by: >))
    }

    @Test func `a taunt tells the truth, and names somebody on the board`() {
        let rivals = Rivals(seed: 1, last: nil)
        for viewed in 0...1000 {
            let taunt = rivals.taunt(viewed: viewed, hour: 5)
            let behind = rivals.board(hour: 5).rows.filter { $0.score < viewed }
            #expect(taunt == (behind.first.map { Taunt(.passed, $0.name) } ?? Taunt(.ahead, rivals.board(hour: 5).rows[9].name)))
            let name = taunt.rival
            #expect(taunt.text == (behind.isEmpty ? "You are about to pass \(name)!" : "You just passed \(name)!"))
            if viewed > 10 { #expect(!behind.isEmpty) }
        }
    }

    @Test(arguments: [(0.0, 0, 0, 0), (21_600, 0, 6, 1), (0, -1800, -1, 3), (86_399.9, 0, 23, 3), (1_767_225_600, 3600, 490_897, 0)])
    func `hours and quarters of the day are local`(time: Double, offset: Int, hour: Int, bucket: Int) {
        let timeOfDay = TimeOfDay(CivilTime(instant: time, utcOffset: offset))
        #expect(timeOfDay.hour(at: 0) == hour && timeOfDay.bucket(at: 0) == bucket)
    }

    @Test func `the board turns at the full hour with nobody doing anything, also where clocks have been changed`() {
        var viewer = Viewer(seed: 1, arrival: CivilTime(instant: newYear + 3590, utcOffset: 5 * 3600 + 1800))
        // 05:29:50 + 5:30 h is 06:29:50 by the local clock, and half an hour and ten seconds later it is seven.
        #expect(viewer.run.wake == .instant(newYear + 5_400))
        viewer.wait(1_810)
        viewer.act(.tick(CivilTime(instant: newYear + 5_400, utcOffset: 5 * 3600 + 1800)), client: .engine)
        #expect(viewer.told.map(\.topic) == ["leaderboard"])
        #expect(viewer.run.wake == .instant(newYear + 9_000))
        // The clock is put forward by half an hour meanwhile: the hour begins half an hour earlier.
        viewer.wait(60)
        viewer.act(.tick(CivilTime(instant: newYear + 5_460, utcOffset: 6 * 3600)), client: .engine)
        #expect(viewer.run.wake == .instant(newYear + 7_200))
    }

    /// 1,767,225,600 is midnight of 2026-01-01 in UTC (`date -u -d @1767225600`).
    @Test func `the board is told at first, and when the local hour changes`() {
        var viewer = Viewer(seed: 1, arrival: CivilTime(instant: newYear + 3590, utcOffset: 5 * 3600))
        #expect(viewer.told.first == Announcement(viewer.scroller.leaderboard(at: .zero)))
        #expect(viewer.told.map(\.topic) == ["leaderboard", "counters"])
        viewer.swipe(after: 9)
        #expect(!viewer.told.map(\.topic).contains("leaderboard"))
        #expect(viewer.record?.timeOfDayBucket == 0)
        viewer.wait(1)
        // Whatever happens first.
        viewer.act(.touch(Touch(.began)))
        #expect(viewer.told.map(\.topic) == ["leaderboard"])
        viewer.swipe()
        #expect(viewer.record?.timeOfDayBucket == 1, "it is six o'clock")
    }

    @Test func `a visit is remembered with cards, skins, minutes and rank, and told to the next visitor`() throws {
        var viewer = Viewer(seed: 1)
        while viewer.state.blocksViewed < 61 { viewer.swipe(after: 2) }
        let memory = try #require(viewer.scroller.memory)
        let seconds = viewer.state.time
        #expect(memory.last == LastVisit(cards: 61, skins: viewer.state.unlockCount, minutes: (seconds / 6).rounded() / 10, rank: viewer.state.rank))
        #expect(viewer.state.unlockCount > 0 && viewer.state.rank == 1 + viewer.scroller.leaderboard(at: viewer.time).rows.count { $0.score >= 61 })
        let next = Viewer(seed: 2, memory: memory.json)
        let board = try #require(next.told.first?.body as? Leaderboard)
        #expect(board.lastSession == memory.last && board.rows.filter(\.isVisitor).map(\.score) == [61])
        #expect(next.scroller.memory == memory, "who has done nothing changes nothing")
    }

    /// The rivals of a seed and an hour are those of `Rivals`, whose own tests are above.
    @Test func `in an hour all visitors of a house see one board, also after a reset`() throws {
        func rivals(_ board: Leaderboard) -> [Leaderboard.Row] { board.rows.filter { !$0.isVisitor } }
        var first = Viewer(seed: 1)
        for _ in 0..<5 { first.swipe() }
        let memory = try #require(first.scroller.memory)
        let expected = rivals(Rivals(seed: 1, last: memory.last).board(hour: Int(newYear) / 3_600))
        var next = Viewer(seed: 2, memory: memory.json)
        #expect(rivals(next.scroller.leaderboard(at: .zero)) == expected)
        for _ in 0..<5 { next.swipe() }
        next.act(.action(Action(FeedMove.reset)))
        #expect(rivals(next.scroller.leaderboard(at: next.time)) == expected)
        let old = Viewer(seed: 7, memory: .object(["cards": .integer(5)]))
        #expect(rivals(old.scroller.leaderboard(at: .zero)) == rivals(Rivals(seed: 7, last: memory.last).board(hour: Int(newYear) / 3_600)),
                "a memory of older rules has no rivals")
        #expect(throws: Fault.self) { try JSONValue.object(["cards": .integer(5), "rivals": .integer(-1)]).read { try ColorScroller.Memory($0) } }
    }

    @Test(arguments: [0, 1, 2, 3]) func `a visit of fewer than three cards does not count`(cards: Int) {
        var viewer = Viewer(seed: 1, memory: .object(["lastScore": .integer(57)]))
        for _ in 0..<cards { viewer.swipe() }
        #expect(viewer.scroller.memory?.last.cards == (cards < 3 ? 57 : cards))
        var first = Viewer(seed: 1)
        for _ in 0..<cards { first.swipe() }
        #expect((first.scroller.memory == nil) == (cards < 3))
    }

    @Test func `what rules of version 1 remembered is read`() throws {
        let board = Viewer(seed: 1, memory: .object(["lastScore": .integer(57)])).scroller.leaderboard(at: .zero)
        #expect(board.lastSession == LastVisit(cards: 57) && board.rows.first { $0.isVisitor }?.score == 57)
    }

    @Test func `the visitor's rank is told whenever it changes, with whom was passed`() throws {
        var viewer = Viewer(seed: 1)
        #expect(viewer.state.rank == 11)
        var ranks: [Int] = []
        for viewed in 1...1_000 {
            viewer.swipe(after: 0.2)
            let rivals = Rivals(seed: 1, last: nil).board(hour: Int(newYear) / 3600).rows
            #expect(viewer.state.rank == 1 + rivals.count { $0.score >= viewed })
            guard let change = viewer.rankChange else { continue }
            ranks.append(change.rank)
            #expect(change.rank == viewer.state.rank && change.of == 11 && change.passed == rivals[change.rank - 1].name)
        }
        #expect(ranks == Array((1...10).reversed()))
    }
}

import Calendar
@testable import ColorScroller
import Experience
import Signals
import Testing

@Suite struct LeaderboardTests {
    @Test func `a board has ten rows, the best first, with handles everybody knows`() {
        let rows = Rivals(seed: 1, lastScore: nil).board(hour: 5).rows
        #expect(rows.count == 10 && rows.map(\.score) == rows.map(\.score).sorted(by: >))
        let names = (0..<100).reduce(into: Set<String>()) { names, hour in
            names.formUnion(Rivals(seed: 1, lastScore: nil).board(hour: hour).rows.map(\.name))
        }
        #expect(names.isSuperset(of: ["void_echo", "pixel_drift", "dead_scroll"]))
    }

    @Test func `scores are a function of the hour and the seed`() {
        #expect(Rivals(seed: 1, lastScore: nil).board(hour: 5) == Rivals(seed: 1, lastScore: nil).board(hour: 5))
        #expect(Rivals(seed: 1, lastScore: nil).board(hour: 5) != Rivals(seed: 1, lastScore: nil).board(hour: 6))
        #expect(Rivals(seed: 1, lastScore: nil).board(hour: 5) != Rivals(seed: 2, lastScore: nil).board(hour: 5))
    }

    @Test(arguments: [0, 57, 5000]) func `the visitor's last session is among them, wherever it belongs`(score: Int) {
        let rows = Rivals(seed: 1, lastScore: score).board(hour: 5).rows
        #expect(rows.filter(\.isVisitor).map(\.score) == [score])
        #expect(rows.count == 10 && rows.map(\.score) == rows.map(\.score).sorted(by: >))
    }

    @Test func `a taunt tells the truth, and names somebody on the board`() {
        let rivals = Rivals(seed: 1, lastScore: nil)
        for viewed in 0...1000 {
            let taunt = rivals.taunt(viewed: viewed, hour: 5)
            let behind = rivals.board(hour: 5).rows.filter { $0.score < viewed }
            #expect(taunt == (behind.first.map { "You just passed \($0.name)!" } ?? "You are about to pass \(rivals.board(hour: 5).rows[9].name)!"))
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
        #expect(viewer.told == [Announcement(viewer.scroller.leaderboard(at: .zero))])
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
}

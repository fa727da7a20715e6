@testable import Experience
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

    @Test func `whom one has just passed is the best of those behind`() {
        let rivals = Rivals(seed: 1, lastScore: nil)
        let best = rivals.board(hour: 5).rows[0]
        #expect(rivals.passed(by: best.score, hour: 5) == best.name)
        #expect(rivals.passed(by: best.score - 1, hour: 5) != best.name)
        #expect(!rivals.passed(by: 0, hour: 5).isEmpty, "somebody is named even if nobody is behind")
    }

    /// 1,767,225,600 is midnight of 2026-01-01 in UTC (`date -u -d @1767225600`).
    @Test func `the board is told at first, and when the local hour changes`() {
        var viewer = Viewer(seed: 1, arrival: Arrival(time: 1_767_225_600 + 3590, utcOffset: 5 * 3600))
        #expect(viewer.told == [.leaderboard(viewer.scroller.leaderboard(at: .zero))])
        viewer.swipe(after: 9)
        #expect(!viewer.told.map(\.topic).contains(.leaderboard))
        #expect(viewer.record?.timeOfDayBucket == 0)
        viewer.swipe(after: 1)
        #expect(viewer.told.map(\.topic).contains(.leaderboard))
        #expect(viewer.record?.timeOfDayBucket == 1, "it is six o'clock")
    }
}

@testable import ColorScroller
import Experience
import Signals
import Testing

/// The visitors with hidden motives, who are invented: what is tested is that they are what they are said to be.
@Suite struct MotivatedVisitorTests {
    /// A visit: the velocity and the drought at each card, and whether the visitor liked being there when it came.
    private struct Visit: Equatable {
        struct Card: Equatable {
            var velocity: Double
            var drought: Int
            var isEngaged: Bool
        }

        var cards: [Card] = []
        var seconds = 0.0
        var hasLeft = false
    }

    private func visit(_ seed: UInt64, most: Int = 600) -> Visit {
        var viewer = Viewer(seed: seed)
        var visitor = MotivatedVisitor.declaration.make(SplitMix64(seed: seed &+ 0xABCD))
        var visit = Visit()
        for _ in 0..<most {
            let steps = visitor.next(in: viewer.run, at: viewer.state.time)
            if steps.isEmpty {
                visit.hasLeft = true
                break
            }
            for step in steps {
                viewer.wait(step.wait)
                viewer.act(step.kind)
            }
            guard let record = viewer.record else { continue }
            visit.seconds = record.sessionLength
            visit.cards.append(Visit.Card(velocity: record.velocity, drought: record.rewardDrought, isEngaged: visitor.isEngaged))
        }
        return visit
    }

    @Test func `the same seed makes the same visit, and another seed another`() {
        #expect(visit(3) == visit(3))
        #expect(visit(3) != visit(4))
    }

    @Test func `each swipe moves the feed, and everybody leaves in the end`() {
        let visits = (0..<60).map { visit(UInt64($0)) }
        let lengths = visits.map(\.cards.count).sorted()
        #expect(visits.count { !$0.hasLeft } == 0)
        #expect((50...160).contains(lengths[30]), "the median is \(lengths[30])")
        #expect(lengths[0] >= 5)
    }

    /// By 60 visits shares are known to 0.06, so that the bounds are wide.
    @Test func `most leave because they had enough, a few cards after they began to want to, and some are called away`() {
        let visits = (100..<160).map { visit(UInt64($0)) }
        let enough = visits.filter { $0.cards.last?.isEngaged == false }
        #expect((0.5...0.95).contains(Double(enough.count) / 60), "\(enough.count)")
        let stretches = enough.map { $0.cards.reversed().prefix { !$0.isEngaged }.count }.sorted()
        #expect((6...20).contains(stretches[stretches.count / 2]), "\(stretches)")
    }

    @Test func `whoever wants to leave has waited longer for something new than who does not`() {
        let cards = (200..<260).flatMap { visit(UInt64($0)).cards }
        func mean(_ isEngaged: Bool) -> Double {
            let part = cards.filter { $0.isEngaged == isEngaged }
            return part.reduce(0) { $0 + Double($1.drought) } / Double(max(1, part.count))
        }
        #expect(mean(false) > 1.5 * mean(true), "\(mean(false)), \(mean(true))")
    }

    @Test func `every visitor likes being there at first`() {
        for declaration in ColorScroller.declaration.visitors {
            #expect(declaration.make(SplitMix64(seed: 1)).isEngaged)
        }
    }
}

@testable import ColorScroller
import Experience
import Fields
import Journal
import Offline
import Signals
import SystemPackage
import Testing
import TestSupport
import Units

/// What is told of the visitors of one session in which the operator begins the feed anew: each is one of their own.
@Suite struct FeedResetTests {
    private let scratch: Scratch
    private let table: TelemetryTable

    init() throws {
        scratch = try Scratch()
        table = try #require(ColorScroller.declaration.telemetry.first { $0.lastRows != nil })
    }

    /// A session whose visitors look at so many cards each, with a reset between every two. `end` nil: it is cut off.
    private func session(_ cards: [Int], end: SessionEnd? = .idle, name: String = "s") throws -> FilePath {
        let visitor = VisitorDeclaration("queue", about: "Visitors one after the other.") { _ in Queue(cards: cards) }
        var simulation = Simulation(ColorScroller.self, visitor, seed: 5, turns: 1_000, idle: Seconds(45))
        var lines: [String] = []
        while let step = simulation.next() {
            var entry = step.entry
            if case .end(_, let frame) = entry {
                guard let end else { continue }
                entry = .end(end, at: frame)
            }
            lines.append(String(decoding: JournalLine.encode(entry), as: UTF8.self))
        }
        return FilePath(try scratch.write(lines.joined(), to: name + ".jsonl"))
    }

    /// The labels as a word: `y` for a visitor who leaves soon, `n` for one who stays, `?` where nobody knows.
    private func labels(_ text: TelemetryText, _ lines: String) throws -> String {
        let column = try #require(text.heading.dropLast().split(separator: ",").firstIndex(of: "churn"))
        return try lines.split(separator: "\r\n").map { line in
            let cell = line.split(separator: ",", omittingEmptySubsequences: false)[column]
            return try #require(["true": "y", "false": "n", "": "?"][cell])
        }.joined()
    }

    @Test(arguments: [
        ([10, 2], SessionEnd.idle, "nnnnn?????yy"), ([7, 12], .idle, "nn?????nnnnnnnyyyyy"), ([3, 6], .request, "???nyyyyy"),
        ([10, 2], .shutdown, "nnnnn???????"), ([3, 4, 6], nil, "???????n?????"), ([6, 0], .idle, "n?????"), ([0, 0, 6], .idle, "nyyyyy"),
    ])
    func `how long a visitor before a reset would have stayed nobody knows, and those after it are visitors of their own`(
        cards: [Int], end: SessionEnd?, labels expected: String
    ) throws {
        let journal = try session(cards, end: end)
        let text = TelemetryText(.csv, table)
        let log = try TelemetryLog(journal, of: table, [ColorScroller.self])
        #expect(try labels(text, text.lines(log)) == expected)
        // Part by part as well, each from where the last one ended.
        let export = TelemetryExport(text, of: [journal], ColorScroller.self)
        var part = try export.part(from: nil, limit: 3)
        var told = String(part.text.dropFirst(text.heading.count))
        while let next = part.next {
            part = try export.part(from: next, limit: 3, at: part.bookmark.map { [$0] } ?? [])
            told += part.text
        }
        #expect(try labels(text, told) == expected)
    }

    @Test func `each visitor has a visit, and those before a reset have not left`() throws {
        let practice = try #require(ColorScroller.declaration.prediction?.practice)
        let journal = try session([10, 0, 7, 4])
        let visits = try PredictedVisit.recorded(in: journal, by: .same, practice, [ColorScroller.self])
        #expect(visits.map(\.moments.count) == [10, 7, 4] && visits.map(\.hasLeft) == [false, false, true])
        // Two seconds a card, and more where the feed stands still, from where each one began.
        #expect(visits.allSatisfy { $0.seconds >= 1.9 * Double($0.moments.count) && $0.seconds < 4 * Double($0.moments.count) })
        #expect(try PredictedVisit.recorded(in: journal, predictedBy: .own("handTuned"), practice, ColorScroller.self) == visits)
        let figures = RecordedFigures(visits, reach: practice.reach)
        #expect(figures.visits == 3 && figures.censored == 2 && figures.moments == 21)
        let left = try PredictedVisit.recorded(in: session([10, 0], name: "t"), by: .same, practice, [ColorScroller.self])
        #expect(left.map(\.moments.count) == [10] && left.map(\.hasLeft) == [false])
    }
}

/// Visitors who look at a number of cards each, and an operator who begins the feed anew between them.
private struct Queue: SimulatedVisitor {
    var cards: [Int]

    mutating func next(in run: Run, at seconds: Double) -> [VisitorStep] {
        guard let still = cards.first, let scroller = run.piece as? ColorScroller else { return [] }
        if still > 0 {
            cards[0] -= 1
            let now = scroller.feedState(at: seconds)
            return [VisitorStep(after: max(2, (now.pausedUntil ?? 0) - now.time), .swipe(Swipe(.up, velocity: 2)))]
        }
        cards.removeFirst()
        return cards.isEmpty ? [] : [VisitorStep(after: 1, .action(Action(UncheckedAction(name: "feed.reset", fields: [:]))))]
    }
}

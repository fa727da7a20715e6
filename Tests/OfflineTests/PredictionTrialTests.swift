import Experience
import Fields
import Offline
import Signals
import Testing
import Units

/// A piece that counts taps, and nudges whoever taps from the third tap on: at each by `eager`, at the fourth alone by `shy`.
private struct Nudger: Experience {
    static let hush = Knob("hush", .number(0...1, standard: 0), about: "the part of visits in which nobody is nudged")
    static let whim = Knob("whim", .number(0...1, standard: 0.5), about: "the chance of a nudge for no reason")
    static let declaration = Declaration(
        name: "nudger", rulesVersion: 1, about: "nudges",
        topics: [TopicDeclaration("nudge", about: "Come on.", examples: [Nudge()], causes: ["tap"])], knobs: [hush, whim],
        prediction: PredictionDeclaration(
            models: ["eager", "shy"], inputs: ["taps"],
            practice: PredictionPractice(words: [:], visitor: "tapper", exploration: "whim", holdout: "hush", first: 3, grades: [.init(from: 0, rest: 0)], reach: 2,
                                         isStep: { $0.body is Nudge })),
        visitors: [VisitorDeclaration("tapper", about: "Taps, and longer when nudged.") { Tapper(draws: $0) }])

    let isShy: Bool
    let isHushed: Bool
    let hasWhims: Bool
    private(set) var taps = 0
    private(set) var nudges = 0

    init(_ opening: Opening) {
        isShy = opening.model == .own("shy")
        isHushed = opening.knobs.number(Self.hush) == 1
        hasWhims = opening.knobs.number(Self.whim) > 0
    }

    func refusal(of input: Input<NoMove>, at now: Now) -> Fault? { nil }

    mutating func begin(at now: Now, _ memory: NoMemory?) -> Effects { Effects() }

    mutating func reduce(_ input: Input<NoMove>, at now: Now) -> Effects {
        guard case .tap = input else { return Effects() }
        taps += 1
        var effects = Effects()
        effects.logOdds = Double(taps) / 10
        if !isHushed, hasWhims || taps == 4 || (taps >= 3 && !isShy) {
            nudges += 1
            effects.tell(Nudge())
        }
        return effects
    }
}

private struct Nudge: AnnouncementBody {
    var topic: String { "nudge" }
}

/// Means to tap five to nine times, and once more for each of the first two nudges. Likes being there for the first three.
private struct Tapper: SimulatedVisitor {
    var draws: SplitMix64
    private let meant: Int
    private var taps = 0

    init(draws: SplitMix64) {
        self.draws = draws
        meant = 5 + self.draws.below(5)
    }

    var isEngaged: Bool { taps <= 3 }

    mutating func next(in run: Run, at seconds: Double) -> [VisitorStep] {
        guard let nudger = run.piece as? Nudger, nudger.taps < meant + min(2, nudger.nudges) else { return [] }
        taps += 1
        return [VisitorStep(after: 1.5, .tap(Tap()))]
    }
}

@Suite struct PredictionTrialTests {
    private func trial(turns: Int = 100) throws -> PredictionTrial {
        try PredictionTrial(of: Nudger.self, on: try #require(Nudger.declaration.visitors.first), turns: turns, idle: Seconds(10))
    }

    private func visits(by model: String, mayStep: Bool, turns: Int = 100) throws -> [PredictedVisit] {
        let trial = try trial(turns: turns)
        return (0..<20).map { trial.visit(seed: $0, by: .own(model), mayStep: mayStep) }
    }

    @Test func `with nothing, the piece never steps in, and every model sees the same visits`() throws {
        let nothing = try visits(by: "eager", mayStep: false)
        #expect(try nothing == visits(by: "shy", mayStep: false))
        #expect(nothing.map(\.steps).max() == 0)
        #expect(Set(nothing.map(\.moments.count)) == [5, 6, 7, 8, 9])
        // Each tap comes after a second and a half.
        #expect(nothing.filter { abs($0.seconds - 1.5 * Double($0.moments.count)) > 1e-3 } == [])
        #expect(nothing.count { $0.hasLeft } == 20)
    }

    @Test func `a visitor of one seed has the same luck under each model, so that what differs is the model's doing`() throws {
        let nothing = try visits(by: "eager", mayStep: false)
        let (eager, shy) = (try visits(by: "eager", mayStep: true), try visits(by: "shy", mayStep: true))
        #expect(zip(eager, nothing).map { $0.moments.count - $1.moments.count } == [Int](repeating: 2, count: 20))
        #expect(zip(shy, nothing).map { $0.moments.count - $1.moments.count } == [Int](repeating: 1, count: 20))
        let effect = PredictionEffect(of: shy, beside: nothing)
        // All alike: the interval is a point.
        #expect(effect.moments == Estimate(1, low: 1, high: 1) && effect.minutes.map { abs($0.value - 0.025) < 1e-6 } == true)
    }

    /// Explored, there would be a nudge at each tap.
    @Test func `nothing is explored: a model does what it says`() throws {
        #expect(try visits(by: "shy", mayStep: true).map(\.steps) == [Int](repeating: 1, count: 20))
    }

    @Test func `what a moment has is its margin, whether the piece stepped in, and whether the visitor liked being there`() throws {
        let visit = try trial().visit(seed: 3, by: .own("shy"), mayStep: true)
        #expect(visit.moments.prefix(5).map(\.logOdds) == [0.1, 0.2, 0.3, 0.4, 0.5])
        #expect(visit.moments.prefix(5).map(\.isStep) == [false, false, false, true, false])
        #expect(visit.moments.prefix(5).map(\.isEngaged) == [true, true, true, false, false])
    }

    @Test func `a visit that is cut short has not ended by the visitor's leaving`() throws {
        let cut = try visits(by: "shy", mayStep: false, turns: 4)
        #expect(cut.count { $0.hasLeft } == 0 && cut.map(\.moments.count) == [Int](repeating: 4, count: 20))
    }

    @Test func `of a piece that predicts nothing there is no trial`() throws {
        struct Silent: Experience {
            static let declaration = Declaration(name: "silent", rulesVersion: 1, about: "says nothing")
            init(_ opening: Opening) {}
            func refusal(of input: Input<NoMove>, at now: Now) -> Fault? { nil }
            mutating func begin(at now: Now, _ memory: NoMemory?) -> Effects { Effects() }
            mutating func reduce(_ input: Input<NoMove>, at now: Now) -> Effects { Effects() }
        }
        let visitor = try #require(Nudger.declaration.visitors.first)
        #expect(throws: Fault(field: "experience", expected: "a piece that predicts", found: "\"silent\"")) {
            try PredictionTrial(of: Silent.self, on: visitor, turns: 1, idle: Seconds(1))
        }
    }
}

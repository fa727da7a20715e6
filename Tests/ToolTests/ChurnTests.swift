import ArgumentParser
import Classifier
import Experience
import Fields
import Foundation
import FoundationXML
import Offline
import Registry
import SystemPackage
import Testing
import TestSupport
@testable import Tool

/// The models by which a piece says who is about to leave: what people are told of them.
@Suite struct ChurnTests {
    private static let practice = PredictionPractice(words: ["plain": "Counts."], visitor: "guest", exploration: "whim", holdout: "hush",
                                                     first: 1, grades: [.init(from: 0, rest: 0)], reach: 2, isStep: { _ in false })
    private static let prediction = PredictionDeclaration(models: ["plain", "odd"], inputs: ["taps", "seconds"], practice: practice)

    private static let classifier = Classifier(name: "churn.mlmodel", digest: String(repeating: "a", count: 64), inputs: ["taps", "seconds"],
                                               form: .linear(LinearForm(weights: [0.5, -0.25], offset: 1)))

    /// A visit of ten moments: the visitor wants to leave from the sixth on. The piece steps in at those of `steps`, from 0.
    private func visit(_ steps: Set<Int>, length: Int = 10, lift: Double = 0) -> PredictedVisit {
        var visit = PredictedVisit()
        visit.moments = (0..<length).map { PredictedVisit.Moment(logOdds: Double($0) / 5 - 1 + lift, isStep: steps.contains($0), isEngaged: $0 < 5) }
        visit.seconds = 6 * Double(length)
        visit.hasLeft = true
        return visit
    }

    private var report: TrialReport {
        let nothing = [visit([]), visit([]), visit([], length: 8), visit([], length: 12)]
        let some = [visit([6], length: 13), visit([2]), visit([], length: 8), visit([6], length: 14)]
        return TrialReport(experience: "a & b", profile: "guest", seed: 1, nothing: PredictionFigures(nothing, reach: 2), models: [
            TrialReport.Result(.own("plain"), nothing, beside: nothing, Self.practice),
            TrialReport.Result(.learned(Self.classifier), some, beside: nothing, Self.practice),
        ])
    }

    @Test func `one of the piece's own is described by its words, and a file by its digest`() {
        let own = ModelDescription(.own("plain"), of: "colorscroller", Self.prediction)
        #expect(own.isStandard && own.lines == ["plain, the standard of colorscroller", "  about       Counts.",
                                                "  form        one of colorscroller's own", "  inputs      taps, seconds"])
        let file = ModelDescription(.learned(Self.classifier), of: "colorscroller", Self.prediction)
        #expect(!file.isStandard && file.lines == [
            "churn.mlmodel", "  digest      " + Self.classifier.digest, "  form        a weighted sum of its inputs",
            "  inputs      taps, seconds", "  base        1.0", "  weight of taps                    0.5",
            "  weight of seconds                 -0.25",
        ])
        let trees = TreeEnsemble(base: -1, trees: [[.branch(input: 0, relations: .less, threshold: 3, then: 1, otherwise: 2), .leaf(1), .leaf(2)],
                                                   [.leaf(0)]])
        let forest = ModelDescription(.learned(Classifier(name: "f", digest: "", inputs: ["taps"], form: .trees(trees))), of: "a", Self.prediction)
        #expect(forest.lines.contains("  form        2 trees of 4 nodes, the deepest of 1 branches; their leaves are added up"))
        #expect(forest.form == "trees" && forest.trees == 2 && forest.nodes == 4 && forest.depth == 1 && forest.base == -1)
        #expect(ModelDescription(.own("odd"), of: "colorscroller", Self.prediction).about == nil)
    }

    @Test func `a model's word is one of the piece's own, or else a file, and a word that is neither is named`() throws {
        #expect(try ModelArgument(argument: "odd").model(of: Self.prediction) == .own("odd"))
        #expect(throws: Exit.noInput) { try ModelArgument(argument: "/nowhere/od").model(of: Self.prediction) }
    }

    @Test func `a file that is no model is named once`() throws {
        let scratch = try Scratch()
        let path = try scratch.write("no model", to: "text.mlmodel")
        let argument = ModelArgument(argument: path)
        #expect(throws: Exit.data) { try argument.model(of: Self.prediction) }
        let (words, status) = argument.problem(Fault(field: path, expected: "a model"), of: Self.prediction)
        #expect(words == "\(path): expected a model" && status == Exit.data)
        #expect(argument.problem(Errno.permissionDenied, of: Self.prediction).words == "\(path): \(Errno.permissionDenied)")
        #expect(ModelArgument(argument: "od").problem(Errno.noSuchFileOrDirectory, of: Self.prediction).words
            == "expected one of plain, odd, or a classifier's file, found \"od\" (did you mean odd?)")
    }

    @Test func `a figure has what it may be off by, and a dash where there is none`() {
        #expect(EstimateText.words(Estimate(1.25, low: 1.2, high: 1.28), digits: 2) == "1.25 ±0.05")
        #expect(EstimateText.words(Estimate(0.5, low: 0.4, high: 0.6), digits: 1, factor: 100) == "50.0 ±10.0")
        #expect(EstimateText.words(Estimate(3, low: 2, high: 4), digits: 0, isSigned: true) == "+3 ±1")
        #expect(EstimateText.words(Estimate(-3, low: -4, high: -2), digits: 0, isSigned: true) == "-3 ±1")
        #expect(EstimateText.words(Estimate(2), digits: 0) == "2" && EstimateText.words(nil as Estimate?, digits: 0) == "–")
        #expect(EstimateText.words(nil as Double?, digits: 1) == "–" && EstimateText.words(0.25, digits: 1) == "0.3")
    }

    @Test func `a trial's table has a column for nothing and for each model`() throws {
        let table = try #require(report.statistics.tables.first)
        #expect(table.columns == ["nothing", "plain", "churn"])
        let rows = Dictionary(uniqueKeysWithValues: table.rows.map { ($0.title, $0.cells) })
        // Two of four felt it; three steps in four visits; 13 + 10 + 8 + 14 moments beside 10 + 10 + 8 + 12.
        #expect(rows["felt before, %"]?[2].hasPrefix("50.0 ") == true && rows["steps in a visit"]?[2].hasPrefix("0.75 ") == true)
        #expect(rows["more moments"]?[2].hasPrefix("+1.25 ") == true && rows["more moments"]?[1] == "0.00 ±0.00")
        // One step while somebody liked being there, of 20 moments.
        #expect(rows["in 40 if engaged"]?[2].hasPrefix("2.000 ") == true)
        #expect(table.rows.count { $0.cells.count != 3 } == 0)
    }

    @Test func `as JSON a trial's figures are numbers`() throws {
        struct Read: Decodable {
            struct Model: Decodable {
                struct Figures: Decodable { var felt: Number }
                struct Effect: Decodable { var moments: Number }
                struct Number: Decodable { var value: Double; var low: Double?; var high: Double? }
                var name: String
                var digest: String?
                var figures: Figures
                var effect: Effect
            }
            var models: [Model]
        }
        let read = try JSONDecoder().decode(Read.self, from: Data(JSONReport.text(report).utf8))
        #expect(read.models.map(\.name) == ["plain", "churn.mlmodel"] && read.models.map(\.digest) == [nil, Self.classifier.digest])
        #expect(read.models[1].figures.felt.value == 0.5 && read.models[1].effect.moments.value == 1.25)
    }

    @Test(arguments: [nil, PictureStyle.dark]) func `the picture is XML, with a curve and a dot for each model`(style: PictureStyle?) throws {
        let svg = TrialDrawing(report: report).svg(style: style)
        #expect(XMLParser(data: Data(svg.utf8)).parse())
        #expect(svg.contains("visitors of a &amp; b,"))
        // A curve and a sample in the legend for each.
        #expect(svg.matches(of: /<polyline class="short"/).count == 2 && svg.matches(of: /<polyline class="mark"/).count == 2)
        #expect(svg.matches(of: /<title>(plain|churn\.mlmodel): [0-9]/).count == 2)
        #expect(svg.contains(">+1.25 ±"))
    }

    @Test func `a picture of one visitor, of whom nothing is known for sure, is drawn as well`() {
        let one = TrialReport(experience: "a", profile: "guest", seed: 1, nothing: PredictionFigures([visit([])], reach: 2), models: [
            TrialReport.Result(.own("plain"), [visit([6])], beside: [visit([])], Self.practice),
        ])
        #expect(XMLParser(data: Data(TrialDrawing(report: one).svg().utf8)).parse())
    }

    @Test(arguments: [
        (["--visitors", "0"], "--visitors: expected 1 to 100000, found 0"), (["--turns", "0"], "--turns: expected 1 to 100000, found 0"),
        (["--seed", "9007199254740992"], "--seed: expected 0 to 9007199254740991, found 9007199254740992"),
        (["-o", "-"], "--output: expected a file's name, found \"-\""),
        (["-o", "trial.gif"], "--output: expected a name that ends in .svg or .png, found trial.gif"),
    ])
    func `what a trial cannot do is refused by the option's name`(words: [String], message: String) {
        #expect {
            _ = try ChurnCommand.Trial.parse(words)
        } throws: { error in
            ChurnCommand.Trial.message(for: error) == message
        }
    }

    @Test func `a trial of twenty visitors is run from the command line, and drawn`() throws {
        let scratch = try Scratch()
        let picture = scratch.file("trial.svg")
        try Pieces.$current.withValue(Pieces(Registry.pieces)) {
            try ChurnCommand.Trial.parse(["--visitors", "20", "--turns", "300", "--models", "handTuned,calibrated", "-o", picture]).run()
            #expect(throws: ExitCode.validationFailure) { try ChurnCommand.Trial.parse(["--profile", "nobody"]).run() }
            #expect(throws: ExitCode.validationFailure) { try ChurnCommand.Trial.parse(["--experience", "direct"]).run() }
        }
        #expect(XMLParser(data: try Data(contentsOf: URL(filePath: picture))).parse())
    }

    @Test func `a visitor is made up under the model that is asked for, which the journal names`() throws {
        let scratch = try Scratch()
        let journal = scratch.file("visit.jsonl")
        try Pieces.$current.withValue(Pieces(Registry.pieces)) {
            let words = ["--experience", "colorscroller", "--turns", "20", "-o", journal]
            try Simulate.parse(words + ["--model", "calibrated"]).run()
            #expect(throws: Exit.noInput) { try Simulate.parse(words + ["--model", "/nowhere/od"]).run() }
        }
        let header = try #require(String(contentsOfFile: journal, encoding: .utf8).split(separator: "\n").first)
        #expect(header.contains("calibrated") && !header.contains("handTuned"))
    }

    @Test func `recorded sessions are compared figure by figure`() throws {
        var cut = visit([2])
        cut.hasLeft = false
        let recorded = RecordedFigures([visit([3]), cut], reach: 2)
        #expect(recorded.visits == 2 && recorded.censored == 1 && recorded.leadOfFirst == 6 && recorded.felt?.value == 1)
        let comparison = ModelComparison(model: "odd", recorded: recorded, tested: RecordedFigures([visit([]), visit([])], reach: 2))
        let table = try #require(comparison.report.tables.first)
        #expect(table.columns == ["recorded", "odd"] && table.rows.first?.cells == ["20", "20"])
        #expect(comparison.report.lines.first?.text.hasPrefix("1,") == true && comparison.report.lines.last?.text.hasPrefix("0,") == true)
    }
}

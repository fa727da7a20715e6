import ArgumentParser
import Dispatch
import Experience
import Fields
import FoundationEssentials
import Journal
import Offline
import Settings
import Synchronization
import SystemPackage

extension ChurnCommand {
    struct Trial: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "trial",
            abstract: "Find out what a piece gains by knowing who is about to leave: the same visitors with nothing, and with each model.",
            discussion: """
                Simulated visitors with hidden motives go through their visits: once while the piece never steps in, and once for \
                each model. A visitor has the same seed and the same luck each time, so the differences are the models' doing. Nothing \
                is explored: each model does what it says. The visitors are invented, so the figures say what a model \
                is good for in an invented world.

                Felt is the share of visitors who had enough and left, and in whose visit the piece stepped in after they began to want to \
                leave, at least a few moments before the end. A moment is an event at which the piece predicts: of colorscroller a card. \
                Intervals are of 95 %.

                The picture has, for each model, what other thresholds would have come to in the visits with nothing, with a dot \
                where it is now; and how much longer visits are.

                EXAMPLES
                  thrum churn trial -o trial.svg
                  thrum churn trial --models handTuned,churn.mlmodel --visitors 2000
                  thrum churn trial --models churn.mlmodel --json | jq '.models[0].effect.moments'
                """)

        @Option(help: "The models, with commas between them: names of the piece's own, and files. (default: all of its own)",
                completion: Completions.models)
        var models: String?

        @Option(help: "So many visitors, 1 to 100000.")
        var visitors = 10_000

        @Option(parsing: .unconditional, help: "The first visitor's seed, 0 to 9007199254740991.")
        var seed: UInt64 = 1

        @Option(help: "How visitors go about it, as thrum simulate has them. (default: those with motives)")
        var profile: String?

        @Option(name: [.customLong("swipes"), .customLong("turns")], help: "How often a visitor swipes at most, 1 to 100000.")
        var turns = 1_000

        @Option(name: .shortAndLong, help: "Also draw it, into this file, .svg or .png.",
                completion: .file(extensions: PictureFormat.allCases.map(\.rawValue)))
        var output: FileArgument?

        @Flag(name: .shortAndLong, help: "Replace an existing file.")
        var force = false

        @Flag(help: "As JSON, for scripts.")
        var json = false

        @OptionGroup var piece: PredictingPiece

        func validate() throws {
            guard (1...100_000).contains(visitors) else {
                throw ValidationError("--visitors: expected 1 to 100000, found \(visitors)")
            }
            guard (1...100_000).contains(turns) else { throw ValidationError("--turns: expected 1 to 100000, found \(turns)") }
            guard JournalHeader.seeds.contains(seed) else {
                throw ValidationError("--seed: expected 0 to \(JournalHeader.seeds.upperBound), found \(seed)")
            }
            if output?.isStandardStream == true { throw ValidationError("--output: expected a file's name, found \"-\"") }
            _ = try PictureFormat(of: output, option: "--output")
        }

        func run() throws {
            let (type, prediction) = try piece.found()
            let trial = try trial(of: type)
            let words = models?.split(separator: ",").map(String.init) ?? prediction.models
            guard !words.isEmpty else { throw failure("--models: expected at least one, found none", .validationFailure) }
            let models = try words.map { try ModelArgument(argument: $0).model(of: prediction, field: "--models") }
            let bar = ProgressBar("trying")
            var results: [TrialReport.Result] = []
            var nothing: [PredictedVisit] = []
            for (index, model) in models.enumerated() {
                func visits(mayStep: Bool) -> [PredictedVisit] {
                    let done = Double(2 * index + (mayStep ? 1 : 0))
                    return self.visits(of: trial, by: model, mayStep: mayStep) { bar.show((done + $0) / Double(2 * models.count)) }
                }
                let silent = visits(mayStep: false)
                if index == 0 { nothing = silent }
                results.append(TrialReport.Result(model, visits(mayStep: true), beside: silent, trial.practice))
            }
            bar.clear()
            let report = TrialReport(experience: type.declaration.name, profile: try visitor(of: type).name, seed: seed,
                                     nothing: PredictionFigures(nothing, reach: trial.practice.reach), models: results)
            try draw(report)
            print(try json ? JSONReport.text(report)
                : StatisticsText(report: report.statistics, name: report.title).lines.joined(separator: "\n"))
        }

        private func trial(of piece: any Experience.Type) throws -> PredictionTrial {
            do {
                return try PredictionTrial(of: piece, on: try visitor(of: piece), turns: turns, idle: SettingsTable().catalog.idle.standard)
            } catch let fault as Fault {
                throw failure("--\(fault)", .validationFailure)
            }
        }

        private func visitor(of piece: any Experience.Type) throws -> VisitorDeclaration {
            let (visitors, name) = (piece.declaration.visitors, profile ?? piece.declaration.prediction?.practice?.visitor)
            guard let visitor = visitors.first(where: { $0.name == name }) else {
                let known = visitors.map(\.name).joined(separator: ", ")
                throw failure("--profile: expected one of \(known), found \"\(name ?? "")\"", .validationFailure)
            }
            return visitor
        }

        /// Simulates all visits by `model`, as many at once as the machine has processors. Returns them in the order of their seeds.
        private func visits(of trial: PredictionTrial, by model: PredictionModel, mayStep: Bool,
                            progress: @escaping @Sendable (Double) -> Void) -> [PredictedVisit] {
            let (first, count, size) = (seed, visitors, 50)
            let parts = (count + size - 1) / size
            let done = Mutex((visits: [[PredictedVisit]](repeating: [], count: parts), parts: 0))
            let next = Atomic(0)
            // Each worker starts another part as soon as it is done with one: long visits keep no processor waiting.
            DispatchQueue.concurrentPerform(iterations: min(parts, ProcessInfo.processInfo.activeProcessorCount)) { _ in
                while case let part = next.wrappingAdd(1, ordering: .relaxed).oldValue, part < parts {
                    let visits = (part * size..<min(count, (part + 1) * size)).map { visitor in
                        trial.visit(seed: JournalHeader.seed(visitor, after: first), by: model, mayStep: mayStep)
                    }
                    done.withLock { done in
                        done.visits[part] = visits
                        done.parts += 1
                        progress(Double(done.parts) / Double(parts))
                    }
                }
            }
            return done.withLock { $0.visits.flatMap(\.self) }
        }

        private func draw(_ report: TrialReport) throws {
            guard let output else { return }
            do {
                let format = try PictureFormat(of: output, option: "--output")
                let svg = TrialDrawing(report: report).svg(style: format.style(nil))
                try create(output.path, from: nil, replaces: force, advice: "") { try format.write(svg, to: $0) }
            } catch let errno as Errno {
                throw failure("\(output): \(errno)", Exit.inputOutput)
            }
        }
    }
}

/// The results of trying models on simulated visits.
struct TrialReport: Encodable {
    /// The results of one model.
    struct Result: Encodable {
        var name: String
        /// The SHA-256 of the model's file; nil for one of the piece's own models.
        var digest: String?
        /// The figures of the visits in which the piece acted on the model's predictions.
        var figures: PredictionFigures
        /// How well the model knew who was about to leave. This is judged on the visits in which the piece never stepped in, because its
        /// gifts would change who leaves.
        var skill: PredictionSkill
        /// How much longer visits are when the piece acts on the model's predictions than when it never steps in.
        var effect: PredictionEffect
        /// The results that other thresholds for the model's log-odds would have had. They are computed from the visits in which the piece
        /// never stepped in.
        var tradeOff: [TradeOff.Point]

        /// Computes the results of `model`. In `visits` the piece acted on its predictions; in `silent`, visits with the same seeds, the
        /// piece never stepped in.
        init(_ model: PredictionModel, _ visits: [PredictedVisit], beside silent: [PredictedVisit], _ practice: PredictionPractice) {
            name = model.name
            if case .learned(let classifier) = model { digest = classifier.digest }
            figures = PredictionFigures(visits, reach: practice.reach)
            skill = PredictionSkill(silent, reach: practice.reach)
            effect = PredictionEffect(of: visits, beside: silent)
            tradeOff = TradeOff(silent, practice).points
        }
    }

    var experience: String
    var profile: String
    /// The first visitor's seed.
    var seed: UInt64
    /// The figures of the visits in which the piece never stepped in.
    var nothing: PredictionFigures
    var models: [Result]

    var title: String { "\(nothing.visits) \(profile) visitors of \(experience), seeds from \(seed) on; invented, as are their motives" }

    /// The report as a table: a row for each figure, a column for each model.
    var statistics: StatisticsReport {
        func row(_ title: String, _ none: String, _ cell: (Result) -> String) -> (title: String, cells: [String]) {
            (title, [none] + models.map(cell))
        }
        return StatisticsReport(tables: [StatisticsReport.Table(columns: ["nothing"] + models.map(\.name.withoutModelEnding), rows: [
            row("steps in a visit", "0") { EstimateText.words($0.figures.steps, digits: 2) },
            row("first, to the end", "–") { EstimateText.words($0.figures.leadOfFirst, digits: 0) },
            row("felt before, %", "0") { EstimateText.words($0.figures.felt, digits: 1, factor: 100) },
            row("in 40 if engaged", "0") { EstimateText.words($0.figures.disturbed, digits: 3) },
            row("moments", EstimateText.words(nothing.moments, digits: 1)) { EstimateText.words($0.figures.moments, digits: 1) },
            row("minutes", EstimateText.words(nothing.minutes, digits: 2)) { EstimateText.words($0.figures.minutes, digits: 2) },
            row("more moments", "") { EstimateText.words($0.effect.moments, digits: 2, isSigned: true) },
            row("more minutes", "") { EstimateText.words($0.effect.minutes, digits: 3, isSigned: true) },
            row("AUC", "") { EstimateText.words($0.skill.area, digits: 3) },
            row("Brier", "") { EstimateText.words($0.skill.brier, digits: 4) },
        ])])
    }
}

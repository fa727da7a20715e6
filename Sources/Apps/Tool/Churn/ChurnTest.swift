import ArgumentParser
import Experience
import Journal
import Offline

extension ChurnCommand {
    struct Test: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "test",
            abstract: "Say what a model would have said in recorded sessions, beside what was said.",
            discussion: """
                Each session is replayed twice: as it was predicted, and by MODEL. The visitor's events stay as they were, but what the \
                piece gives in the second replay is what MODEL has it give. So the comparison is exact where the piece did not step in, as \
                in the visits that were held out, and a little off elsewhere. A session has several visits where the piece was begun anew \
                in it; those before the last were cut short.

                AUC is the chance that of two moments, one in the last few of a visitor who left and one before, the first has the higher \
                margin; its interval is by bootstrap over visits. Brier is the mean square of what the probability was off by: less is \
                better. A session that a shutdown, the day's end or a power cut ended is censored: of its last moments nobody knows \
                whether the visitor would have left, so they do not count.

                Steps, the first one and felt are of the visits that were not held out, and of what the model called for: a step that \
                was drawn by chance is none. AUC and Brier are of all visits.

                A journal that cannot be read or replayed is left out, and named when all others are done; then the exit status is 65.

                EXAMPLES
                  thrum churn test churn.mlmodel sessions/*.jsonl
                  thrum churn test handTuned newest newest-1 --json
                """)

        @Argument(help: ArgumentHelp(stringLiteral: ModelArgument.words), completion: Completions.models)
        var model: ModelArgument

        @Argument(help: SessionArgument.help, completion: SessionArgument.completion)
        var journals: [SessionArgument]

        @Flag(help: "As JSON, for scripts.")
        var json = false

        @OptionGroup var piece: PredictingPiece

        @OptionGroup var rules: RulesOption

        @OptionGroup var folder: SessionsOption

        func run() throws {
            let (type, prediction) = try piece.found()
            guard let practice = prediction.practice else {
                throw failure("--experience: expected a piece that acts on its predictions, found \(type.declaration.name)",
                              .validationFailure)
            }
            let model = try model.model(of: prediction)
            let (sessions, missing) = try journals.found(in: folder.path)
            var (said, would, unread): ([PredictedVisit], [PredictedVisit], [String]) = ([], [], [])
            let bar = ProgressBar("testing")
            for (index, session) in sessions.enumerated() {
                do {
                    let recorded = try PredictedVisit.recorded(in: session.path, by: rules.forRecords, practice, [type])
                    would += try PredictedVisit.recorded(in: session.path, predictedBy: model, practice, type)
                    said += recorded
                } catch {
                    unread.append((error as? JournalFault)?.description(file: session.name) ?? "\(session): \(error)")
                }
                bar.show(Double(index + 1) / Double(sessions.count))
            }
            bar.clear()
            let comparison = ModelComparison(model: model.name, recorded: RecordedFigures(said, reach: practice.reach),
                                             tested: RecordedFigures(would, reach: practice.reach))
            if !said.isEmpty {
                let name = said.count == 1 ? "1 visit" : "\(said.count) visits"
                print(json ? try JSONReport.text(comparison)
                    : StatisticsText(report: comparison.report, name: name).lines.joined(separator: "\n"))
            }
            // What is wrong comes last, so that nothing hides it.
            unread.forEach(warn)
            if !unread.isEmpty { warn("\(unread.count) of \(sessions.count) journals could not be used") }
            if let missing { throw missing }
            if !unread.isEmpty { throw Exit.data }
        }
    }
}

/// A comparison of the predictions in recorded sessions with those of another model.
struct ModelComparison: Encodable {
    var model: String
    var recorded: RecordedFigures
    var tested: RecordedFigures

    var report: StatisticsReport {
        let both = [recorded, tested]
        func row(_ title: String, _ cell: (RecordedFigures) -> String) -> (title: String, cells: [String]) { (title, both.map(cell)) }
        return StatisticsReport(
            lines: [
                StatisticsReport.Line("censored", "\(recorded.censored), whose last moments do not count"),
                StatisticsReport.Line("held out", "\(recorded.heldOut), of which the steps do not count"),
            ],
            tables: [StatisticsReport.Table(columns: ["recorded", model.withoutModelEnding], rows: [
                row("moments") { "\($0.moments)" },
                row("AUC") { EstimateText.words($0.skill.area, digits: 3) },
                row("Brier") { EstimateText.words($0.skill.brier, digits: 4) },
                row("steps in a visit") { EstimateText.words($0.steps, digits: 2) },
                row("first, to the end") { EstimateText.words($0.leadOfFirst, digits: 0) },
                row("felt before, %") { EstimateText.words($0.felt, digits: 1, factor: 100) },
            ])])
    }
}

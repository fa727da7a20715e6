import Classifier
import Conductor
import Experience
import Foreteller
import Journal
import Metronome
import Signals
import Testing
import Units

/// A run goes by the model that it began with, and its journal says which.
@Suite struct PredictionTests {
    private let output = RecordedOutput()
    private var conductor: Conductor

    init() {
        conductor = Conductor(Foreteller.self, theme: .standard, rate: .standard, idle: Seconds(45), lowering: lowering,
                              ports: output.ports, seed: { 3 }, clock: { clock }, utcOffset: { _ in 0 })
    }

    /// Has somebody tap, and the output place it.
    private mutating func tap(at frame: Int64) throws {
        _ = try conductor.handle(Event(client: .connection(1), .tap(Tap())), at: Due(Frame(frame)))
        place()
    }

    private mutating func place() {
        while output.placed < output.batches.count {
            _ = conductor.placed(at: output.batches[output.placed].due.frame)
            output.placed += 1
        }
    }

    private mutating func end(at frame: Int64) {
        conductor.end(.request, at: Frame(frame))
        place()
    }

    private var models: [JournalHeader.Model?] {
        output.whole.compactMap { if case .header(let header) = $0 { .some(header.model) } else { nil } }
    }

    private var logOdds: [Double] {
        output.whole.compactMap { if case .event(_, _, _, let gave) = $0 { gave?.logOdds } else { nil } }
    }

    private static let classifier = Classifier(
        name: "churn.mlmodel", digest: String(repeating: "b", count: 64), inputs: Foreteller.inputs,
        form: .linear(LinearForm(weights: [Double](repeating: 0.125, count: Foreteller.inputs.count), offset: -1)))

    @Test mutating func `the journal has the standard's name where nobody says otherwise, and a margin beside each prediction`() throws {
        try tap(at: 0)
        try tap(at: 100)
        #expect(models == [JournalHeader.Model(name: "rising")])
        // A number of taps less 2.1.
        #expect(logOdds == [1 - 2.1, 2 - 2.1])
    }

    @Test mutating func `another model counts from the next run on, whatever it is`() throws {
        try tap(at: 0)
        conductor.predict(by: .own("falling"))
        try tap(at: 100)
        end(at: 200)
        try tap(at: 10_000)
        conductor.predict(by: .learned(Self.classifier))
        end(at: 10_100)
        try tap(at: 20_000)
        conductor.predict(by: nil)
        end(at: 20_100)
        try tap(at: 30_000)
        #expect(models == [
            JournalHeader.Model(name: "rising"), JournalHeader.Model(name: "falling"),
            JournalHeader.Model(name: "churn.mlmodel", digest: String(repeating: "b", count: 64)), JournalHeader.Model(name: "rising"),
        ])
        // Eleven inputs of 1, an eighth each, less 1.
        let expected: [Double] = [1 - 2.1, 2 - 2.1, 2.1 - 1, 0.375, 1 - 2.1]
        #expect(logOdds == expected)
    }

    @Test mutating func `a piece that predicts nothing has no model in its journal`() throws {
        conductor = Conductor(Metronome.self, theme: .standard, rate: .standard, idle: Seconds(45), model: .own("rising"),
                              lowering: lowering, ports: output.ports, seed: { 3 }, clock: { clock }, utcOffset: { _ in 0 })
        _ = try conductor.handle(began(), at: Due(.zero))
        place()
        #expect(models == [nil])
    }
}

import Classifier
import Experience
import Fields
import Files
import Foreteller
import Foundation
import Journal
import ModelFile
@testable import Offline
import Signals
import Synchronization
import SystemPackage
import Testing
import TestSupport
import Units

/// A replay goes by the model that its session was played by, or says that it does not.
@Suite struct ReplayModelTests {
    private let scratch: Scratch
    private let pieces: [any Experience.Type] = [Foreteller.self]

    init() throws { scratch = try Scratch() }

    /// A session of five taps, a second apart, as a run with `model` plays it. `name` is what its header calls a model of the piece's own.
    private func session(_ model: PredictionModel, named name: String? = nil, _ change: (inout [JournalEntry]) -> Void = { _ in }) throws
        -> FilePath {
        var run = Run(Foreteller.self, Opening(theme: .standard, seed: 7, rate: .standard, model: model))
        let header = JournalHeader(sampleRate: .standard, seed: 7, experience: "foreteller", started: "then", theme: .standard,
                                   rules: JournalHeader.Rules(version: 1, opening: []),
                                   model: JournalHeader.Model(name: name ?? model.name, digest: model.digest))
        var entries = [JournalEntry.header(header)]
        for second in 0..<5 {
            let (event, frame) = (Event(client: .connection(1), .tap(Tap())), Frame(Int64(second) * 48_000))
            let effects = run.act(on: try run.admit(event, at: frame), at: frame)
            entries.append(.event(event, at: frame, gave: JournalEntry.Outcome(cues: effects.cues, logOdds: effects.logOdds)))
        }
        entries.append(.end(.idle, at: Frame(240_000)))
        change(&entries)
        let lines = entries.map { String(decoding: JournalLine.encode($0), as: UTF8.self) }
        return FilePath(try scratch.write(lines.joined(), to: "session.jsonl"))
    }

    private func logOdds(_ journal: FilePath, by rules: ReplayRules) throws -> [Double] {
        var replay = try Replay(journal, by: rules, pieces)
        var all: [Double] = []
        while try replay.step() != nil { if let logOdds = replay.logOdds { all.append(logOdds) } }
        return all
    }

    /// The fault of replaying by the session's rules with a model from there.
    private func fault(_ journal: FilePath, _ model: ReplayModel = .recorded) throws -> Fault {
        let fault = try #require(throws: JournalFault.self) { _ = try Replay(journal, by: .same.predicting(by: model), pieces) }
        #expect(fault.line == 1)
        return fault.fault
    }

    @Test func `a model of the piece's own is found by its name`() throws {
        for name in ["rising", "falling"] {
            let journal = try session(.own(name))
            #expect(try RulesCheck(journal, pieces) == .same(experience: "foreteller", rules: 1))
            #expect(try logOdds(journal, by: .same) == (1...5).map { Foreteller.logOdds(.own(name), taps: $0) })
        }
    }

    @Test(arguments: 1...5)
    func `the first line with another margin is named, however little it differs`(_ tap: Int) throws {
        let journal = try session(.own("falling")) { entries in
            guard case .event(let event, let frame, _, var gave?) = entries[tap] else { return }
            gave.logOdds = gave.logOdds?.nextUp
            entries[tap] = .event(event, at: frame, gave: gave)
        }
        #expect(try RulesCheck(journal, pieces) == .different(line: tap + 1))
        let without = try session(.own("falling")) { entries in
            guard case .event(let event, let frame, _, let gave?) = entries[tap] else { return }
            entries[tap] = .event(event, at: frame, gave: JournalEntry.Outcome(cues: gave.cues))
        }
        #expect(try RulesCheck(without, pieces) == .different(line: tap + 1))
    }

    @Test func `a model that this piece does not have is refused by name, and the standard may take its place`() throws {
        let journal = try session(.own("falling"), named: "sideways")
        #expect(try fault(journal) == Fault(
            field: "model", expected: "one of rising, falling, the models of foreteller in this Thrum; --model today takes rising",
            found: "\"sideways\""))
        #expect(try RulesCheck(journal, pieces) == .unchecked("\(try fault(journal))"))
        let rising = (1...5).map { Foreteller.logOdds(nil, taps: $0) }
        #expect(try logOdds(journal, by: .same.predicting(by: .today)) == rising)
        #expect(try logOdds(journal, by: .today.predicting(by: .today)) == rising)
        #expect(try RulesCheck(journal, model: .today, pieces) == .different(line: 2))
    }

    @Test func `a replay by today's model says so where the session was played by another`() throws {
        func note(_ model: ReplayModel, _ recorded: JournalHeader.Model?) -> String? {
            model.note(JournalHeader(sampleRate: .standard, seed: 7, experience: "foreteller", started: "then", theme: .standard,
                                     model: recorded), pieces)
        }
        #expect(note(.today, JournalHeader.Model(name: "churn.mlmodel", digest: String(repeating: "a", count: 64)))
            == "predicted by rising, the model of today, and not by churn.mlmodel, which the session was played by")
        #expect(note(.today, JournalHeader.Model(name: "rising")) == nil && note(.today, nil) == nil)
        #expect(note(.recorded, JournalHeader.Model(name: "falling")) == nil)
    }

    @Test func `a file is refused where the session was played by a model of the piece's own, or by none that is said`() throws {
        let own = try fault(try session(.own("falling")), .file("other.mlmodel"))
        #expect(own == Fault(field: "model", expected: "falling, which the session was played by and is no file", found: "other.mlmodel"))
        let unsaid = try session(.own("rising")) { entries in
            guard case .header(var header) = entries[0] else { return }
            header.model = nil
            entries[0] = .header(header)
        }
        #expect(try fault(unsaid, .file("other.mlmodel")).field == "model")
        // The standard's, as far as anybody knows.
        #expect(try RulesCheck(unsaid, pieces) == .same(experience: "foreteller", rules: 1))
    }

    @Test func `cues need no model, and what is told does`() throws {
        let journal = try session(.own("falling"), named: "sideways")
        #expect(throws: Never.self) { try Rendering.check(journal, by: .recorded, pieces) }
        #expect(throws: JournalFault.self) { try Rendering.check(journal, by: .same, pieces) }
        #expect(throws: JournalFault.self) { try TelemetryLog(journal, pieces) }
        #expect(try TelemetryLog(journal, by: .same.predicting(by: .today), pieces).rows.count == 5)
    }

    // MARK: Files

    /// A learned model's file, and the model in it.
    private func learned() throws -> (file: FilePath, classifier: Classifier) {
        let file = FilePath(repository + "/Tests/Fixtures/models/boosted.mlmodel")
        return (file, try Classifier(contentsOf: file, inputs: Foreteller.inputs))
    }

    /// Keeps a model's file beside the journal, as thrumd does.
    private func keep(_ file: FilePath, as digest: String, beside journal: FilePath) throws -> FilePath {
        let path = ReplayModel.file(digest: digest, in: journal.removingLastComponent())
        try path.removingLastComponent().makeDirectories()
        try FileManager.default.copyItem(atPath: file.string, toPath: path.string)
        return path
    }

    @Test func `a learned model that is not there is refused by its name and digest`() throws {
        let digest = String(repeating: "0a", count: 32)
        let journal = try session(.learned(Classifier(
            name: "churn.mlmodel", digest: digest, inputs: Foreteller.inputs,
            form: .linear(LinearForm(weights: Foreteller.inputs.map { _ in 0.5 }, offset: 0)))))
        let path = ReplayModel.file(digest: digest, in: journal.removingLastComponent())
        #expect(path.string.hasSuffix("/models/\(digest).mlmodel"))
        #expect(try fault(journal) == Fault(
            field: "model",
            expected: "churn.mlmodel of the digest \(digest), which the session was played by; --model FILE gives it, "
                + "--model today takes rising",
            found: "nothing at \(path)"))
        #expect(try RulesCheck(journal, pieces) == .unchecked("\(try fault(journal))"))
        #expect(throws: JournalFault.self) { try RulesCheck(journal, model: .file("nowhere.mlmodel"), pieces) }
    }

    @Test func `a learned model is found beside the journal or where it is said to be, under the name that it had`() throws {
        let (file, classifier) = try learned()
        let journal = try session(.learned(classifier.named("monday.mlmodel")))
        let expected = (1...5).map { Foreteller.logOdds(.learned(classifier), taps: $0) }
        #expect(try logOdds(journal, by: .same.predicting(by: .file(file))) == expected)
        #expect(throws: JournalFault.self) { try logOdds(journal, by: .same) }
        _ = try keep(file, as: classifier.digest, beside: journal)
        #expect(try logOdds(journal, by: .same) == expected)
        #expect(try RulesCheck(journal, pieces) == .same(experience: "foreteller", rules: 1))
        guard case .learned(let found)? = try ReplayModel.recorded.model(of: journal, Foreteller.declaration) else {
            Issue.record("no classifier")
            return
        }
        #expect(found.name == "monday.mlmodel")
    }

    @Test func `a file of another digest is refused by name, wherever it is`() throws {
        let (file, classifier) = try learned()
        let digest = String(repeating: "f", count: 64)
        let journal = try session(.learned(Classifier(
            name: "churn.mlmodel", digest: digest, inputs: Foreteller.inputs,
            form: .linear(LinearForm(weights: Foreteller.inputs.map { _ in 0.5 }, offset: 0)))))
        #expect(try fault(journal, .file(file)).found == "\(file), of the digest \(classifier.digest)")
        let path = try keep(file, as: digest, beside: journal)
        let found = try fault(journal)
        #expect(found.found == "\(path), of the digest \(classifier.digest)")
        #expect(found.expected.hasPrefix("churn.mlmodel of the digest \(digest)"))
    }

    @Test func `the file of many journals' model is parsed once, until it is another one`() throws {
        let readings = Mutex(0)
        let recent = RecentClassifier { path, inputs in
            let bytes = try Data(contentsOf: URL(filePath: path.string))
            guard !bytes.isEmpty else { throw Fault(field: "", expected: "a model", found: "nothing") }
            return readings.withLock { count in
                count += 1
                return Classifier(name: "\(count)", digest: "", inputs: inputs,
                                  form: .linear(LinearForm(weights: inputs.map { _ in 0 }, offset: 0)))
            }
        }
        let (one, other) = (FilePath(try scratch.write("one", to: "1.mlmodel")), FilePath(try scratch.write("two", to: "2.mlmodel")))
        func name(_ path: FilePath, _ inputs: [String] = ["a"]) throws -> String { try recent.classifier(of: path, inputs: inputs).name }
        #expect(try [name(one), name(one), name(one)] == ["1", "1", "1"])
        #expect(try [name(one, ["b"]), name(other), name(other), name(one)] == ["2", "3", "3", "4"])
        // A fault is not kept, nor is what was there before it.
        _ = try scratch.write("", to: "1.mlmodel")
        for _ in 0..<2 { #expect(throws: Fault.self) { try name(one) } }
        _ = try scratch.write("three", to: "1.mlmodel")
        #expect(try [name(one), name(one)] == ["5", "5"])
        #expect(throws: Errno.noSuchFileOrDirectory) { try name("nowhere.mlmodel") }
    }

    @Test func `a file that is no classifier is refused with the reason`() throws {
        let digest = String(repeating: "e", count: 64)
        let journal = try session(.learned(Classifier(
            name: "churn.mlmodel", digest: digest, inputs: Foreteller.inputs,
            form: .linear(LinearForm(weights: Foreteller.inputs.map { _ in 0.5 }, offset: 0)))))
        let text = FilePath(try scratch.write("no model", to: "text.mlmodel"))
        #expect(try fault(journal, .file(text)).found?.hasPrefix("\(text): ") == true)
    }
}

extension ReplayModel {
    /// The model for a whole journal, by its header.
    fileprivate func model(of journal: FilePath, _ piece: Declaration) throws -> PredictionModel? {
        let text = try String(contentsOfFile: journal.string, encoding: .utf8)
        let line = try #require(text.split(separator: "\n").first)
        return try model(of: JournalLine.decodeHeader(line.utf8), in: journal, piece)
    }
}

import Fields
import Journal
import Signals
import Testing
import Units

private let digest = String(repeating: "0a", count: 32)

private func header(_ model: JournalHeader.Model?) -> JournalHeader {
    JournalHeader(sampleRate: .standard, seed: 7, experience: "foreteller", started: "then", theme: .standard,
                  rules: JournalHeader.Rules(version: 1, opening: []), model: model)
}

private func event(_ logOdds: Double?) -> JournalEntry {
    .event(Event(client: .connection(1), .tap(Tap())), at: Frame(9), gave: JournalEntry.Outcome(cues: [.chime("ding")], logOdds: logOdds))
}

private func line(_ entry: JournalEntry) -> String { String(decoding: JournalLine.encode(entry).dropLast(), as: UTF8.self) }

private func read(_ lines: [String]) throws -> [JournalEntry] {
    var reader = JournalReader()
    return try lines.map { try reader.read(Array($0.utf8)[...]) }
}

/// The model of a session, and the margins that it gave.
@Suite struct MarginLineTests {
    @Test(arguments: [nil, JournalHeader.Model(name: "rising"), JournalHeader.Model(name: "churn v2.mlmodel", digest: digest)])
    func `a header says by which model a session predicted`(_ model: JournalHeader.Model?) throws {
        #expect(try read([line(.header(header(model)))]) == [.header(header(model))])
        let spelled = switch (model, model?.digest) {
        case (nil, _): ""
        case (let model?, nil): #""model":{"name":"\#(model.name)"},"#
        case (let model?, let digest?): #""model":{"digest":"\#(digest)","name":"\#(model.name)"},"#
        }
        #expect(line(.header(header(model))).contains(#""format":"thrum-journal",\#(spelled)"rules":1,"#))
    }

    @Test func `a line has the margin beside its cues, and is read back to the last bit`() throws {
        #expect(line(event(-0.25)) == #"{"client":1,"cues":[{"cue":"chime","name":"ding"}],"event":"tap","frame":9,"margin":-0.25}"#)
        #expect(line(event(nil)) == #"{"client":1,"cues":[{"cue":"chime","name":"ding"}],"event":"tap","frame":9}"#)
        for logOdds: Double in [0, -0.0, 0.1 + 0.2, -1.0 / 3, .leastNonzeroMagnitude, 1e300, -Double.greatestFiniteMagnitude] {
            let entries = try read([line(.header(header(nil))), line(event(logOdds))])
            guard case .event(_, _, _, let gave?)? = entries.last else { Issue.record("no event"); return }
            #expect(gave.logOdds?.bitPattern == logOdds.bitPattern)
        }
    }

    @Test(arguments: [
        (#""name":"rising""#, #""name":"""#, "model.name"), (#""digest":"0a"#, #""digest":"0A"#, "model.digest"),
        (#""digest":"0a"#, #""digest":"a"#, "model.digest"), (#""name":"rising""#, #""name":"rising","inputs":[]"#, "model.inputs"),
    ])
    func `what is wrong with a model is named`(good: String, bad: String, field: String) throws {
        let whole = line(.header(header(JournalHeader.Model(name: "rising", digest: digest)))).replacing(good, with: bad)
        let fault = try #require(throws: JournalFault.self) { try read([whole]) }
        #expect(fault.line == 1 && field.hasSuffix(fault.fault.field) && !fault.fault.field.isEmpty)
    }

    @Test(arguments: [#""much""#, "true", "1e400", "null", "[1]"])
    func `a margin that is no finite number is refused`(logOdds: String) throws {
        let bad = line(event(-0.25)).replacing("-0.25", with: logOdds)
        let fault = try #require(throws: JournalFault.self) { try read([line(.header(header(nil))), bad]) }
        #expect(fault.line == 2)
    }

    @Test func `a journal of version 1 has neither`() throws {
        var first = header(nil)
        first.rules = nil
        let named = line(.header(first)).replacing(#""format":"#, with: #""model":{"name":"rising"},"format":"#)
        #expect(try #require(throws: JournalFault.self) { try read([named]) }.fault.field == "model")
        let told = #"{"event":"stop","frame":9,"margin":1}"#
        #expect(try #require(throws: JournalFault.self) { try read([line(.header(first)), told]) }.fault.field == "margin")
    }

    @Test func `an action cannot have a field margin of its own, which is the line's`() throws {
        #expect(EventKind.fieldsAround.contains("margin"))
        let told = #"{"client":1,"event":"x.y","frame":9,"margin":1.5,"mood":"good"}"#
        let entries = try read([line(.header(header(nil))), told])
        guard case .event(let event, _, _, let gave?)? = entries.last, case .action(let action) = event.kind,
              let body = action.body as? UncheckedAction else { Issue.record("no action"); return }
        #expect(gave.logOdds == 1.5 && body.fields == ["mood": .text("good")])
    }
}

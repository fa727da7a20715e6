import Experience
import Foundation
import Glibc
import PiggyBank
import Publishing
import StateStore
import SystemPackage
import Testing
import TestSupport
import Wire

@testable import Live

/// Documents through the stage: from what operators ask to what the run goes by and the disk has.
@Suite struct StageDocumentsTests {
    private let scratch: Scratch
    private let rig: StageRig

    init() throws {
        scratch = try Scratch()
        rig = try StageRig(PiggyBank.self, state: scratch.file("state"))
    }

    /// Anna and Ben have tokens, number 3 is root on the control socket, and nobody knows who number 4 is.
    private func connect(_ rig: StageRig) async throws {
        let identities: [Identity] = [.token("anna"), .token("ben"), .user(0), .unknown]
        for (index, identity) in identities.enumerated() { _ = try await rig.connect(index + 1, as: .operator, identity: identity) }
    }

    private func terms(bonus: Int, capacity: Int = 1_000) -> String { #"{"bonus":\#(bonus),"capacity":\#(capacity),"stickers":[]}"# }

    private func propose(_ client: Int, _ document: String, _ rig: StageRig) async throws -> String {
        try #require(try await rig.askPatiently(client, "config.propose", #"{"kind":"terms","document":\#(document)}"#))
    }

    private func step(_ client: Int, _ method: String, _ version: Int, _ rig: StageRig) async throws -> String {
        try #require(try await rig.askPatiently(client, "config.\(method)", #"{"kind":"terms","version":\#(version)}"#))
    }

    /// Anna proposes, Ben approves, Anna publishes. Returns the last answer.
    private func release(_ document: String, _ version: Int, _ rig: StageRig) async throws -> String {
        #expect(try await propose(1, document, rig).contains(#""version":\#(version)"#))
        #expect(try await step(2, "approve", version, rig).contains(#""state":"approved""#))
        return try await step(1, "publish", version, rig)
    }

    private func worth(_ rig: StageRig, _ key: String) async throws -> Int {
        func sum() async throws -> Int {
            let answer = try await rig.ask(1, "bank.sum", "{}")
            return try #require(answer?.firstMatch(of: /"sum":(\d+)/).flatMap { Int($0.1) }, "\(answer ?? "")")
        }
        let before = try await sum()
        _ = try await rig.ask(1, "bank.put", #"{"amount":10,"key":"\#(key)"}"#)
        // First the store is asked for the key.
        #expect(try await eventually { try await sum() != before })
        return try await sum() - before
    }

    @Test func `one person cannot publish, two can, and the run goes by it at once`() async throws {
        try await connect(rig)
        #expect(try await worth(rig, "a") == 10)
        #expect(try await propose(1, terms(bonus: 5), rig).contains(#""proposed":{"at":"#))
        #expect(try await step(1, "approve", 1, rig).contains("one that somebody else than anna has proposed: two people publish"))
        #expect(try await step(1, "publish", 1, rig).contains("a version that somebody else than its proposer has approved"))
        #expect(try await step(4, "approve", 1, rig).contains("somebody with a name"))
        #expect(try await worth(rig, "b") == 10)
        #expect(try await step(2, "approve", 1, rig).contains(#""by":"ben""#))
        #expect(try await step(1, "publish", 1, rig).contains(#""state":"published""#))
        #expect(try await worth(rig, "c") == 15)
        // What was answered is on the disk already.
        let copy = try Scratch()
        for name in ["state.sqlite", "state.sqlite-wal"] {
            try FileManager.default.copyItem(atPath: scratch.file("state/\(name)"), toPath: copy.file(name))
        }
        let kept = StateStore(in: FilePath(copy.path)).open().documents
        #expect(kept.map(\.piece) == ["piggy-bank"] && kept.map(\.version.state) == [.published] && kept[0].version.body == terms(bonus: 5))
        try await rig.stop()
    }

    @Test func `no operator makes another operator, and two tokens of one person are one person`() async throws {
        try await connect(rig)
        let refused = try await rig.askPatiently(1, "token.add", #"{"name":"otto","role":"operator"}"#)
        #expect(refused?.contains("only root and thrumd's own user make operators") == true, "\(refused ?? "")")
        #expect(try await rig.askPatiently(4, "token.add", #"{"name":"otto","role":"operator"}"#)?.contains("make operators") == true)
        #expect(try await rig.askPatiently(1, "token.add", #"{"name":"page","role":"visitor"}"#)?.contains(#""token":""#) == true)
        #expect(try await rig.askPatiently(3, "token.add", #"{"name":"otto+phone","role":"operator"}"#)?.contains(#""token":""#) == true)
        await #expect(throws: ErrorReply.self, "nobody's") { try await rig.ask(3, "token.add", #"{"name":"+phone","role":"watch"}"#) }
        _ = try await rig.connect(5, as: .operator, identity: .token("anna+phone"))
        _ = try await propose(1, terms(bonus: 5), rig)
        #expect(try await step(5, "approve", 1, rig).contains("one that somebody else than anna has proposed"))
        #expect(try await step(2, "approve", 1, rig).contains(#""state":"approved""#))
        try await rig.stop()
    }

    @Test func `a bad document is not proposed, all its faults are named, and what households have counts`() async throws {
        try await connect(rig)
        _ = try await worth(rig, "a")
        let bad = try await propose(1, terms(bonus: 2_000), rig)
        #expect(bad.contains(#""field":"terms.bonus""#) && bad.contains("expected a whole number from 0 to 1000, found 2000"))
        #expect(try await propose(1, terms(bonus: 1, capacity: 9), rig).contains("terms.capacity: expected 10 or more, which a household has, found 9"))
        #expect(try await propose(1, "[]", rig).contains(#""field":"terms""#))
        let unknown = try await rig.askPatiently(1, "config.propose", #"{"kind":"prices","document":{}}"#)
        #expect(unknown?.contains(#"kind: expected one of terms, found \"prices\""#) == true)
        #expect(try await rig.ask(1, "config.history", "{}")?.contains(#""versions":[]"#) == true)
        try await rig.stop()
    }

    @Test func `a version is compared with what it takes the place of, and simulated where that is asked for`() async throws {
        try await connect(rig)
        let told = try await rig.connect(6, as: .operator, identity: .token("carl"))
        _ = try await rig.ask(6, "subscribe", #"{"topics":["config.outlook"]}"#)
        _ = try await propose(1, terms(bonus: 5, capacity: 120), rig)
        let plain = try await rig.askPatiently(2, "config.diff", #"{"kind":"terms"}"#)
        #expect(plain == #"{"id":1,"jsonrpc":"2.0","result":{"changes":[{"new":5,"old":0,"path":"bonus"},"#
            + #"{"new":120,"old":9007199254740992,"path":"capacity"}],"former":0,"kind":"terms","objections":[],"version":1}}"#)
        let simulated = try await rig.askPatiently(2, "config.diff", #"{"kind":"terms","version":1,"outlook":true}"#)
        // The same draws as `Terms.forecast`, in Python: SplitMix64 with seed 29.
        #expect(simulated?.contains(#""outlook":{"about":"1,000 banks with 10 coins each","rows":[{"#) == true, "\(simulated ?? "")")
        _ = try await rig.askPatiently(6, "config.diff", #"{"kind":"terms","version":1,"outlook":true}"#)
        let parts = told.all.filter { $0.contains(#""method":"config.outlook""#) }
        #expect(parts.count == 2 && parts.last?.contains(#""number":2,"kind":"terms","part":0.5"#) == true, "only its own: \(parts)")
        let wrong = try await rig.askPatiently(2, "config.diff", #"{"kind":"terms","document":{"bonus":-1,"capacity":3}}"#)
        #expect(wrong?.contains(#""objections":["terms.bonus: expected a whole number from 0 to 1000, found -1"]"#) == true)
        try await rig.stop()
    }

    @Test func `a rollback publishes the former's bytes`() async throws {
        try await connect(rig)
        _ = try await release(terms(bonus: 5), 1, rig)
        _ = try await release(terms(bonus: 7), 2, rig)
        #expect(try await worth(rig, "a") == 17)
        #expect(try await rig.askPatiently(2, "config.propose", #"{"kind":"terms","copyOf":1}"#)?.contains(#""version":3"#) == true)
        _ = try await step(1, "approve", 3, rig)
        _ = try await step(2, "publish", 3, rig)
        #expect(try await worth(rig, "b") == 15)
        let book = await rig.stage.book
        #expect(try Array(book.version(3, of: "terms").body.utf8) == Array(book.version(1, of: "terms").body.utf8))
        try await rig.stop()
    }

    @Test func `a machine that was off applies versions in their order, and the next start goes by the last`() async throws {
        try await connect(rig)
        for version in 1...3 { _ = try await release(terms(bonus: version), version, rig) }
        var lines: [String] = []
        for version in 1...3 {
            let answer = try #require(try await rig.ask(1, "config.get", #"{"kind":"terms","version":\#(version)}"#))
            lines.append(String(try #require(answer.firstMatch(of: /"result":(.*)\}$/)).1))
        }
        let other = try Scratch()
        let second = try StageRig(PiggyBank.self, state: other.file("state"))
        try await connect(second)
        func apply(_ client: Int, _ line: String) async throws -> String {
            try #require(try await second.askPatiently(client, "config.apply", #"{"published":\#(line)}"#))
        }
        #expect(try await apply(1, lines[0]).contains("thrumd's own user or root"))
        #expect(try await apply(3, lines[1]).contains("one that follows 0, which is in force here: versions come in their order, found 2, which follows 1"))
        for line in lines {
            let steps = line.replacing(/"document":\{[^}]*\},/, with: "")
            #expect(try await apply(3, line) == #"{"id":1,"jsonrpc":"2.0","result":\#(steps)}"#)
        }
        // A bank is fuller by now than the first version allowed: what is here already is not judged again.
        for _ in 0..<12 { _ = try await worth(second, "fill-\(UInt32.random(in: 0 ... .max))") }
        #expect(try await apply(3, lines[1]).contains(#""state":"published""#), "what is here already is no fault")
        let forged = lines[2].replacing(#""version":3"#, with: #""version":4"#).replacing(#""former":2"#, with: #""former":3"#)
            .replacing(#""by":"ben""#, with: #""by":"anna""#)
        #expect(try await apply(3, forged).contains("a version that one person proposed, another approved"))
        #expect(try await worth(second, "a") == 13)
        try await second.stop()
        let third = try StageRig(PiggyBank.self, state: other.file("state"))
        _ = try await third.connect(1, as: .operator, identity: .token("anna"))
        #expect(try await worth(third, "b") == 13)
        try await third.stop()
        try await rig.stop()
    }

    @Test func `without a state directory nothing is proposed`() async throws {
        let rig = try StageRig(PiggyBank.self)
        try await connect(rig)
        #expect(try await propose(1, terms(bonus: 5), rig).contains("there is no state directory to keep a document in"))
        try await rig.stop()
    }
}

extension Stage {
    fileprivate var book: Publications { desks.documents.book }
}

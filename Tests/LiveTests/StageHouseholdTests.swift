import Experience
import Registry
import Testing
import Unhooked

@testable import Live

/// Actions in a household's name, where another one is there.
@Suite struct StageHouseholdTests {
    private let rig: StageRig

    init() throws { rig = try StageRig(Unhooked.self) }

    /// What stands in the answer of why it was refused; nil where it was not, or its answer waits for the sound.
    private func refusal(_ client: Int, _ method: String, _ parameters: String) async throws -> String? {
        try await rig.ask(client, method, parameters).flatMap { $0.contains(#""error""#) ? $0 : nil }
    }

    private func energy() async throws -> String? {
        try await rig.ask(1, "unhooked.state", "{}")?.components(separatedBy: #""energy":"#).dropFirst().first?
            .components(separatedBy: ",").first
    }

    @Test func `a visitor acts in a household's name only where it says that name, and hears no other`() async throws {
        _ = try await rig.connect(1)
        _ = try await rig.connect(2)
        #expect(try await refusal(1, "unhooked.enter", #"{"household":"Ada Lovelace"}"#) == nil)
        let before = try await energy()
        #expect(before != nil)
        for (method, fields) in [("feed", #""food":"kibble","key":"a""#), ("buy", #""cosmetic":"cape","key":"b""#), ("cure", #""key":"c""#),
                                 ("revive", #""key":"d""#), ("restart", #""species":"dog","key":"e""#), ("adopt", #""species":"dog""#)] {
            let unsaid = try #require(try await refusal(2, "unhooked." + method, "{\(fields)}"))
            #expect(unsaid.contains("household: expected the name of the household that it is for") && !unsaid.contains("Ada"), "\(unsaid)")
            var answers: Set<String?> = []
            for name in ["home", "Bob", "Ada Lovelace"] {
                answers.insert(try await refusal(2, "unhooked." + method, #"{\#(fields),"household":"\#(name)"}"#))
            }
            #expect(answers.count == 1 && answers.first??.contains("not-allowed") == true, "nobody finds out by guessing: \(answers)")
        }
        #expect(try await energy() == before)
        #expect(try await refusal(1, "unhooked.feed", #"{"food":"kibble","key":"a","household":"Ada Lovelace"}"#) == nil)
        #expect(try await energy() != before)
        try await rig.stop()
    }

    @Test func `an operator need not say whose it is, and is refused a household that is not here`() async throws {
        _ = try await rig.connect(1, as: .operator)
        let before = try await energy()
        let other = try await refusal(1, "unhooked.feed", #"{"food":"kibble","key":"a","household":"Ada"}"#)
        #expect(other?.contains("found another one") == true)
        #expect(try await energy() == before)
        #expect(try await refusal(1, "unhooked.feed", #"{"food":"kibble","key":"a"}"#) == nil)
        #expect(try await energy() != before)
        try await rig.stop()
    }

    @Test func `every action with a key is done in a household's name`() {
        for action in Registry.pieces.declarations.flatMap(\.actions) where action.fields.contains(where: { $0.name == "key" }) {
            #expect(action.isForHousehold, "\(action.name)")
        }
    }
}

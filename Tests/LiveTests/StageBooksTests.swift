import Foundation
import Testing
import TestSupport
import Unhooked

@testable import Live

/// Whole households, as operators list, merge and remove them, and visitors make new ones.
@Suite struct StageBooksTests {
    private let scratch: Scratch
    private let rig: StageRig

    init() throws {
        scratch = try Scratch()
        rig = try StageRig(Unhooked.self, state: scratch.file("state"))
    }

    /// Nil where the answer waits for the sound.
    private func act(_ method: String, _ parameters: String, by client: Int = 1) async throws {
        let answer = try await rig.ask(client, method, parameters)
        #expect(answer?.contains(#""error""#) != true, "\(answer ?? "")")
    }

    private func energy() async throws -> Int {
        let state = try #require(try await rig.ask(1, "unhooked.state", "{}"))
        let text = state.components(separatedBy: #""energy":"#).dropFirst().first?.prefix { $0.isNumber }
        return try #require(text.flatMap { Int($0) })
    }

    @Test func `a household is merged into another one, and the list tells what is left`() async throws {
        _ = try await rig.connect(1, as: .operator)
        for name in ["anna", "ana"] {
            try await act("unhooked.enter", #"{"household":"\#(name)"}"#)
            // A kept key is looked up on another thread first.
            let before = try await energy()
            try await act("unhooked.feed", #"{"food":"kibble","key":"\#(name)"}"#)
            #expect(try await eventually { try await energy() != before })
        }
        let own = try await energy()
        let here = try await rig.askPatiently(1, "household.merge", #"{"household":"ana","into":"anna"}"#)
        #expect(here?.contains(#"household: expected a household that is not there now, found \"ana\", which is"#) == true, "\(here ?? "")")
        try await act("unhooked.enter", "{}")
        let merged = try await rig.askPatiently(1, "household.merge", #"{"household":"ana","into":"anna"}"#)
        #expect(merged == #"{"id":1,"jsonrpc":"2.0","result":{}}"#, "\(merged ?? "")")
        let list = try #require(try await rig.askPatiently(1, "household.list", "{}"))
        #expect(list.contains(#""name":"anna""#) && !list.contains(#""name":"ana""#) && list.contains(#""most":10000"#), "\(list)")
        let again = try await rig.askPatiently(1, "household.remove", #"{"household":"ana"}"#)
        #expect(again?.contains("expected one of which something is kept") == true)
        try await act("unhooked.enter", #"{"household":"anna"}"#)
        #expect(try await energy() == 2 * own)
        try await rig.stop()
    }

    @Test func `a name that is only entered is in no list`() async throws {
        _ = try await rig.connect(1)
        for name in ["a", "b", "c"] { try await act("unhooked.enter", #"{"household":"\#(name)"}"#) }
        _ = try await rig.connect(2, as: .operator)
        for name in ["a", "b"] {
            let answer = try await rig.askPatiently(2, "household.remove", #"{"household":"\#(name)"}"#)
            #expect(answer?.contains("expected one of which something is kept") == true, "\(answer ?? "")")
        }
        try await rig.stop()
    }

    @Test(arguments: ["cat", "dog"]) func `a household that has chosen its pet is kept, also where it had that one anyway`(species: String) async throws {
        _ = try await rig.connect(1)
        _ = try await rig.connect(2, as: .operator)
        try await act("unhooked.enter", #"{"household":"a"}"#)
        _ = try await rig.askPatiently(1, "unhooked.adopt", #"{"species":"\#(species)","household":"a"}"#)
        var list = ""
        for _ in 0..<200 where !list.contains(#""name":"a""#) { list = try await rig.askPatiently(2, "household.list", "{}") ?? "" }
        #expect(list.contains(#""name":"a""#), "\(list)")
        try await rig.stop()
    }

    @Test func `a visitor brings new names slowly, and an operator as many as there is room for`() async throws {
        _ = try await rig.connect(1)
        _ = try await rig.connect(2, as: .operator)
        func refused(_ client: Int) async throws -> Int {
            var refused = 0
            for number in 0..<30 {
                let answer = try await rig.ask(client, "unhooked.enter", #"{"household":"\#(client) \#(number)"}"#)
                if answer?.contains(#""reason":"too-fast""#) == true { refused += 1 }
            }
            return refused
        }
        let ofVisitor = try await refused(1)
        // Twenty are allowed at once, and on a slow machine each 20 s another one.
        #expect((1...10).contains(ofVisitor))
        #expect(try await refused(2) == 0)
        try await rig.stop()
    }
}

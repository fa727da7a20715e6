import Logging
import Testing
import TestSupport
import Unhooked

@testable import Live

/// Journals that stay because they are still to be sent elsewhere (`session.spare`).
@Suite struct SparedJournalsTests {
    private let done = #"{"id":1,"jsonrpc":"2.0","result":{}}"#

    @Test func `what an operator has spared is spared at the next start too, until it is given back`() async throws {
        let scratch = try Scratch()
        for (given, kept) in [(#"{"first":"2026-01-02T10-00-00Z"}"#, "2026-01-02T10-00-00Z"), ("{}", nil)] as [(String, String?)] {
            let rig = try StageRig(Unhooked.self, state: scratch.file("state"))
            _ = try await rig.connect(1, as: .operator)
            #expect(try await rig.askPatiently(1, "session.spare", given) == done)
            #expect(await rig.stage.recorder.unsent == kept)
            try await rig.stop()
            let next = Kept(in: scratch.file("state"), logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
            #expect(next.unsent == kept)
            next.finish()
        }
    }

    @Test func `without a state directory nothing is spared, and that is said`() async throws {
        let rig = try StageRig(Unhooked.self)
        _ = try await rig.connect(1, as: .operator)
        let answer = try await rig.askPatiently(1, "session.spare", #"{"first":"2026-01-02T10-00-00Z"}"#)
        #expect(answer?.contains("there is no state directory") == true, "\(answer ?? "none")")
        #expect(await rig.stage.recorder.unsent == nil)
        try await rig.stop()
    }
}

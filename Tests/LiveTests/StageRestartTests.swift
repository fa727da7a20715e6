import ControlSocket
import Direct
import Logging
import Synchronization
import Testing
import Wire

@testable import Live

/// What a stage does when somebody wants the daemon or the kiosk to start anew. No process ends.
@Suite struct StageRestartTests {
    private let receipt = #"{"id":1,"jsonrpc":"2.0","result":{}}"#

    /// The log's records, but for those below notices.
    private func notices(_ log: RecentLog) -> [String] {
        log.records(from: .notice).map { "\($0.message): \($0.metadata["by"] ?? "")" }
    }

    @Test func `an operator has the daemon start anew, is answered first, and is named in the log`() async throws {
        let answers = Lines()
        // What there was of an answer each time that the daemon was to end.
        let asked = Mutex<[[String]]>([])
        let log = RecentLog()
        let rig = try StageRig(Direct.self, log: log, restart: { asked.withLock { $0.append(answers.all) } })
        _ = try await rig.connect(1, as: .operator, identity: .token("anna"))
        _ = try await rig.plan(1, "daemon.restart", "{}", into: answers)
        #expect(answers.all == [receipt] && asked.withLock { $0 } == [[receipt]])
        #expect(notices(log) == ["the daemon starts anew, because somebody has asked for it: client 1, with the token anna"])
        try await rig.stop()
    }

    @Test func `where nobody would start the daemon again, it goes on, and says so`() async throws {
        let log = RecentLog()
        let rig = try StageRig(Direct.self, log: log)
        _ = try await rig.connect(1, as: .operator)
        let refusal = try await rig.ask(1, "daemon.restart", "{}")
        #expect(reason(refusal) == "unavailable" && refusal?.contains("nobody would start thrumd again") == true)
        #expect(try await rig.ask(1, "ping", "{}")?.contains("result") == true && notices(log).isEmpty)
        try await rig.stop()
    }

    @Test func `a kiosk that reports is told once to start anew, and without one nobody is told`() async throws {
        let log = RecentLog()
        let rig = try StageRig(Direct.self, log: log)
        _ = try await rig.connect(1, as: .operator, identity: .user(0))
        _ = try await rig.connect(2, as: .operator)
        #expect(reason(try await rig.ask(1, "kiosk.restart", "{}")) == "unavailable")
        func report() async throws -> String? {
            try await rig.ask(2, "kiosk.report", #"{"report":{"screens":[],"areScreensOn":true,"restarts":{}}}"#)
        }
        let goesOn = #"{"id":1,"jsonrpc":"2.0","result":{"isToRestart":false}}"#
        let startsAnew = #"{"id":1,"jsonrpc":"2.0","result":{"isToRestart":true}}"#
        #expect(try await report() == goesOn)
        #expect(try await rig.ask(1, "kiosk.restart", "{}") == receipt)
        #expect(try await report() == startsAnew)
        #expect(try await report() == goesOn)
        #expect(notices(log) == ["the kiosk starts anew, because somebody has asked for it: client 1, root"])
        // It says that it ends.
        #expect(try await rig.ask(2, "kiosk.report", "{}") == goesOn)
        #expect(reason(try await rig.ask(1, "kiosk.restart", "{}")) == "unavailable")
        try await rig.stop()
    }
}

import Foundation
import Testing
import TestSupport

/// Two pages at one pet: the second is a stranger to the first one's household.
@Suite struct HouseholdSecretTests {
    private let port = freePort()

    private func daemon(_ scratch: Scratch) async throws -> Daemon {
        try await Daemon(["--output", "null", "--experience", "unhooked", "--http", "\(port)"], environment: ["TZ": "UTC0"], scratch: scratch)
    }

    /// A page, and all that it was told that is no answer.
    private final class Page {
        private let socket: WebSocketClient
        private(set) var told: [String] = []
        private var number = 0

        init(port: Int) throws {
            socket = try WebSocketClient(port: port)
            #expect(try ask("subscribe").contains("topics"))
        }

        func ask(_ method: String, _ parameters: String = "{}") throws -> String {
            number += 1
            try socket.send(#"{"jsonrpc":"2.0","id":\#(number),"method":"\#(method)","params":\#(parameters)}"#)
            while true {
                let text = try socket.receive().text
                if text.contains(#""id":\#(number),"#) { return text }
                told.append(text)
            }
        }
    }

    @Test func `the second page hears no name, cannot enter without the secret, and cannot spend`() async throws {
        let scratch = try Scratch()
        var daemon = try await daemon(scratch)
        let (first, second) = (try Page(port: port), try Page(port: port))
        #expect(try first.ask("unhooked.enter", #"{"household":"Ada Lovelace","secret":"sesame"}"#).contains(#""household":"Ada Lovelace""#))
        #expect(try first.ask("unhooked.feed", #"{"food":"kibble","key":"a","household":"Ada Lovelace"}"#).contains(#""energy":100"#))
        let state = try second.ask("unhooked.state")
        #expect(state.contains(#""isFed""#) && !state.contains(#""gems""#))
        #expect(try second.ask("unhooked.ledger").contains("not-allowed"))
        let feed = #"{"food":"kibble","key":"b","household":"Ada Lovelace"}"#
        #expect(try second.ask("unhooked.feed", feed).contains("secret-needed"))
        #expect(try second.ask("unhooked.enter", #"{"household":"Ada Lovelace"}"#).contains("secret-needed"))
        let wrong = try second.ask("unhooked.enter", #"{"household":"Ada Lovelace","secret":"simsim"}"#)
        #expect(wrong.contains("secret-wrong") && wrong.contains(#""retryAfter":1"#), "\(wrong)")
        #expect(try second.ask("unhooked.enter", #"{"household":"Bob"}"#).contains("not-yet"))
        #expect(try second.ask("session.end").contains("not-yet"))
        #expect(!second.told.isEmpty && second.told.allSatisfy { !$0.contains("Ada") && !$0.contains(#""gems":"#) && !$0.contains("movement") }, "\(second.told)")
        #expect(first.told.contains { $0.contains("Ada Lovelace") && $0.contains(#""gems":"#) })
        #expect(try first.ask("unhooked.ledger").contains(#""movements":2"#), "nobody else has spent")

        // It outlasts a restart; operators need none, and take it away.
        daemon.kill()
        daemon = try await self.daemon(scratch)
        let third = try Page(port: port)
        #expect(try third.ask("unhooked.enter", #"{"household":"Ada Lovelace"}"#).contains("secret-needed"))
        #expect(try third.ask("unhooked.enter", #"{"household":"Ada Lovelace","secret":"sesame"}"#).contains("result"))
        #expect(try LineSocket(daemon.socket).call("unhooked.enter", #"{"household":"Ada Lovelace"}"#).contains("Ada"))
        let removed = try run(Programs.thrum, ["household", "secret", "Ada Lovelace", "--remove", "--socket", daemon.socket])
        #expect(removed.text == "Ada Lovelace has no secret\n", "\(removed.errors)")
        #expect(try third.ask("unhooked.enter", #"{"household":"Ada Lovelace"}"#).contains("result"))
        let set = try run("/bin/sh", ["-c", "echo '4711' | \"$0\" household secret 'Ada Lovelace' --socket \"$1\"", Programs.thrum, daemon.socket])
        #expect(set.text == "Ada Lovelace has another secret\n", "\(set.errors)")
        #expect(try third.ask("unhooked.feed", feed).contains("secret-needed"), "it has to enter again")
        #expect(try third.ask("unhooked.enter", #"{"household":"Ada Lovelace","secret":"4711"}"#).contains("result"))
        #expect(try third.ask("unhooked.feed", feed).contains("movement"))
        #expect(daemon.terminate() == 0)
        let found = try run("/bin/grep", ["-r", "-a", "-l", "sesame", scratch.path])
        #expect(found.text.isEmpty, "\(found.text)")
    }

    @Test func `a recorded visit with a household that has a secret is replayed`() async throws {
        let scratch = try Scratch()
        var daemon = try await daemon(scratch)
        let page = try Page(port: port)
        #expect(try page.ask("unhooked.enter", #"{"household":"Ada","secret":"sesame"}"#).contains("result"))
        #expect(try page.ask("unhooked.feed", #"{"food":"kibble","key":"a","household":"Ada"}"#).contains("result"))
        #expect(daemon.terminate() == 0)
        let journal = try #require(daemon.journals.first)
        daemon = try await self.daemon(scratch)
        let replayed = try run(Programs.thrum, ["replay", journal, "--socket", daemon.socket])
        #expect(replayed.status == 0 && !replayed.errors.contains("secret"), "\(replayed.errors)")
        #expect(daemon.terminate() == 0)
    }
}

import Foundation
import Testing
import TestSupport

/// `thrum rehearse` with a daemon.
@Suite struct RehearseCommandTests {
    @Test func `a rehearsal goes through what it is told to, in order, and leaves nothing held`() async throws {
        let daemon = try await Daemon(["--output", "null", "--experience", "unhooked"])
        let page = try LineSocket(daemon.socket)
        _ = try page.call("subscribe", #"{"topics":["health","pet"]}"#)
        let before = try daemon.status()
        let finished = try run(Programs.thrum, [
            "rehearse", "unhooked", "--only", "health", "--only", "texture/purr-sick", "--every", "0.1", "--socket", daemon.socket,
        ])
        #expect(finished.status == 0 && finished.errors.isEmpty, "\(finished.errors)")
        #expect(finished.text == "1 of 4  health, sick\n2 of 4  health, died\n3 of 4  health, recovered\n4 of 4  texture, purr-sick\n")
        for health in ["sick", "dead", "healthy"] {
            let line = try page.receive()
            #expect(line.contains(#""method":"health""#) && line.contains(#""rehearsal":true"#) && line.contains("\"health\":\"\(health)\""))
        }
        let truth = try page.receive()
        #expect(truth.contains(#""method":"pet""#) && !truth.contains("rehearsal") && truth.contains(#""condition":"healthy""#))
        #expect(try !daemon.isHeld && before["issues"] as? [String] == (try daemon.status()["issues"] as? [String]))
        #expect(daemon.terminate() == 0)
    }

    @Test func `it is refused where another piece plays, and for what there is not`() async throws {
        let daemon = try await Daemon(["--output", "null", "--experience", "colorscroller"])
        func rehearse(_ words: String...) throws -> Finished { try run(Programs.thrum, ["rehearse"] + words + ["--socket", daemon.socket]) }
        let other = try rehearse("unhooked")
        #expect(other.status == 65 && other.errors == "thrum: thrumd plays colorscroller: expected unhooked, as in thrumd --experience unhooked\n")
        let unknown = try rehearse("colorscroler")
        #expect(unknown.status == 64 && unknown.errors.contains("(did you mean colorscroller?)"))
        let only = try rehearse("colorscroller", "--only", "unlok")
        #expect(only.status == 64 && only.errors.contains("(did you mean unlock?)"))
        let list = try rehearse("colorscroller", "--list").text.split(separator: "\n")
        #expect(list.first == "scroll/leaderboard" && list.contains("unlock/special-emoji"))
        let played = list.filter { ["chime", "haptic", "texture"].contains($0.split(separator: "/")[0]) }
        #expect(played == ["chime/ding", "chime/unlock", "haptic/surprise", "haptic/swipe", "haptic/touch-down", "haptic/touch-up", "haptic/unlock"])
        #expect(daemon.terminate() == 0)
        #expect(try rehearse("colorscroller").status == 69)
    }

    @Test func `Ctrl-C ends it, and what was begun is let go of`() async throws {
        let daemon = try await Daemon(["--output", "null", "--experience", "scrollkitty"])
        let endless = try Running(Programs.thrum, [
            "rehearse", "scrollkitty", "--only", "texture/purr-weak", "--every", "60", "--socket", daemon.socket,
        ])
        #expect(try await eventually { endless.output == "1 of 1  texture, purr-weak\n" })
        endless.signal(SIGINT)
        #expect(endless.finish().status == 0)
        _ = try LineSocket(daemon.socket).call("session.end")
        #expect(daemon.terminate() == 0)
        let journal = try String(contentsOfFile: try #require(daemon.journals.last), encoding: .utf8)
        #expect(journal.contains(#""name":"purr-weak","on":true"#) && journal.contains(#""name":"purr-weak","on":false"#), "\(journal)")
    }
}

import Foundation
import Testing
import TestSupport

/// Who may do what. Other users are played by a process that gives up being root.
@Suite struct AccessTests {
    /// Sends `lines` as the user `nobody` (65534) with the socket's group, and returns what comes back.
    private func asNobody(_ socket: String, _ lines: String...) throws -> String {
        let script = """
            import os, socket, sys
            os.setgroups([])
            os.setgid(65534)
            os.setuid(65534)
            control = socket.socket(socket.AF_UNIX)
            control.connect(sys.argv[1])
            control.settimeout(10)
            answers = control.makefile()
            for line in sys.argv[2:]:
                try:
                    control.sendall(line.encode() + b"\\n")
                except BrokenPipeError:
                    pass
                print(answers.readline(), end="")
            """
        let finished = try run("/usr/bin/python3", ["-c", script, socket] + lines)
        return finished.text + finished.errors
    }

    private func daemon(_ arguments: String...) async throws -> Daemon {
        let daemon = try await Daemon(["--output", "null", "--socket-group", "65534"] + arguments)
        // The way to the socket.
        chmod(daemon.scratch.path, 0o755)
        return daemon
    }

    private let touch = #"{"jsonrpc":"2.0","id":1,"method":"touch","params":{"phase":"began"}}"#
    private let status = #"{"jsonrpc":"2.0","id":2,"method":"status"}"#
    private let stop = #"{"jsonrpc":"2.0","id":3,"method":"stop"}"#
    private let hello = #"{"jsonrpc":"2.0","id":4,"method":"hello"}"#

    @Test(.enabled(if: geteuid() == 0, "only root can play another user"))
    func `one of the group may control, unless the users are named`() async throws {
        let open = try await daemon()
        #expect(try asNobody(open.socket, touch).contains(#""result":{"frame":0}"#))
        #expect(open.terminate() == 0)
        let closed = try await daemon("--users", "daemon")
        #expect(try asNobody(closed.socket, touch).contains("this user is not among users or watchers of the settings"))
        #expect(try LineSocket(closed.socket).call("touch", #"{"phase":"began"}"#).contains("frame"), "its own user may")
        #expect(closed.terminate() == 0)
        let named = try await daemon("--users", "daemon, nobody")
        #expect(try asNobody(named.socket, touch).contains(#""frame":0"#))
        #expect(named.terminate() == 0)
    }

    @Test(.enabled(if: geteuid() == 0, "only root can play another user"))
    func `a watcher looks on, is told, and may stop everything, but nothing else`() async throws {
        // Named twice, the lesser counts.
        let daemon = try await daemon("--watchers", "nobody", "--users", "daemon,nobody")
        let answers = try asNobody(daemon.socket, touch, status, stop, hello).split(separator: "\n")
        try #require(answers.count == 4, "\(answers)")
        #expect(answers[0].contains("this client may only watch") && answers[0].contains(#""id":1"#))
        #expect(answers[1].contains(#""clients":"#))
        #expect(answers[2].contains(#""result""#))
        #expect(answers[3].contains(#""role":"watch""#))
        #expect(daemon.terminate() == 0)
    }

    @Test func `a client that is held to its rate still lets go`() async throws {
        let daemon = try await Daemon(["--output", "null", "--max-rate", "1"])
        let client = try LineSocket(daemon.socket)
        // In one piece: what is read together is asked at one moment.
        try client.send(touch + "\n" + touch.replacing("began", with: "moved"))
        let answers = [try client.receive(), try client.receive()]
        #expect(answers.contains { $0.contains("frame") } && answers.contains { $0.contains("more than 1 requests a second") }, "\(answers)")
        #expect(try client.call("output.mute", #"{"on":true}"#).contains("frame"))
        #expect(try client.call("touch", #"{"phase":"ended"}"#).contains("frame"))
        #expect(daemon.terminate() == 0)
    }

    @Test func `a pattern of one's own is small, without sounds, and named by its field when it is wrong`() async throws {
        let daemon = try await Daemon(["--output", "null"])
        let client = try LineSocket(daemon.socket)
        func event(_ count: Int) -> String { Array(repeating: #"{"time":0,"intensity":1,"sharpness":1}"#, count: count).joined(separator: ",") }
        for (parameters, answer) in [
            ("{\"pattern\":[\(event(64))]}", #""frame":"#),
            ("{\"pattern\":[\(event(65))]}", "pattern: expected at most 64 events"),
            (#"{"pattern":[{"time":0,"intensity":2,"sharpness":1}]}"#, #""field":"pattern[0].intensity","#),
            (#"{"pattern":{"events":[],"sounds":[{"time":0,"file":"/etc/passwd"}]}}"#, "pattern: expected no sounds"),
            (#"{"ahap":{"Pattern":[{"Event":{"EventType":"HapticTransient","Time":"x"}}]}}"#, #""field":"ahap.Pattern[0].Event.Time","#),
            (#"{"ahap":7}"#, #""field":"ahap"},"message":"ahap: expected an object""#),
            (#"{"name":"swipe","ahap":{"Pattern":[]}}"#, "name: expected one of name, pattern and ahap, found more than one"),
        ] {
            let found = try client.call("haptic.play", parameters)
            #expect(found.contains(answer), "\(found)")
        }
        #expect(daemon.terminate() == 0)
    }

    @Test func `so many may be subscribed, and who is already may change it`() async throws {
        let daemon = try await Daemon(["--output", "null", "--max-subscribers", "1"])
        let (first, second) = (try LineSocket(daemon.socket), try LineSocket(daemon.socket))
        #expect(try first.call("subscribe", #"{"topics":["event"]}"#).contains("snapshot"))
        #expect(try second.call("subscribe").contains("1 clients are subscribed already (max-subscribers)"))
        #expect(try first.call("subscribe", #"{"topics":["cue"]}"#).contains("snapshot"))
        #expect(try first.call("subscribe", #"{"topics":[]}"#).contains("snapshot"))
        #expect(try second.call("subscribe", #"{"topics":["event"]}"#).contains("snapshot"))
        #expect(daemon.terminate() == 0)
    }

    @Test(arguments: [
        (["--socket-group", "nonsense"], "socket-group: expected a group of this machine, found \"nonsense\""),
        (["--socket-group", "0", "--users", "root,nonsense"], "users: expected users of this machine, separated by commas, found \"nonsense\""),
        (["--watchers", "nobody"], "watchers: expected socket-group beside it"),
        (["--max-line", "10"], "max-line: expected a whole number from 1024 to 1048576 (bytes), found \"10\""),
        (["--max-clients", "many"], "max-clients: expected a whole number from 1 to 4096, found \"many\""),
    ])
    func `a setting that is wrong is named`(arguments: [String], message: String) throws {
        let checked = try run(Programs.thrumd, ["--check-config", "--socket", "/tmp/none.sock", "--sessions", "/tmp/none"] + arguments)
        #expect(checked.status == 78 && checked.errors.contains(message), "\(checked.errors)")
    }
}

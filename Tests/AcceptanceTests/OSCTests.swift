import Foundation
import Testing
import TestSupport
import Wire

@Suite(.serialized) struct OSCTests {
    private let port = freePort()

    private func oscsend(_ words: String...) throws {
        let sent = try run("oscsend", ["osc.udp://127.0.0.1:\(port)"] + words)
        #expect(sent.status == 0, "\(sent.errors)")
    }

    @Test func `liblo's oscsend drives touch, tone and chime`() async throws {
        let daemon = try await Daemon(["--output", "null", "--osc", "\(port)"])
        try oscsend("/touch/began", "iff", "3", "0.5", "0.25")
        #expect(try await eventually { try daemon.isHeld })
        try oscsend("/tone", "iff", "0", "440", "-12")
        try oscsend("/chime/play", "s", "unlock")
        try oscsend("/chime/play/ding")
        try oscsend("/haptic/play", "S", "surprise")
        try oscsend("/stop")
        #expect(try await eventually { try !daemon.isHeld })
        #expect(daemon.terminate() == 0)
        let lines = try String(contentsOfFile: try #require(daemon.journals.first), encoding: .utf8).split(separator: "\n")
        let expected = [#""event":"touch","frame":0,"id":3,"phase":"began","x":0.5,"y":0.25"#, #""event":"tone""#, #""frequency":440,"#, #""level":-12,"#,
                        #""name":"unlock""#, #""name":"ding""#, #""event":"haptic""#, #""event":"stop""#]
        for word in expected { #expect(lines.contains { $0.contains(word) }, "\(word) in \(lines.dropFirst())") }
    }

    @Test func `liblo's oscdump hears what happens, and nothing that strangers may not`() async throws {
        let dump = try Running("oscdump", ["-L", "\(port)"])
        let daemon = try await Daemon(["--experience", "colorscroller", "--output", "null", "--osc-out", "127.0.0.1:\(port)"])
        let client = try LineSocket(daemon.socket)
        /// Each second another card, until it has been told of: a datagram to a program that does not hear yet is lost.
        var card = 0
        let isHeard = try await eventually {
            card += 1
            _ = try client.call("feed.scroll", #"{"index":\#(card)}"#)
            let lines = dump.output
            return lines.contains("/thrum/scroll/index i") && lines.contains("/thrum/session")
        }
        let lines = dump.output
        #expect(isHeard, "\(lines.suffix(2_000))")
        #expect(!lines.contains("/thrum/event") && !lines.contains("/thrum/fault"))
        #expect(daemon.terminate() == 0)
    }

    @Test func `errors and answers come back, and garbage harms nobody`() async throws {
        let daemon = try await Daemon(["--output", "null", "--osc", "\(port)"])
        let sender = Datagrams(port: port)
        sender.send(OSCMessage("/tone", [.nothing, .number(9)]).bytes)
        #expect(try sender.receive() == OSCMessage("/error", [.text("/tone"), .text("frequency: expected a number from 20 to 5000 (Hz), found 9")]))
        sender.send(OSCMessage("/chime/play/gong").bytes)
        #expect(try sender.receive() == OSCMessage("/error", [.text("/chime/play/gong"), .text("name: expected one of award, band-drop, bypass, cure, death, ding, eating, explore-blank, explore-button, explore-heading, explore-image, explore-off, explore-on, explore-slider, explore-text, explore-toggle, growth, memorial, mew-concerned, mew-dead, mew-healthy, mew-tired, mew-weak, nightly, purchase, restart, revive, shield-back, streak, terminal, unlock, welcome, found \"gong\"")]))
        sender.send([1, 2, 3])
        #expect(try sender.receive().address == "/error")
        for arguments in [[], [.text("state")]] as [[OSCArgument]] {
            sender.send(OSCMessage("/subscribe", arguments).bytes)
            #expect(try sender.receive() == OSCMessage("/error", [.text("/subscribe"), .text("subscriptions are for the socket")]))
        }
        sender.send(OSCMessage("/touch/began").bytes)
        sender.send(OSCMessage("/ping").bytes)
        let pong = try sender.receive()
        #expect(pong.address == "/reply" && pong.arguments[0] == .text("/ping"))
        guard case .text(let json) = pong.arguments[1] else { Issue.record("\(pong)"); return }
        #expect(json.hasPrefix(#"{"time":"#))
        #expect(try daemon.isHeld)
        #expect(daemon.terminate() == 0)
    }

    @Test func `whoever sends OSC plays, and does what operators do only from an address of osc-operators`() async throws {
        func answers(_ arguments: String...) async throws -> [OSCMessage] {
            let daemon = try await Daemon(["--output", "null", "--osc", "\(port)"] + arguments)
            let sender = Datagrams(port: port)
            let asked = [OSCMessage("/token/list"), OSCMessage("/preset/set", [.text("silent")]), OSCMessage("/log/list"), OSCMessage("/setting/list"),
                         OSCMessage("/ledger/balances"), OSCMessage("/client/list"), OSCMessage("/status")]
            let answers = try asked.map { message in
                sender.send(message.bytes)
                return try sender.receive()
            }
            sender.send(OSCMessage("/touch/began").bytes)
            #expect(try await eventually { try daemon.isHeld })
            sender.send(OSCMessage("/stop").bytes)
            #expect(try await eventually { try !daemon.isHeld })
            #expect(daemon.terminate() == 0)
            return answers
        }
        #expect(try await answers().allSatisfy { $0.arguments.last == .text("this client only plays, and may not do this") })
        #expect(try await answers("--osc-operators", "192.0.2.1").allSatisfy { $0.address == "/error" })
        let operators = try await answers("--osc-operators", "192.0.2.1,127.0.0.1")
        // Tokens, the log, settings and the ledger are no part of a show.
        let refused = operators.filter { $0.address == "/error" }
        #expect(refused.map { $0.arguments.first } == ["/token/list", "/log/list", "/setting/list", "/ledger/balances"].map { .text($0) })
        #expect(refused.allSatisfy {
            $0.arguments.last == .text("not over OSC, because the address of a datagram's sender can be forged")
        })
        #expect(operators.count == 7 && operators.filter { $0.address == "/reply" }.count == 3, "\(operators)")
    }

    @Test func `oscsend drives a Unix socket, too, and one with a name gets answers`() async throws {
        let scratch = try Scratch()
        let path = scratch.file("osc")
        let daemon = try await Daemon(["--output", "null", "--osc-socket", path])
        let sent = try run("oscsend", ["osc.unix://\(path)", "/touch/began"])
        #expect(sent.status == 0, "\(sent.errors)")
        #expect(try await eventually { try daemon.isHeld })
        let answers = try run("/usr/bin/python3", ["-c", #"""
            import socket, sys
            me = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
            me.bind(sys.argv[2])
            me.settimeout(10)
            for message in [b"/ping\0\0\0,\0\0\0", b"/fly\0\0\0\0,\0\0\0", b"garbage"]:
                me.sendto(message, sys.argv[1])
                print(me.recv(65536).split(b"\0")[0].decode())
            """#, path, scratch.file("me")])
        #expect(answers.text == "/reply\n/error\n/error\n", "\(answers.errors)")
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        // Whoever listens there already keeps it; the other one plays all the same, and says so.
        let second = try await Daemon(["--output", "null", "--osc-socket", path])
        let issue = (try second.status()["issues"] as? [String])?.first ?? ""
        #expect(issue.contains("another thrumd is listening here"), "\(issue)")
        #expect(second.terminate() == 0)
        #expect(FileManager.default.fileExists(atPath: path))
        #expect(daemon.terminate() == 0)
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func `a file of somebody else is neither replaced nor removed`() async throws {
        let scratch = try Scratch()
        let precious = try scratch.write("precious", to: "file")
        let refused = try await Daemon(["--output", "null", "--osc-socket", precious])
        let issue = (try refused.status()["issues"] as? [String])?.first ?? ""
        #expect(issue.contains("exists and is no socket"), "\(issue)")
        #expect(refused.terminate() == 0)
        #expect(try String(contentsOfFile: precious, encoding: .utf8) == "precious")
        let path = scratch.file("osc")
        let daemon = try await Daemon(["--output", "null", "--osc-socket", path])
        try FileManager.default.removeItem(atPath: path)
        _ = try scratch.write("mine", to: "osc")
        #expect(daemon.terminate() == 0)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "mine")
    }

    @Test func `what has no time of its own does not come in a bundle of the future`() async throws {
        let daemon = try await Daemon(["--output", "null", "--osc", "\(port)"])
        let sender = Datagrams(port: port)
        sender.send(OSCMessage("/session/start").bytes)
        #expect(try await eventually { try LineSocket(daemon.socket).call("session.status").contains("events") })
        sender.send(OSCBundle(at: wallClock() + 5_000_000_000, "/session/end").bytes)
        let answer = try sender.receive()
        #expect(answer == OSCMessage("/error", [.text("/session/end"), .text("it has no time of its own: send it when it is to happen")]))
        #expect(try LineSocket(daemon.socket).call("session.status").contains("events"))
        #expect(daemon.terminate() == 0)
    }

    @Test func `what is large is read whole, and what only answers is not answered`() async throws {
        let daemon = try await Daemon(["--output", "null", "--osc", "\(port)"])
        let sender = Datagrams(port: port)
        let tap = OSCMessage("/tap", [.number(0.5), .number(0.5)]).bytes
        let element = [0, 0, 0, UInt8(tap.count)] + tap
        sender.send(Array("#bundle\0".utf8) + [0, 0, 0, 0, 0, 0, 0, 1] + Array(repeatElement(element, count: 64).joined()))
        for address in ["/error", "/reply"] { sender.send(OSCMessage(address, [.text("/tone"), .text("no")]).bytes) }
        // A pattern that fits everything has no more than sixteen answers, and the ping is answered after them.
        sender.send(OSCMessage("/*").bytes)
        sender.send(OSCMessage("/ping").bytes)
        var answers: [OSCMessage] = []
        while answers.last?.arguments.first != .text("/ping") { answers.append(try sender.receive()) }
        #expect(answers.count <= 17, "\(answers.count)")
        #expect(daemon.terminate() == 0)
        let journal = try String(contentsOfFile: try #require(daemon.journals.first), encoding: .utf8)
        // And one that the pattern stands for.
        #expect(journal.split(separator: "\n").count { $0.contains(#""event":"tap""#) } == 65)
    }

    @Test func `hundreds of senders do not shut anybody out`() async throws {
        let daemon = try await Daemon(["--output", "null", "--osc", "\(port)"])
        for number in 0..<400 {
            let sender = Datagrams(port: port)
            sender.send([1])
            sender.send(OSCMessage("/tap").bytes)
            // The kernel holds only so many datagrams, and drops the others.
            if number % 20 == 0 { try await Task.sleep(for: .milliseconds(20)) }
        }
        let last = Datagrams(port: port)
        // What the kernel has no room for, it drops.
        var answer: OSCMessage?
        for _ in 0..<3 where answer == nil {
            last.send(OSCMessage("/ping").bytes)
            answer = try? last.receive()
        }
        #expect(answer?.address == "/reply")
        #expect(try daemon.status()["clients"] as? Int ?? 256 <= 66)
        #expect(daemon.terminate() == 0)
    }

    /// Whoever plans something a second ahead hears it then: by the output's clock, which the null output runs by the system's.
    @Test func `a bundle in the future is heard at its time`() async throws {
        let daemon = try await Daemon(["--output", "null", "--osc", "\(port)"])
        let sender = Datagrams(port: port)
        let client = try LineSocket(daemon.socket)
        let touched = wallClock()
        _ = try client.call("touch", #"{"phase":"began"}"#)
        let answered = wallClock()
        var sent: [Int64] = []
        for _ in 0..<5 {
            let wall = wallClock()
            sent.append(wall)
            for milliseconds in [1_050, 1_000] as [Int64] {
                sender.send(OSCBundle(at: wall + milliseconds * 1_000_000, "/chime/play/ding").bytes)
            }
            try await Task.sleep(for: .milliseconds(250))
        }
        usleep(1_400_000)
        #expect(daemon.terminate() == 0)
        let lines = try String(contentsOfFile: try #require(daemon.journals.first), encoding: .utf8).split(separator: "\n")
        let frames = lines.filter { $0.contains(#""event":"chime""#) }.compactMap { $0.firstMatch(of: /"due":(\d+)|"frame":(\d+)/) }
            .compactMap { Int($0.1 ?? $0.2 ?? "") }
        try #require(frames.count == 10)
        let distances = (0..<5).map { (pair: Int) -> Int in frames[2 * pair + 1] - frames[2 * pair] }
        // 50 ms between the two, which came in the other order. A busy machine may be late for a pair or two.
        #expect(distances.count { abs($0 - 2400) <= 48 } >= 3, "\(distances)")
        // And as long after the touch, the session's first frame, as their times say: it was heard between its question and its answer,
        // or some milliseconds later.
        func length(_ nanoseconds: Int64) -> Int { Int(nanoseconds / 1_000 * 48 / 1_000) }
        for (pair, wall) in sent.enumerated() {
            let due = wall + 1_000_000_000
            let earliest = length(due - answered) - 480
            let latest = length(due - touched) + 48
            #expect(frames[2 * pair] >= earliest && frames[2 * pair] <= latest, "\(frames)")
        }
    }

    @Test func `what is planned over the socket comes in its time, and not at all when its client has gone`() async throws {
        let daemon = try await Daemon(["--output", "null"])
        let client = try LineSocket(daemon.socket)
        _ = try client.call("touch", #"{"phase":"began"}"#)
        let start = monotonicClock()
        let answer = try client.call("chime.play", #"{"name":"ding","delay":300}"#)
        #expect(monotonicClock() - start >= 200_000_000, "it is answered when its place is known, a moment before it is heard")
        #expect(answer.contains(#""frame":"#))
        let absolute = try client.call("chime.play", #"{"name":"ding","at":\#(monotonicClock() + 200_000_000)}"#)
        #expect(absolute.contains(#""frame":"#), "\(absolute)")
        // Sooner than it can be: at once, and told by how much.
        for delay in ["0", "0.5", "1", "5", "20"] {
            let soon = try client.call("chime.play", #"{"name":"ding","delay":\#(delay)}"#)
            #expect(soon.contains(#""frame":"#), "\(soon)")
        }
        let far = try client.call("chime.play", #"{"name":"ding","at":\#(monotonicClock() + 700_000_000_000)}"#)
        #expect(far.contains("at: expected a moment from 10 s ago to 10 min ahead"), "\(far)")
        do {
            let other = try LineSocket(daemon.socket)
            try other.send(#"{"jsonrpc":"2.0","method":"chime.play","params":{"name":"unlock","delay":3000}}"#)
            // One that waits does not keep the others waiting.
            #expect(try other.call("chime.play", #"{"name":"ding"}"#).contains(#""frame":"#))
        }
        // Answered when its place is known: later than that of the one who has gone.
        _ = try client.call("chime.play", #"{"name":"ding","delay":3200}"#)
        #expect(daemon.terminate() == 0)
        let journal = try String(contentsOfFile: try #require(daemon.journals.first), encoding: .utf8)
        #expect(!journal.split(separator: "\n").dropFirst().contains { $0.contains("unlock") })
    }

    @Test func `what is planned and dropped is answered, and its client goes`() async throws {
        let daemon = try await Daemon(["--output", "null"])
        let client = try LineSocket(daemon.socket)
        // A stop drops it.
        try client.send(#"{"jsonrpc":"2.0","id":1,"method":"tone","params":{"on":true,"delay":60000}}"#)
        try client.send(#"{"jsonrpc":"2.0","id":2,"method":"stop"}"#)
        let answers = [try client.receive(), try client.receive()]
        #expect(answers.contains { $0.contains(#""id":1"#) && $0.contains("cancelled before its time") }, "\(answers)")
        // So does the end of its client's sending, which then gets its answer, and the end.
        let other = try LineSocket(daemon.socket)
        try other.send(#"{"jsonrpc":"2.0","id":1,"method":"chime.play","params":{"name":"ding","delay":60000}}"#)
        other.finishSending()
        #expect(try other.receive().contains("cancelled before its time"))
        #expect(throws: LineSocket.Failed.self) { try other.receive() }
        // One client can plan only so much.
        for _ in 0..<512 { try client.send(#"{"jsonrpc":"2.0","method":"chime.play","params":{"name":"ding","delay":60000}}"#) }
        #expect(try client.call("chime.play", #"{"name":"ding","delay":60000}"#).contains("512 events of a client"))
        let third = try LineSocket(daemon.socket)
        #expect(try third.call("chime.play", #"{"name":"ding","delay":30}"#).contains(#""frame":"#))
        #expect(daemon.terminate() == 0)
    }

    @Test func `whoever asks for much and reads nothing keeps nobody waiting`() async throws {
        let daemon = try await Daemon(["--output", "null"])
        let greedy = try LineSocket(daemon.socket)
        // What the first answer and the rendering ahead need is not the greedy one's.
        let answer = try greedy.call("rpc.discover").utf8.count
        let before = try residentKiB(daemon.process.identifier)
        let batch = "[" + [String](repeating: #"{"jsonrpc":"2.0","id":1,"method":"rpc.discover"}"#, count: 64).joined(separator: ",") + "]\n"
        try greedy.send(Array(String(repeating: batch, count: 20).utf8))
        let client = try LineSocket(daemon.socket)
        #expect(try client.call("ping").contains("time"))
        // All that is asked for is some 90 MB. It keeps less than a third of that: one batch, and what a daemon that has just begun still takes.
        let grown = try residentKiB(daemon.process.identifier) - before
        #expect(grown * 1024 < 20 * 64 * answer / 3, "\(grown) KiB more")
        // When it reads, it gets all it asked for.
        for _ in 0..<20 { #expect(try greedy.receive().hasPrefix(#"[{"id":1,"jsonrpc":"2.0","result":{"components":"#)) }
        #expect(daemon.terminate() == 0)
    }

    private func residentKiB(_ process: pid_t) throws -> Int {
        let text = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        return try #require(text.firstMatch(of: /VmRSS:\s+(\d+) kB/).flatMap { Int($0.1) })
    }
}

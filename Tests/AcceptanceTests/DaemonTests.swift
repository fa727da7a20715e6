import Foundation
import Testing
import TestSupport

@Suite(.serialized) struct DaemonTests {
    @Test func `whatever a client throws at it gets its error, and connection and tone go on`() async throws {
        let daemon = try await Daemon(["--output", "null"])
        let client = try LineSocket(daemon.socket)
        #expect(try client.call("hello", #"{"client":"test"}"#).contains(#""protocolVersion":1"#))
        #expect(try client.call("touch", #"{"phase":"began","id":1}"#).contains(#""frame":0"#))
        let bad: [(String, Int, String)] = [
            ("garbage", -32700, ""),
            (String(repeating: "x", count: 1 << 20), -32600, ""),
            (#"{"jsonrpc":"2.0","id":1,"method":"fly"}"#, -32601, "method"),
            (#"{"jsonrpc":"2.0","id":1,"method":"tone","params":{"frequency":"high"}}"#, -32602, "frequency"),
            (#"{"jsonrpc":"2.0","id":1,"method":"tone","params":{"frequency":NaN}}"#, -32602, "frequency"),
            (#"{"jsonrpc":"2.0","id":1,"method":"tone","params":{"level":Infinity}}"#, -32602, "level"),
            (#"{"jsonrpc":"2.0","id":1,"method":"tone","params":{"level":1e999}}"#, -32602, "level"),
            (#"{"jsonrpc":"2.0","id":1,"method":"tone","params":{"frequency":99999}}"#, -32602, "frequency"),
            (#"{"jsonrpc":"2.0","id":1,"method":"chime.play","params":{"name":"gong"}}"#, -32000, "name"),
        ]
        for (line, code, field) in bad {
            let answer = try client.ask(line)
            #expect(answer.contains("\"code\":\(code)"), "\(answer)")
            if !field.isEmpty { #expect(answer.contains("\"field\":\"\(field)\""), "\(answer)") }
        }
        #expect(try daemon.isHeld)
        #expect(try client.call("touch", #"{"phase":"ended","id":1}"#).contains("frame"))
        #expect(try !daemon.isHeld)
        #expect(daemon.terminate() == 0)
    }

    @Test func `killed in mid-session, the journal holds the events and a restart works at once`() async throws {
        let daemon = try await Daemon(["--output", "null"])
        let client = try LineSocket(daemon.socket)
        _ = try client.call("touch", #"{"phase":"began"}"#)
        for n in 1...200 { _ = try client.call("feed.update", #"{"blocksViewed":\#(n)}"#) }
        // It is written all the time.
        #expect(try await eventually {
            try daemon.journals.first.map { try entries(of: $0).count } == 202
        })
        daemon.kill()
        let journal = try #require(daemon.journals.first)
        let lines = try entries(of: journal)
        #expect(lines.count == 202)
        #expect(lines.last?.contains(#""blocksViewed":200"#) == true)
        let rendered = try thrum("render", journal, "-o", daemon.scratch.file("a.wav"))
        #expect(rendered.status == 0 && rendered.errors.contains("cut off"))

        let next = try await Daemon(["--output", "null"], scratch: daemon.scratch)
        #expect(try LineSocket(next.socket).call("chime.play", #"{"name":"ding"}"#).contains(#""frame":0"#))
        #expect(next.terminate() == 0)
        #expect(next.journals.count == 2)
    }

    /// All but those that only sign the others.
    private func entries(of journal: String) throws -> [Substring] {
        try String(contentsOfFile: journal, encoding: .utf8).split(separator: "\n").filter { !$0.hasPrefix(#"{"checkpoint""#) }
    }

    @Test func `SIGTERM fades out and closes the journal`() async throws {
        let daemon = try await Daemon(["--output", "null"])
        let client = try LineSocket(daemon.socket)
        _ = try client.call("tone", #"{"on":true,"frequency":440,"level":-12}"#)
        try await Task.sleep(for: .milliseconds(200))
        #expect(daemon.terminate() == 0)
        let journal = try #require(daemon.journals.first)
        let text = try String(contentsOfFile: journal, encoding: .utf8)
        #expect(text.split(separator: "\n").last?.hasPrefix(#"{"end":"shutdown""#) == true)
        #expect(!FileManager.default.fileExists(atPath: daemon.socket))
        let rendered = try thrum("render", journal, "-o", daemon.scratch.file("a.wav"), "--bits", "float")
        #expect(rendered.status == 0 && rendered.errors.isEmpty)
        let samples = try WaveFile(path: daemon.scratch.file("a.wav")).samples
        // A fade to the very end, not a cut.
        #expect(samples.suffix(5).allSatisfy { $0.magnitude < 1e-3 })
        #expect(samples.dropLast(600).suffix(200).contains { $0.magnitude > 0.2 })
    }

    @Test func `each visitor has a journal of his own`() async throws {
        let daemon = try await Daemon(["--output", "null", "--idle", "0.3"])
        let client = try LineSocket(daemon.socket)
        for visitor in 1...3 {
            _ = try client.call("chime.play", #"{"name":"ding"}"#)
            #expect(try await eventually { try daemon.status()["session"] == nil && daemon.journals.count == visitor })
        }
        for journal in daemon.journals {
            // It is written a moment after the session is over.
            #expect(try await eventually { try String(contentsOfFile: journal, encoding: .utf8).contains(#"{"end":"idle""#) })
        }
    }

    @Test func `when the disk is full the journal waits there, the sound goes on, and status says so`() async throws {
        let scratch = try Scratch()
        // No file of this shell's children may pass 32 KiB: writing on fails as on a full disk does.
        let limited = try Running("/bin/sh", ["-c", "trap '' XFSZ; ulimit -f 64; exec \"$@\"", "sh", Programs.thrumd,
                                              "--socket", scratch.file("c.sock"), "--sessions", scratch.file("s"), "--output", "null"])
        #expect(try await eventually { (try? LineSocket(scratch.file("c.sock"))) != nil })
        let client = try LineSocket(scratch.file("c.sock"))
        for n in 1...300 { #expect(try client.call("feed.update", "{\"blocksViewed\":\(n)}").contains("frame")) }
        #expect(try await eventually { try client.call("status").contains("File too large") })
        limited.signal(SIGTERM)
        #expect(limited.finish().status == 0)
        let journal = scratch.file("s/") + (try #require(try FileManager.default.contentsOfDirectory(atPath: scratch.file("s")).first))
        let text = try String(contentsOfFile: journal, encoding: .utf8)
        #expect(text.utf8.count <= 32_768 && text.hasSuffix("}\n") && !text.contains("\"end\""))
        let rendered = try thrum("render", journal, "-o", scratch.file("a.wav"))
        #expect(rendered.status == 0 && rendered.errors.contains("cut off"))
    }

    @Test func `journals that cannot be written are known before the first visitor`() async throws {
        let scratch = try Scratch()
        let file = try scratch.write("", to: "file")
        let daemon = try await Daemon(["--output", "null", "--sessions", file + "/sessions"])
        let status = try thrum("status", "--socket", daemon.socket)
        #expect(status.status == 1 && status.text.contains("Not a directory"))
    }

    @Test func `a daemon that hangs or goes is not waited for`() async throws {
        let daemon = try await Daemon(["--output", "null"])
        let holding = try Running(Programs.thrum, ["send", "tone", "on=true", "--hold", "60", "--socket", daemon.socket])
        #expect(try await eventually { try daemon.isHeld })
        daemon.process.signal(SIGSTOP)
        let status = try thrum("status", "--socket", daemon.socket)
        #expect(status.status == 69 && status.errors.contains("no answer"))
        daemon.kill()
        #expect(holding.finish().status == 69)
    }

    @Test func `a second daemon on the same socket gives up with a clear word, and the first does not notice`() async throws {
        let daemon = try await Daemon(["--output", "null"])
        let second = try run(Programs.thrumd, ["--socket", daemon.socket, "--sessions", daemon.scratch.file("s"), "--output", "null"])
        #expect(second.status == 69)
        #expect(second.errors.contains("another thrumd is listening"))
        #expect(try LineSocket(daemon.socket).call("status").contains("result"))
    }

    @Test(arguments: [
        (["--rate", "7"], "rate: expected a whole number from 8000 to 192000 (Hz), found \"7\""),
        (["--output", "speaker"], "output: expected pulse, alsa, alsa:DEVICE as in alsa:hw:CARD=PCH, or null, found \"speaker\""),
        (["--idle", "soon"], "idle: expected a number from 0.1 to 86400 (s), found \"soon\""),
        (["--ceiling", "3"], "ceiling: expected a number from -60 to 0 (dBFS), found \"3\""),
    ])
    func `a bad setting ends with its name and what was expected, status 78`(flags: [String], words: String) throws {
        let finished = try run(Programs.thrumd, ["--socket", "/tmp/never.sock", "--sessions", "/tmp/never"] + flags)
        #expect(finished.status == 78)
        #expect(finished.errors == "thrumd: \(words)\n")
    }

    @Test func `settings come from flags before environment before file`() async throws {
        let scratch = try Scratch()
        let file = try scratch.write("output: \"null\"\nrate: 32000\nidle: 1\n", to: "thrum.yaml")
        func rate(_ arguments: [String], _ environment: [String: String]) async throws -> Int? {
            let daemon = try await Daemon(["--config", file] + arguments, environment: environment)
            return (try daemon.status()["output"] as? [String: Any])?["sampleRate"] as? Int
        }
        #expect(try await rate([], [:]) == 32_000)
        #expect(try await rate([], ["THRUM_RATE": "44100"]) == 44_100)
        #expect(try await rate(["--rate", "96000"], ["THRUM_RATE": "44100"]) == 96_000)
        let bad = try scratch.write("rate: [1, 2]\n", to: "bad.yaml")
        let finished = try run(Programs.thrumd, ["--config", bad, "--socket", scratch.file("s")])
        #expect(finished.status == 78 && finished.errors == "thrumd: \(bad):1: rate: expected a single value, found a list or mapping\n")
    }

    @Test func `send and status speak to it, and say when it is not there`() async throws {
        let daemon = try await Daemon(["--output", "null"])
        let sent = try thrum("send", "chime.play", "name=unlock", "--socket", daemon.socket)
        #expect(sent.status == 0 && sent.text.contains(#""frame":0"#))
        let result = try thrum("send", "chime.play", "name=unlock", "--result", "--socket", daemon.socket)
        #expect(result.status == 0 && result.text.hasPrefix("{\n  \"frame\" : ") && result.text.hasSuffix("\n}\n"), "\(result.text)")
        let refused = try thrum("send", "tone", "frequency=5001", "--socket", daemon.socket)
        #expect(refused.status == 65)
        #expect(refused.errors == "thrum: frequency: expected a number from 20 to 5000 (Hz), found 5001\n")
        let status = try thrum("status", "--socket", daemon.socket)
        #expect(status.status == 0 && status.text.contains("null"))
        #expect(try thrum("status", "--json", "--socket", daemon.socket).text.contains(#""issues" : ["#))
        let named = try run(Programs.thrum, ["status"], environment: ["THRUM_SOCKET": daemon.socket])
        #expect(named.status == 0 && named.text.contains("null"))
        _ = daemon.terminate()
        let nowhere = try run(Programs.thrum, ["status"], environment: ["THRUM_SOCKET": "", "XDG_RUNTIME_DIR": ""])
        #expect(nowhere.status == 69 && nowhere.errors.hasPrefix("thrum: /run/thrum/control.sock: ")
            && nowhere.errors.hasSuffix("(XDG_RUNTIME_DIR is not set; --socket or THRUM_SOCKET names another socket)\n"), "\(nowhere.errors)")
        // It waits as long as it is asked to, and for one that comes.
        let began = ContinuousClock.now
        #expect(try thrum("status", "--wait", "0.3", "--socket", daemon.socket).status == 69)
        #expect(ContinuousClock.now - began >= .milliseconds(300))
        let waiting = try Running(Programs.thrum, ["status", "--wait", "60", "--socket", daemon.socket])
        let next = try await Daemon(["--output", "null"], scratch: daemon.scratch)
        let waited = waiting.finish()
        #expect(waited.status == 0 && waited.text.contains("null"), "\(waited.errors)")
        _ = next.terminate()
        let gone = try thrum("status", "--socket", daemon.socket)
        #expect(gone.status == 69 && gone.errors.contains("is thrumd running?"))
    }

    @Test func `a conversation is answered in order on one connection, and goes on after a refusal`() async throws {
        let daemon = try await Daemon(["--output", "null"])
        func converse(_ lines: String...) throws -> Finished {
            let script = try daemon.scratch.write(lines.joined(separator: "\n"), to: "lines")
            return try run("sh", ["-c", "exec \"$0\" send - --socket \"$1\" < \"$2\"", Programs.thrum, daemon.socket, script])
        }
        let good = try converse("# by hand", "hello client=me", "", "subscribe topics=session", #"{"jsonrpc":"2.0","method":"touch","params":{"phase":"began"}}"#,
                                #"{"jsonrpc":"2.0","id":"mine","method":"ping"}"#, "touch phase=ended")
        #expect(good.status == 0 && good.errors.isEmpty, "\(good.errors)")
        let told = good.text.split(separator: "\n")
        #expect(told.filter { !$0.contains(#""method":"#) }.map { $0.prefix(9) } == [#"{"id":2,"j"#, #"{"id":4,"j"#, #"{"id":"min"#, #"{"id":7,"j"#].map { $0.prefix(9) })
        // What the finger began is told of before the next answer.
        let began = try #require(told.firstIndex { $0.contains(#""method":"session""#) }), mine = try #require(told.firstIndex { $0.contains(#""mine""#) })
        #expect(began < mine)
        let refused = try converse("tone frequency=5001", "ping")
        #expect(refused.status == 65 && refused.errors.isEmpty)
        #expect(refused.text.split(separator: "\n").map { $0.contains(#""error""#) } == [true, false])
        // thrumd says what is wrong with JSON (JSON-RPC 2.0, section 5.1), and answers a batch by a list.
        let raw = try converse("{", #"[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"pin"}]"#, "ping")
        #expect(raw.status == 65 && raw.errors.isEmpty, "\(raw.errors)")
        let answers = raw.text.split(separator: "\n")
        #expect(answers.count == 3 && answers[0].contains("-32700") && answers[1].hasPrefix("[") && answers[1].contains("-32601"), "\(raw.text)")
        let slip = try converse("ping", "chime ding", "ping")
        #expect(slip.status == 64 && slip.errors == "thrum: line 2: ding: expected key=value\n" && slip.text.split(separator: "\n").count == 1)
        #expect(try thrum("send", "-", "name=ding", "--socket", daemon.socket).status == 64)
        _ = daemon.terminate()
        #expect(try converse("ping").status == 69)
    }

    @Test func `send takes words as the method wants them, and waits for what is to come`() async throws {
        let daemon = try await Daemon(["--output", "null"])
        func send(_ words: String...) throws -> Finished { try run(Programs.thrum, ["send", "--socket", daemon.socket] + words) }
        #expect(try send("session.start").status == 0)
        #expect(try send("journal.mark", "text=123").status == 0)
        #expect(try send("journal.mark", #"text="quoted""#).status == 0)
        #expect(try send("subscribe", "topics=toast,unlock").text.contains(#""topics":["toast","unlock"]"#))
        let pattern = try daemon.scratch.write(#"{"Pattern":[{"Event":{"Time":0,"EventType":"HapticTransient"}}]}"#, to: "tap.ahap")
        #expect(try send("haptic.play", "ahap=@\(pattern)").status == 0)
        let missing = try send("haptic.play", "ahap=@/nowhere")
        #expect(missing.status == 64 && missing.errors.contains("ahap: expected a file of JSON, found /nowhere"), "\(missing.errors)")
        #expect(try send("chime.play", "name=ding", "delay=5500").status == 0, "it is heard later than a daemon that hangs is waited for")
        for moment in ["delay=1e300", "delay=-1", "at=-9223372036854775808", "at=9223372036854775807"] {
            let refused = try send("chime.play", "name=ding", moment)
            #expect(refused.status == 65 && refused.errors.contains("expected"), "\(moment): \(refused.status) \(refused.errors)")
        }
        #expect(daemon.terminate() == 0)
        let journal = try String(contentsOfFile: try #require(daemon.journals.first), encoding: .utf8)
        for word in [#""text":"123""#, #""text":"quoted""#, #""pattern":["#] { #expect(journal.contains(word), "\(word)") }
    }

    @Test func `a bad line of a scenario is named`() async throws {
        let daemon = try await Daemon(["--output", "null"])
        let unknown = try daemon.scratch.write("stop\n10ms\nchime.play name=gong\n", to: "a.scenario")
        let refused = try thrum("play", unknown, "--socket", daemon.socket)
        #expect(refused.status == 65 && refused.errors.contains("a.scenario:3: name: expected one of award, band-drop, bypass, cure, death, ding, eating, explore-blank, explore-button, explore-heading, explore-image, explore-off, explore-on, explore-slider, explore-text, explore-toggle, growth, memorial, mew-concerned, mew-dead, mew-healthy, mew-tired, mew-weak, nightly, purchase, restart, revive, shield-back, streak, terminal, unlock, welcome"))
        let malformed = try daemon.scratch.write("stop\n10minutes\n", to: "b.scenario")
        #expect(try thrum("play", malformed, "--socket", daemon.socket).errors.contains("b.scenario:2: expected a time"))
    }

    @Test func `a client that hangs with a finger down is let go when it has been silent for as long as it said`() async throws {
        let daemon = try await Daemon(["--output", "null"])
        let client = try LineSocket(daemon.socket)
        #expect(try client.call("ping", #"{"timeout":2000}"#).contains(#""time":"#))
        _ = try client.call("touch", #"{"phase":"began"}"#)
        #expect(try daemon.isHeld)
        #expect(try await eventually { try !daemon.isHeld })
        // The connection is closed.
        #expect(throws: LineSocket.Failed.self) { try client.receive() }
        #expect(daemon.terminate() == 0)
        let lines = try String(contentsOfFile: try #require(daemon.journals.first), encoding: .utf8).split(separator: "\n")
        let left = try #require(lines.first { $0.contains(#""event":"left""#) })
        let frame = try #require(left.firstMatch(of: /"frame":(\d+)/).flatMap { Int($0.1) })
        // 2 s (96,000 frames) after the last it said. A busy machine takes longer, and tells an output's clock some milliseconds late.
        #expect(frame >= 90_000, "\(left)")
    }

    @Test func `a client that speaks is not silent, and one that took its word back may be`() async throws {
        let daemon = try await Daemon(["--output", "null"])
        let speaker = try LineSocket(daemon.socket)
        let sleeper = try LineSocket(daemon.socket)
        _ = try speaker.call("ping", #"{"timeout":4000}"#)
        _ = try sleeper.call("ping", #"{"timeout":200}"#)
        _ = try sleeper.call("ping", #"{"timeout":0}"#)
        _ = try speaker.call("touch", #"{"phase":"began"}"#)
        for _ in 0..<60 {
            // This thread's own sleep: who waits in line behind other tests is silent for too long.
            usleep(100_000)
            try speaker.send(#"{"jsonrpc":"2.0","method":"ping"}"#)
        }
        #expect(try daemon.isHeld)
        #expect(try sleeper.call("ping").contains("time"))
        #expect(daemon.terminate() == 0)
    }

    @Test func `whoever subscribes gets a snapshot, and then everything in order and numbered`() async throws {
        let daemon = try await Daemon(["--output", "null"])
        let watcher = try LineSocket(daemon.socket)
        let subscription = try watcher.call("subscribe", #"{"topics":["event","cue","session"]}"#)
        #expect(subscription.contains(#""number":0,"snapshot":{"state":{"ceiling":-1,"fingers":0,"hasSession":false,"#), "\(subscription)")
        let client = try LineSocket(daemon.socket)
        _ = try client.call("touch", #"{"phase":"began","id":3}"#)
        _ = try client.call("chime.play", #"{"name":"ding"}"#)
        let told = try (0..<8).map { _ in try watcher.receive() }
        for (index, line) in told.enumerated() { #expect(line.contains(#""params":{"number":\#(index + 1),"#), "\(line)") }
        func cues(_ words: String...) -> [String] { words.map { #""cue":"\#($0)""# } }
        #expect(told[0].contains(#""phase":"began""#))
        let expected = cues("tone.pitch", "tone.level", "haptic", "tone.gate") + [#""event":"touch","frame":0,"id":3,"phase":"began""#]
            + cues("chime") + [#""event":"chime""#]
        for word in expected { #expect(told.contains { $0.contains(word) }, "\(word) in \(told)") }
        #expect(daemon.terminate() == 0)
    }
}

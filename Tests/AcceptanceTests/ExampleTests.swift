import Foundation
import Testing
import TestSupport

/// What people copy must work. The example in Python is tried with ColorScroller.
@Suite struct ExampleTests {
    @Test func `the shell example plays a touch and a chime, and gets its answers`() async throws {
        let daemon = try await Daemon(["--output", "null"])
        let example = try run(repository + "/examples/chime.sh", [daemon.socket])
        #expect(example.status == 0, "\(example.errors)")
        let answers = example.text.split(separator: "\n")
        #expect(answers.count == 4 && answers.allSatisfy { $0.contains(#""result":{"frame":"#) }, "\(answers)")
        #expect(daemon.terminate() == 0)
        let journal = try String(contentsOfFile: try #require(daemon.journals.first), encoding: .utf8)
        #expect(journal.contains(#""name":"unlock""#))
    }

    @Test func `the example with oscsend is a line for each thing that happens`() async throws {
        let port = freePort()
        let daemon = try await Daemon(["--output", "null", "--osc", "\(port)"])
        let example = try run(repository + "/examples/osc.sh", ["osc.udp://127.0.0.1:\(port)"])
        #expect(example.status == 0, "\(example.errors)")
        #expect(try await eventually { try String(contentsOfFile: daemon.journals.first ?? "", encoding: .utf8).contains(#""event":"stop""#) })
        #expect(daemon.terminate() == 0)
        let journal = try String(contentsOfFile: try #require(daemon.journals.first), encoding: .utf8)
        for word in [#""frequency":440,"#, #""phase":"began""#, #""name":"unlock""#] { #expect(journal.contains(word), "\(word)") }
    }

    @Test func `bash completes the names of methods`() throws {
        let completed = try run("bash", ["-c", """
            source <("$0" --generate-completion-script bash)
            COMP_WORDS=(thrum send feed) COMP_CWORD=2 COMP_LINE="thrum send feed" COMP_POINT=15
            _thrum thrum feed send
            echo "${COMPREPLY[@]}"
            """, Programs.thrum])
        #expect(completed.text == "feed.cards feed.inventory feed.leaderboard feed.palettes feed.reset feed.scroll feed.state feed.update\n",
                "\(completed.errors)")
    }

    @Test func `the example in JavaScript prints what is told as it comes`() async throws {
        let daemon = try await Daemon(["--output", "null"])
        let watcher = try Running("node", [repository + "/examples/watch.mjs", daemon.socket, "session", "cue"])
        #expect(try await eventually { watcher.output.contains("listening to cue, session") })
        _ = try LineSocket(daemon.socket).call("chime.play", #"{"name":"ding"}"#)
        #expect(try await eventually { watcher.output.contains(#"cue {"number":4,"cue":"chime","name":"ding"}"#) }, "\(watcher.output)")
        #expect(watcher.output.contains(#"session {"number":1,"phase":"began"}"#))
        let swapped = try Running("node", [repository + "/examples/watch.mjs", "cue", daemon.socket])
        #expect(try await eventually { swapped.output == "listening to cue\n" }, "the socket may come after the topics")
        // It ends with the daemon.
        #expect(daemon.terminate() == 0)
        #expect(watcher.finish().status == 0 && swapped.finish().status == 0)
    }

    @Test(arguments: [
        (["--topic", "cue"], 64, "found \"--topic\""), (["/tmp/a", "/tmp/b"], 64, "found \"/tmp/b\""), (["/nowhere/c.sock"], 69, "is thrumd running?"),
    ])
    func `the example in JavaScript says how it is called where it cannot go on`(words: [String], status: Int32, told: String) throws {
        let watcher = try run("node", [repository + "/examples/watch.mjs"] + words)
        #expect(watcher.status == status && watcher.errors.contains(told) && !watcher.errors.contains("node:internal"), "\(watcher.errors)")
        #expect(watcher.errors.contains("usage: watch.mjs [SOCKET] [TOPIC ...]") == (status == 64))
    }

    @Test func `a topic that there is not is told by the example in JavaScript`() async throws {
        let daemon = try await Daemon(["--output", "null"])
        let watcher = try run("node", [repository + "/examples/watch.mjs", "weather", daemon.socket])
        #expect(watcher.status == 65 && watcher.errors.hasPrefix("watch.mjs: topics"), "\(watcher.errors)")
        #expect(daemon.terminate() == 0)
    }

    @Test func `thrum watch prints what is told, in words or as JSON`() async throws {
        let daemon = try await Daemon(["--output", "null"])
        let words = try Running(Programs.thrum, ["watch", "--socket", daemon.socket, "cue,session", "cat"])
        let json = try Running(Programs.thrum, ["watch", "--socket", daemon.socket, "--json"])
        let client = try LineSocket(daemon.socket)
        // Sessions until both have subscribed.
        #expect(try await eventually {
            _ = try client.call("chime.play", #"{"name":"ding"}"#)
            _ = try client.call("session.end")
            return words.output.contains("  session      phase=began\n") && words.output.contains("  cue          cue=chime name=ding\n")
                && json.output.contains(#""method":"event","params":{"number":"#)
        }, "\(words.output)\(json.output)")
        #expect(daemon.terminate() == 0)
        #expect(words.finish().status == 69 && json.finish().status == 69)
        #expect(words.errors.hasPrefix("thrum: nothing is told of cat: another piece runs\n"), "\(words.errors)")
        #expect(try thrum("watch", "weather").status == 64)
        let slip = try thrum("watch", "unlok,toast")
        #expect(slip.status == 64 && slip.errors.contains(#""unlok" is no topic (did you mean unlock?); thrum watch --help lists them"#))
    }
}

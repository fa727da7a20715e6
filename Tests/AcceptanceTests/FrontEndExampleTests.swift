import Foundation
import Testing
import TestSupport

/// The same front end in several languages: each swipes through ColorScroller, and prints what it is told.
@Suite struct FrontEndExampleTests {
    /// A daemon in which the first card that may carry a new skin does, and so unlocks it.
    private func feed(_ arguments: String...) async throws -> Daemon {
        let daemon = try await Daemon(["--output", "null", "--experience", "colorscroller", "--seed", "7"] + arguments)
        // What is found on which card follows from the seed, where the machine throws nothing in.
        for (knob, value) in [("chance-early", 1), ("holdout", 1)] {
            _ = try LineSocket(daemon.socket).call("param.set", #"{"name":"\#(knob)","value":\#(value)}"#)
        }
        return daemon
    }

    /// Cards viewed and skins unlocked, as the engine has them.
    private func state(_ daemon: Daemon) throws -> (viewed: Int?, unlocked: Int?) {
        let answer = try LineSocket(daemon.socket).call("feed.state")
        let result = (try JSONSerialization.jsonObject(with: Data(answer.utf8)) as? [String: Any])?["result"] as? [String: Any]
        return (result?["blocksViewed"] as? Int, result?["unlockCount"] as? Int)
    }

    /// The skin on card 10, where seed 7 has it: as in docs/reference/transcripts.md.
    private let first = "Azure"

    @Test func `the front end in Python prints the cards, and what it unlocks`() async throws {
        let daemon = try await feed()
        let example = try run("python3", [repository + "/examples/colorscroller.py", "--socket", daemon.socket, "--swipes", "10", "--pace", "0.1"])
        #expect(example.status == 0, "\(example.errors)")
        let lines = example.text.split(separator: "\n")
        // As in docs/reference/transcripts.md.
        #expect(lines.first == "card 1: #ababab", "\(example.text)")
        let found = try #require(lines.firstIndex(of: "card 10: \(first) (common)"), "\(example.text)")
        #expect(lines[(found + 1)...].prefix(2) == ["unlocked \(first) (common) on card 10", "toast: common \(first)"], "\(example.text)")
        #expect(lines.last?.hasPrefix("10 cards viewed, 1 skins unlocked, tone at ") == true)
        #expect(daemon.terminate() == 0)
    }

    @Test func `the client library for Python tells results, refusals and announcements apart`() async throws {
        let daemon = try await feed()
        let finished = try run("python3", ["-c", """
            import sys
            from thrum import Engine, Gone, Refused
            with Engine("test", sys.argv[1], gestures=True) as engine:
                print(engine.greeting["experience"], engine.ask("subscribe", topics=["scroll"])["topics"])
                try: engine.ask("tone", level="loud")
                except Refused as refused: print(refused.code, refused.reason, refused.field)
                try: engine.ask("finger.claim", client=-1, id=0)
                except Refused as refused: print(refused.code, refused.reason, refused.field)
                engine.tell("swipe", direction="up", velocity=2)
                print(next(announcement.body["index"] for announcement in engine.announcements() if announcement.topic == "scroll"))
                print(len(engine.ask("feed.cards", first=0, count=3)["cards"]), list(engine.announcements(wait=0)))
            try: engine.ask("ping")
            except Gone: print("gone")
            try: Engine("test", sys.argv[1] + ".none")
            except OSError: print("nobody")
            """, daemon.socket], environment: ["PYTHONPATH": repository + "/examples"])
        #expect(finished.text == """
            colorscroller ['scroll']
            -32602 None level
            -32000 not-owner method
            1
            3 []
            gone
            nobody

            """ as String, "\(finished.text)\(finished.errors)")
    }

    /// One that ends in the usual way answers what is under way before it hangs up; one that is killed says nothing.
    @Test(arguments: ["py", "mjs", "c"], [true, false])
    func `a front end says that the engine is gone, and goes on when it is back`(language: String, isKilled: Bool) async throws {
        let daemon = try await feed()
        let path = "\(repository)/examples/colorscroller.\(language)"
        let example: Running
        switch language {
        case "py": example = try Running("python3", [path, "--socket", daemon.socket, "--swipes", "100000", "--pace", "0.1"])
        case "mjs": example = try Running("node", [path, daemon.socket, "100000"])
        default:
            let program = daemon.scratch.file("example")
            #expect(try run("cc", ["-o", program, path]).status == 0)
            example = try Running(program, [daemon.socket, "100000"])
        }
        #expect(try await eventually { example.output.contains("unlocked ") }, "\(example.output)")
        if isKilled { daemon.kill() } else { #expect(daemon.terminate() == 0) }
        #expect(try await eventually { example.output.contains("thrumd is gone: waiting for it\n") }, "\(example.output)\(example.errors)")
        let next = try await Daemon(["--output", "null", "--experience", "colorscroller"], scratch: daemon.scratch)
        #expect(try await eventually { example.output.contains("connected again\n") }, "\(example.output)\(example.errors)")
        // It has swipes for hours, so that it is under way whenever a busy machine comes to look.
        example.signal(SIGTERM)
        let finished = example.finish()
        #expect(finished.text.components(separatedBy: "connected again\n").count == 2, "\(finished.text)")
        #expect(next.terminate() == 0)
    }

    @Test(arguments: ["py", "mjs", "c"])
    func `a front end that has missed announcements says so, and where the visitor is`(language: String) async throws {
        let scratch = try Scratch()
        let (path, socket) = ("\(repository)/examples/colorscroller.\(language)", scratch.file("socket"))
        let engine = try Running("python3", [repository + "/Tests/AcceptanceTests/forgetful.py", socket])
        #expect(try await eventually { FileManager.default.fileExists(atPath: socket) }, "\(engine.errors)")
        let example: Finished
        switch language {
        case "py": example = try run("python3", [path, "--socket", socket, "--swipes", "1", "--pace", "0.1"])
        case "mjs": example = try run("node", [path, socket, "1"])
        default:
            let program = scratch.file("example")
            #expect(try run("cc", ["-o", program, path]).status == 0)
            example = try run(program, [socket, "1"])
        }
        let lines = example.text.split(separator: "\n")
        #expect(example.status == 0 && lines.first?.hasPrefix("missed 12 announcements") == true, "\(example.text)\(example.errors)")
        switch language {
        case "py": #expect(lines.count == 2)
        case "mjs": #expect(lines.contains("missed 12 announcements: card 31 is shown"))
        // Asked for when that was told, and at the end.
        default: #expect(lines.filter { $0.hasPrefix("state: ") }.count == 2)
        }
    }

    @Test func `the front end in JavaScript says how it is used, and that nobody listens, without a stack trace`() throws {
        let path = repository + "/examples/colorscroller.mjs"
        let help = try run("node", [path, "--help"])
        #expect(help.status == 0 && help.text.hasPrefix("usage: colorscroller.mjs [SOCKET] [SWIPES]\n") && help.errors.isEmpty)
        let wrong = try run("node", [path, "/nowhere", "many"])
        #expect(wrong.status == 64 && wrong.errors == help.text)
        let alone = try run("node", [path, "/nowhere"])
        #expect(alone.status == 1 && alone.errors == "/nowhere: connect ENOENT /nowhere; is thrumd running?\n")
    }

    @Test func `the front end in JavaScript is told of what it unlocks`() async throws {
        let daemon = try await feed()
        let example = try run("node", [repository + "/examples/colorscroller.mjs", daemon.socket, "11"])
        #expect(example.status == 0, "\(example.errors)")
        #expect(example.text.hasPrefix("unlocked \(first) (common) on card 10\ntoast: common \(first)\n"), "\(example.text)")
        #expect(example.text.contains("11 cards viewed, 2 skins unlocked, tone at "), "\(example.text)")
        #expect(try state(daemon) == (11, 2))
        #expect(daemon.terminate() == 0)
    }

    @Test func `the front end in C compiles without a warning, and is told of what it unlocks`() async throws {
        let daemon = try await feed()
        let program = daemon.scratch.file("example")
        let compiled = try run("cc", ["-Wall", "-Wextra", "-Werror", "-O2", "-o", program, repository + "/examples/colorscroller.c"])
        #expect(compiled.status == 0, "\(compiled.errors)")
        let example = try run(program, [daemon.socket, "11"])
        #expect(example.status == 0, "\(example.errors)")
        #expect(example.text.hasPrefix("unlocked \(first) (common)\ntoast: common \(first)\n"), "\(example.text)")
        #expect(example.text.contains(#""blocksViewed":11,"#) && example.text.contains(#""unlockCount":2"#), "\(example.text)")
        #expect(daemon.terminate() == 0)
    }

    @Test func `the front end in Pd swipes, and prints where the visitor is`() async throws {
        let port = freePort()
        let daemon = try await feed("--osc", "\(port)")
        // Its own metronome is what paces it; what it prints goes to standard error.
        let example = try run("timeout", [
            "60", "pd", "-nogui", "-noaudio", "-nomidi", "-noprefs", "-send", "swipes 11", "-send", "port \(port)",
            repository + "/examples/colorscroller.pd",
        ], environment: ["HOME": daemon.scratch.path])
        #expect(example.status == 0, "\(example.errors)")
        // Pd escapes the commas. The 11th swipe comes while the feed stands still, and moves nothing, unless the machine is very busy.
        let (viewed, unlocked) = try state(daemon)
        #expect(viewed == 10 && unlocked == 1 || viewed == 11 && unlocked == 2, "\(viewed ?? 0) viewed, \(unlocked ?? 0) unlocked")
        #expect(example.errors.contains(#"reply /feed/state {"blocksViewed":\#(viewed ?? 0)\,"#), "\(example.errors)")
        #expect(daemon.terminate() == 0)
        let journal = try String(contentsOfFile: try #require(daemon.journals.first), encoding: .utf8)
        #expect(journal.components(separatedBy: #""phase":"began""#).count == 12)
    }

    /// It sends datagrams, to whoever has the port.
    @Test func `the front end in Pd goes on when the engine is back`() async throws {
        let port = freePort()
        let daemon = try await feed("--osc", "\(port)")
        let example = try Running("timeout", [
            "600", "pd", "-nogui", "-noaudio", "-nomidi", "-noprefs", "-send", "swipes 100000", "-send", "port \(port)",
            repository + "/examples/colorscroller.pd",
        ], environment: ["HOME": daemon.scratch.path])
        #expect(try await eventually { try state(daemon).viewed ?? 0 > 2 }, "\(example.errors)")
        daemon.kill()
        let next = try await Daemon(["--output", "null", "--experience", "colorscroller", "--osc", "\(port)"], scratch: daemon.scratch)
        #expect(try await eventually { try state(next).viewed ?? 0 > 2 }, "\(example.errors)")
        example.signal(SIGTERM)
        _ = example.finish()
        #expect(next.terminate() == 0)
    }

    /// Pd prints to standard error. An unlock that comes before Pd hears is lost: cards are scrolled until one is there.
    @Test func `the light in Pd flashes and fades when a skin is unlocked`() async throws {
        let port = freePort()
        let daemon = try await feed("--osc-out", "127.0.0.1:\(port)", "--osc-out-topics", "unlock")
        let example = try Running("timeout", [
            "60", "pd", "-nogui", "-noaudio", "-nomidi", "-noprefs", "-send", "port \(port)", repository + "/examples/light.pd",
        ], environment: ["HOME": daemon.scratch.path])
        let client = try LineSocket(daemon.socket)
        var card = 0
        #expect(try await eventually {
            card += 1
            _ = try client.call("feed.scroll", #"{"index":\#(card)}"#)
            return example.errors.contains("light: 0\n")
        }, "\(example.errors)")
        #expect(example.errors.contains("unlocked: ") && example.errors.contains("light: 255\n"), "\(example.errors)")
        example.signal(SIGTERM)
        _ = example.finish()
        #expect(daemon.terminate() == 0)
    }

    /// With the real OLA, which has a universe of one port that leads nowhere, and tells which levels it sends there. It does not run as root.
    @Test func `the light on DMX flashes and fades by OLA when a skin is unlocked, and says when OLA is gone`() async throws {
        let daemon = try await feed()
        let (port, calls) = (freePort(), freePort())
        let folder = daemon.scratch.file("ola")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        // Its other plugins would open ports and look for interfaces.
        for plugin in ["artnet", "dmx4linux", "e131", "espnet", "ftdidmx", "gpio", "karate", "kinet", "milinst", "nanoleaf", "opendmx",
                       "openpixelcontrol", "osc", "pathport", "renard", "sandnet", "shownet", "spi", "stageprofi", "uartdmx", "usbdmx", "usbserial"] {
            try "enabled = false\n".write(toFile: "\(folder)/ola-\(plugin).conf", atomically: true, encoding: .utf8)
        }
        chmod(daemon.scratch.path, 0o755)
        chmod(folder, 0o777)
        let words = ["olad", "-c", folder, "-p", "\(port)", "-r", "\(calls)", "-l", "0"]
        let ola = geteuid() == 0 ? try Running("setpriv", ["--reuid", "nobody", "--regid", "nogroup", "--clear-groups"] + words)
            : try Running(words[0], Array(words.dropFirst()))
        func asks(_ target: String, _ body: String? = nil) throws -> String {
            try run("curl", ["-s", "-m", "5"] + (body.map { ["-d", $0] } ?? []) + ["http://127.0.0.1:\(port)/\(target)"]).text
        }
        #expect(try await eventually { try asks("new_universe", "id=1&name=Hall&add_ports=1-O-0").contains(#""ok": true"#) }, "\(ola.errors)")
        let example = try Running("python3", [
            repository + "/examples/dmx.py", "--socket", daemon.socket, "--ola", "http://127.0.0.1:\(port)", "--channel", "3",
            "--flash", "unlock=255,160,0", "--fade", "1",
        ])
        #expect(try await eventually { example.output.contains("following unlock\n") }, "\(example.errors)")
        func levels() throws -> [Int] {
            let text = try asks("get_dmx?u=1").components(separatedBy: #""dmx": ["#).dropFirst().first ?? ""
            return text.prefix { $0 != "]" }.split(separator: ",").compactMap { Int($0) }
        }
        let client = try LineSocket(daemon.socket)
        var card = 0
        var lit: [Int] = []
        #expect(try await eventually {
            card += 1
            _ = try client.call("feed.scroll", #"{"index":\#(card)}"#)
            lit = try levels()
            return lit.count == 5 && lit[2] > 0
        }, "\(example.output)\(example.errors)")
        // The fixture's colour at whatever point of its fading: 160 of 255, each rounded.
        try #require(lit.count == 5)
        #expect(lit[0] == 0 && lit[1] == 0 && lit[4] == 0 && abs(Double(lit[3]) - Double(lit[2]) * 160 / 255) <= 1, "\(lit)")
        #expect(try await eventually { try levels() == [0, 0, 0, 0, 0] })
        ola.signal(SIGKILL)
        _ = ola.finish()
        #expect(try await eventually {
            card += 1
            _ = try client.call("feed.scroll", #"{"index":\#(card)}"#)
            return example.output.contains("takes no levels")
        }, "\(example.output)\(example.errors)")
        example.signal(SIGTERM)
        _ = example.finish()
        #expect(daemon.terminate() == 0)
    }

    @Test func `the scenario swipes four times`() async throws {
        let daemon = try await feed()
        let played = try thrum("play", repository + "/examples/colorscroller.scenario", "--socket", daemon.socket)
        #expect(played.status == 0, "\(played.errors)")
        // Three cards on, and one back.
        #expect(try state(daemon).viewed == 4)
        #expect(daemon.terminate() == 0)
    }

    @Test func `the front end in HTML has 100 lines, draws what its visitor unlocks, and outlives its engine`() async throws {
        let page = try String(contentsOfFile: repository + "/examples/colorscroller.html", encoding: .utf8)
        #expect(page.split(separator: "\n", omittingEmptySubsequences: false).count <= 101)
        let visit = try await playPage("example.py")
        #expect(visit.status == 0, "\(visit.text)\(visit.errors)")
        #expect(visit.text.split(separator: "\n").filter { $0.hasPrefix("PASS") }.count == 7, "\(visit.text)")
    }
}

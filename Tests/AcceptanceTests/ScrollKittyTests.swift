import Foundation
import Testing
import TestSupport

/// The cat in a real daemon.
@Suite struct ScrollKittyTests {
    @Test func `the example client opens an app, waits for its shield, and prints what the cat says`() async throws {
        let example = try String(contentsOfFile: repository + "/examples/scrollkitty.py", encoding: .utf8)
        #expect(example.split(separator: "\n", omittingEmptySubsequences: false).count <= 100)
        // A cooldown of 20 minutes is 1 s.
        let daemon = try await Daemon(["--output", "null", "--experience", "scrollkitty"], environment: ["THRUM_DAY_MINUTES": "1.2"])
        let client = try run("python3", [repository + "/examples/scrollkitty.py", "--socket", daemon.socket, "--bypass", "Chat"])
        #expect(client.status == 0, "\(client.errors)")
        let lines = client.text.split(separator: "\n")
        #expect(lines.first?.hasSuffix("the cat is healthy, 100 HP") == true, "\(client.text)")
        #expect(lines.filter { $0 == "  Chat: shielded, 5 HP to open" }.count == 2 && lines.contains("Lost 5 HP"), "\(client.text)")
        #expect(lines.contains { $0.hasPrefix("The cat: ") } && lines.contains("The shield is back"), "\(client.text)")
        #expect(daemon.terminate() == 0)
    }

    @Test func `thrum kitty show draws the running cat's week, without colours into a pipe`() async throws {
        let daemon = try await Daemon(["--output", "null", "--experience", "scrollkitty"])
        _ = try LineSocket(daemon.socket).call("kitty.bypass", #"{"app":"Chat"}"#)
        let shown = try thrum("kitty", "show", "--socket", daemon.socket)
        #expect(shown.status == 0, "\(shown.errors)")
        #expect(shown.text.hasPrefix("home: healthy, 95 HP\n  today ") && shown.text.contains("1 bypass, 95 HP, healthy\n"), "\(shown.text)")
        #expect(!shown.text.contains("\u{1B}"))
        let client = try LineSocket(daemon.socket)
        _ = try client.call("household.enter", #"{"household":"badge 7"}"#)
        for (name, line) in [("badge 7", "badge 7: healthy, 100 HP"), ("home", "home: healthy, 95 HP")] {
            let named = try thrum("kitty", "show", "--household", name, "--socket", daemon.socket)
            #expect(named.text.hasPrefix(line + "\n  today "), "\(named.text)\(named.errors)")
        }
        #expect(try client.call("kitty.state").contains(#""household":"badge 7""#), "looking at another is no entering")
        let unknown = try thrum("kitty", "show", "--household", "nobody", "--socket", daemon.socket)
        #expect(unknown.status == 65 && unknown.errors.contains("household: expected one of which something is kept"), "\(unknown.errors)")
        #expect(daemon.terminate() == 0)
        let other = try await Daemon(["--output", "null"])
        let refused = try thrum("kitty", "show", "--socket", other.socket)
        #expect(refused.status == 65 && refused.errors.contains("the experience is direct"), "\(refused.errors)")
        #expect(other.terminate() == 0)
    }

    @Test func `thrum kitty check names what is wrong with a file of texts`() throws {
        let scratch = try Scratch()
        let good = repository + "/messages/scrollkitty/en/bands.yaml"
        let text = try String(contentsOfFile: good, encoding: .utf8)
        try FileManager.default.createDirectory(atPath: scratch.file("en"), withIntermediateDirectories: true)
        let bad = try scratch.write(text.replacing("One whisker is slightly bent.", with: "It is your fault."), to: "en/bands.yaml")
        let passed = try thrum("kitty", "check", good)
        #expect(passed.status == 0 && passed.text == "\(good): good\n", "\(passed.errors)")
        let failed = try thrum("kitty", "check", bad)
        #expect(failed.status == 78 && failed.errors == "thrum: \(bad):5: band-80-01: expected nothing that blames, found \"fault\"\n",
                "\(failed.errors)")
        #expect(try thrum("kitty", "check", scratch.file("none/en/bands.yaml")).status == 66)
        let help = try thrum("kitty", "--help")
        #expect(help.status == 0 && help.text.contains("check") && help.text.contains("show"), "\(help.text)")
        #expect(try thrum("--generate-completion-script", "bash").text.contains("_thrum_kitty_check"))
        let show = try thrum("kitty", "show", "--help").text
        #expect(show.contains("--household <household>"), "\(show)")
    }
}

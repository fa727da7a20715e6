import Foundation
import Testing
import TestSupport

private let folder = repository + "/themes"

@Suite struct ThemeTests {
    @Test func `themes are listed with where they are from, and bad files with what is wrong`() throws {
        let scratch = try Scratch()
        try FileManager.default.createDirectory(atPath: scratch.file("thrum/themes"), withIntermediateDirectories: true)
        _ = try scratch.write("chimes:\n  ding:\n    - {frequency: 880}\n", to: "thrum/themes/mine.yaml")
        let bad = try scratch.write("ceiling: 3\n", to: "thrum/themes/bad.yaml")
        let environment = ["XDG_CONFIG_HOME": scratch.path]
        let listed = try run(Programs.thrum, ["theme", "list", "--themes", folder], environment: environment)
        let lines = listed.text.split(separator: "\n")
        #expect(listed.status == 0)
        #expect(lines.contains("mine  \(scratch.file("thrum/themes/mine.yaml")), chimes: award, band-drop, bypass, cure, death, ding, eating, explore-blank, explore-button, explore-heading, explore-image, explore-off, explore-on, explore-slider, explore-text, explore-toggle, growth, memorial, mew-concerned, mew-dead, mew-healthy, mew-tired, mew-weak, nightly, purchase, restart, revive, shield-back, streak, terminal, unlock, welcome, patterns: 22, tone 240 to 5000 Hz, -60 to -6 dBFS"))
        #expect(lines.contains { $0.hasPrefix("glass  \(folder)/glass.yaml, ") })
        #expect(lines.last == "WRONG  \(bad):1: ceiling: expected a number from -60 to 0 (dBFS), found 3")
        let json = try run(Programs.thrum, ["theme", "list", "--json"], environment: environment)
        let object = try #require(try JSONSerialization.jsonObject(with: json.output) as? [String: Any])
        let themes = try #require(object["themes"] as? [[String: Any]])
        #expect(themes.compactMap { $0["name"] as? String }.contains("standard"))
        #expect((object["problems"] as? [[String: Any]])?.first?["line"] as? Int == 1)
    }

    @Test func `a file is checked, with its lines, and what is odd is told`() throws {
        let scratch = try Scratch()
        let shipped = try FileManager.default.contentsOfDirectory(atPath: folder).map { folder + "/" + $0 }
        let good = try run(Programs.thrum, ["theme", "check"] + shipped)
        #expect(good.status == 0 && good.errors.isEmpty)
        let bad = try scratch.write("ceiling: -3\nchimes:\n  ding:\n    - {frequency: 5}\n", to: "bad.yaml")
        let loud = try scratch.write("ceiling: -30\ntoneCurve:\n  loudest: -9\nchimes:\n  ding:\n    - {frequency: 9000}\n", to: "loud.yaml")
        let finished = try thrum("theme", "check", bad, loud, scratch.file("none.yaml"))
        #expect(finished.status == 78 && finished.text == "\(loud): good: loud\n")
        let lines = finished.errors.split(separator: "\n")
        #expect(lines.first == "thrum: \(bad):4: chimes.ding[0].frequency: expected a number from 20 to 20000 (Hz), found 5")
        #expect(lines.contains { $0.hasPrefix("thrum: \(loud):3: warning: toneCurve.loudest: the tone reaches -9 dBFS") })
        // One note of 0, -20 and -32 dB at -16 dBFS: 20·log10(1 + 0.1 + 0.0251) - 16 = -14.98.
        #expect(lines.contains { $0.hasPrefix("thrum: \(loud):5: warning: chimes.ding: it can reach -15.0 dBFS") })
        // 5.404 times as high, the bell's highest partial.
        #expect(lines.contains { $0.hasPrefix("thrum: \(loud):5: ") && $0.hasSuffix("higher than people hear, up to 48636 Hz") })
        #expect(lines.filter { $0.contains("warning:") }.count == 3, "the tone, this chime, and the standard theme's: \(lines)")
        #expect(try thrum("theme", "check", scratch.file("none.yaml")).status == 66)
        let rich = try scratch.write("toneCurve: {start: 1000}\ntonePartials:\n  - {ratio: 1}\n  - {ratio: 2}\n  - {ratio: 22}\n", to: "rich.yaml")
        let told = try thrum("theme", "check", rich).errors.split(separator: "\n")
        let winding = try scratch.write(
            "ceiling: -20\ntoneCurve:\n  points:\n    - {views: 0, frequency: A3, level: -40}\n    - {views: 9, frequency: A2, level: -10}\n",
            to: "winding.yaml")
        #expect(try thrum("theme", "check", winding).errors.contains("\(winding):5: warning: toneCurve.points[1].level: the tone reaches -10 dBFS"))
        // Three times as high as -6 dBFS: 20·log10(3) - 6 = 3.54.
        #expect(told.contains { $0.hasPrefix("thrum: \(rich):2: warning: tonePartials: the tone reaches 3.54 dBFS, over the ceiling of -1 dBFS") })
        #expect(told.contains { $0.hasPrefix("thrum: \(rich):5: warning: tonePartials[2]: it never sounds: at 22000 Hz and more") }, "\(told)")
    }

    @Test func `a theme is checked by its name as by its file, and a name that is nearly one of the standard theme's is told`() throws {
        let scratch = try Scratch()
        try FileManager.default.createDirectory(atPath: scratch.file("thrum/themes"), withIntermediateDirectories: true)
        let mine = try scratch.write("chimes:\n  unlok:\n    - {frequency: A5}\n  gong:\n    - {frequency: A2}\n", to: "thrum/themes/mine.yaml")
        let bad = try scratch.write("ceiling: 3\n", to: "thrum/themes/bad.yaml")
        func check(_ words: String...) throws -> Finished {
            try run(Programs.thrum, ["theme", "check"] + words, environment: ["XDG_CONFIG_HOME": scratch.path])
        }
        let good = try check("mine")
        #expect(good.status == 0 && good.text == "\(mine): good: mine\n")
        #expect(good.errors == "thrum: \(mine):2: warning: chimes.unlok: a name of its own, which no piece plays (did you mean unlock?)\n")
        let wrong = try check("bad")
        #expect(wrong.status == 78 && wrong.errors.hasPrefix("thrum: \(bad):1: ceiling: "))
        let mute = try scratch.write("chimes: {streak: none}\n", to: "thrum/themes/mute.yaml")
        #expect(try check("mute").errors == "thrum: \(mute): warning: scrollkitty does not start with this theme, because it asks for the chime streak\n")
        #expect(try check("standard").text == "\(folder)/standard.yaml: good: standard\n")
        let unknown = try check("mien")
        #expect(unknown.status == 66 && unknown.errors.contains("(did you mean mine?)"), "\(unknown.errors)")
    }

    @Test func `a theme is shown, and written as a file that is the same again`() throws {
        let scratch = try Scratch()
        let shown = try thrum("theme", "show", "velvet", "--themes", folder)
        #expect(shown.text.hasPrefix("velvet\n  ceiling  -12 dBFS\n") && shown.text.contains("329.6 Hz (E4)"))
        let yaml = try scratch.write(try thrum("theme", "show", "velvet", "--themes", folder, "--yaml").text, to: "copy.yaml")
        let (first, second) = (try thrum("theme", "show", folder + "/velvet.yaml", "--json"), try thrum("theme", "show", yaml, "--json"))
        #expect(first.status == 0 && first.output == second.output && !first.output.isEmpty)
        // 10^(-12/20) more than the sine: 20·log10(1.2512) - 6 = -4.05.
        let rich = try scratch.write("tonePartials: [{ratio: 1}, {ratio: 3, level: -12}]\n", to: "rich.yaml")
        #expect(try thrum("theme", "show", rich).text.contains("\n    partials: 1 at 0 dB, 3 at -12 dB; together at most -4.1 dBFS\n"))
        let winding = try scratch.write(
            "toneCurve: {points: [{views: 0, frequency: A3, level: -40}, {views: 30, frequency: C5, level: -20}, {views: 90, frequency: A2, level: -9}]}\n",
            to: "winding.yaml")
        #expect(try thrum("theme", "show", winding).text.contains("  tone     110 to 523.3 Hz and -40 to -9 dBFS in 90 cards, fades 0.005 s\n"
            + "    0 cards  220.0 Hz (A3)  -40 dBFS\n    30 cards  523.3 Hz (C5)  -20 dBFS\n    90 cards  110.0 Hz (A2)  -9 dBFS\n"))
        let unknown = try run(Programs.thrum, ["theme", "show", "nix"], environment: ["XDG_CONFIG_HOME": scratch.path])
        #expect(unknown.status == 66 && unknown.errors.hasPrefix("thrum: nix: expected one of "))
        let bad = try scratch.write("ceiling: 3\n", to: "bad.yaml")
        #expect(try thrum("theme", "show", bad).status == 78)
    }

    @Test func `a theme of one's own begins as a whole file, where it is found by its name, and nothing is written over`() throws {
        let scratch = try Scratch()
        func theme(_ arguments: String...) throws -> Finished {
            try run(Programs.thrum, ["theme"] + arguments, environment: ["XDG_CONFIG_HOME": scratch.file("config")])
        }
        let path = scratch.file("config/thrum/themes/mine.yaml")
        #expect(try theme("new", "mine", "--from", "velvet", "--themes", folder).text == path + "\n")
        let (mine, velvet) = (try theme("show", "mine", "--json"), try theme("show", "velvet", "--themes", folder, "--json"))
        #expect(mine.status == 0 && mine.text.replacing("\"mine\"", with: "\"velvet\"") == velvet.text)
        #expect(try theme("check", path).errors.isEmpty)
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(text.hasPrefix("# mine, begun from velvet.") && text.contains("thrum theme check \(path)"))
        // Velvet's instrument is written as its file has it, and names of notes are beside them.
        #expect(text.contains("\n  attack: 0.08\n  decay: 1.8\n  partials:\n    - {ratio: 1, level: 0}\n    - {ratio: 2, level: -26}\n"), "\(text)")
        #expect(text.contains("\ninstrument:") && text.contains("\n    - {frequency: 493.8833}  # B4\n"))
        #expect(try theme("new", "piped", "-o", "-").text.hasPrefix("# piped, begun from standard."))
        #expect(try theme("new", "mine").status == 73, "it is there")
        #expect(try theme("new", "mine", "--force").status == 0)
        #expect(try theme("new", "a b").status == 64 && theme("new", "other", "--from", "nix").status == 66)
        #expect(try theme("new", "other", "-o", scratch.file("other.yaml")).text == scratch.file("other.yaml") + "\n")
    }

    @Test func `a theme is drawn, and nothing written over`() throws {
        let scratch = try Scratch()
        let path = scratch.file("wood.svg")
        #expect(try thrum("theme", "show", folder + "/wood.yaml", "--picture", path).status == 0)
        let svg = try String(contentsOfFile: path, encoding: .utf8)
        // 54 notes of three partials each, 17 of exploring by touch, which are pure, and seven textures.
        #expect(svg.hasPrefix("<svg") && svg.components(separatedBy: "<polygon").count == 163 + 17 + 7 && svg.contains(">1319 Hz<"))
        #expect(try thrum("theme", "show", folder + "/wood.yaml", "--picture", path).status == 73)
        let copy = try scratch.write("ceiling: -3\n", to: "copy.svg")
        #expect(try thrum("theme", "show", copy, "--picture", copy, "--force").status == 73)
        #expect(try thrum("theme", "show", copy, "--picture", path, "--wav", path).status == 64)
        let piped = try thrum("theme", "show", folder + "/wood.yaml", "--picture", "-")
        #expect(piped.text == svg, "standard output has the same, and nothing else")
        let rich = try scratch.write("tonePartials: [{ratio: 1}, {ratio: 3, level: -12}]\n", to: "rich.yaml")
        let partials = try thrum("theme", "show", rich, "--picture", "-").text
        #expect(partials.contains(", and its partials") && !svg.contains(", and its partials"))
        let winding = try scratch.write(
            "toneCurve: {points: [{views: 0, frequency: A3, level: -40}, {views: 30, frequency: A4, level: -20}, {views: 90, frequency: A2, level: -9}]}\n",
            to: "winding.yaml")
        let drawn = try thrum("theme", "show", winding, "--picture", "-").text
        // A third of the way over 900 pixels from 80 on, in both drawings.
        #expect(drawn.components(separatedBy: "<circle cx=\"380.0\"").count == 3 && !svg.contains("<circle"))
        // One chime: the one note of wood's ding, of three partials, and no tone.
        let one = scratch.file("ding.svg")
        #expect(try thrum("theme", "show", folder + "/wood.yaml", "--chime", "ding", "--picture", one, "--wav", scratch.file("ding.wav")).status == 0)
        let ding = try String(contentsOfFile: one, encoding: .utf8)
        #expect(ding.components(separatedBy: "<polygon").count == 4 && ding.contains(">ding<") && !ding.contains("the tone"))
        #expect(svg.contains(">400 Hz<") && svg.contains("the tone"))
        let png = scratch.file("ding.png")
        #expect(try thrum("theme", "show", folder + "/wood.yaml", "--chime", "ding", "--picture", png).status == 0)
        #expect(FileManager.default.contents(atPath: png)?.prefix(8) == Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]), "ISO/IEC 15948")
        let odd = try thrum("theme", "show", "standard", "--picture", scratch.file("ding.gif"))
        #expect(odd.status == 64 && odd.errors.contains("--picture: expected a name that ends in .svg or .png"), "\(odd.errors)")
        let texture = try thrum("theme", "show", "standard", "--texture", "purr", "--wav", scratch.file("purr.wav"))
        #expect(texture.status == 64 && texture.errors.contains("--texture: expected one of "), "\(texture.errors)")
        #expect(try thrum("theme", "show", "standard", "--texture", "purr-weak", "--picture", scratch.file("purr.svg")).status == 0)
        #expect(try thrum("theme", "show", "standard", "--tone", "--chime", "ding", "--wav", scratch.file("both.wav")).status == 64)
        let none = try thrum("theme", "show", "standard", "--chime", "dong", "--picture", scratch.file("dong.svg"))
        #expect(none.status == 64 && none.errors.contains("(did you mean ding?)"))
        #expect(try thrum("theme", "show", "standard", "--chime", "ding").status == 64)
    }

    /// Frequencies by equal temperament, 440·2^(n/12).
    @Test(arguments: [("standard", 22.0), ("glass", 31), ("wood", 10), ("velvet", 2)])
    func `chimes are heard at the pitches that the file's comments name, then the textures, then the tone`(theme: String, semitones: Double) throws {
        let scratch = try Scratch()
        let path = scratch.file("chimes.wav")
        let finished = try thrum("theme", "show", folder + "/\(theme).yaml", "--wav", path)
        let lines = finished.text.split(separator: "\n")
        #expect(finished.status == 0 && lines.count == 41)
        func start(_ name: String) throws -> Int {
            let line = try #require(lines.first { $0.hasSuffix("  \(name)") })
            return Int((try #require(line.split(separator: " ").first.flatMap { Double($0) }) * 48_000).rounded())
        }
        let file = try WaveFile(path: path)
        #expect(file.rate == 48_000 && file.channels == 1 && file.encoding == 3)
        let pitch = 440 * pow(2, semitones / 12)
        let bell = try start("ding")
        let ding = component(file.samples[(bell + 4_800)..<(bell + 14_400)], near: pitch)
        #expect(abs(ding.frequency - pitch) < 0.05 && ding.amplitude > 0.001)
        // The last texture begins where the list says, between two silences.
        let purr = try start("purr-weak")
        #expect(file.samples[(purr - 4_800)..<purr].allSatisfy { $0 == 0 })
        #expect(file.samples[purr...].map(\.magnitude).max() ?? 0 > 0.01 && file.samples.suffix(4_800).allSatisfy { $0 == 0 })
        // The tone goes its whole course in 16 s, and ends at its loudest.
        let tone = try start("tone")
        #expect(file.samples[(tone - 4_800)..<tone].allSatisfy { $0 == 0 })
        let curve = try #require(try JSONSerialization.jsonObject(with: thrum("theme", "show", folder + "/\(theme).yaml", "--json").output) as? [String: Any])
        let loudest = try #require((curve["toneCurve"] as? [String: Any])?["loudest"] as? Double)
        let end = file.samples[(tone + Int(16.1 * 48_000))..<(tone + Int(16.2 * 48_000))]
        #expect(abs(20 * log10(Double(end.map(\.magnitude).max() ?? 0)) - loudest) < 0.1)
        // The unlock's first note begins where the list says, and not before.
        let frame = try start("unlock")
        let before = file.samples[(frame - 480)..<(frame - 48)].map(\.magnitude).max() ?? 1
        let after = file.samples[frame..<(frame + 9_600)].map(\.magnitude).max() ?? 0
        #expect(after > 20 * before)
    }

    @Test func `a session is made and rendered in a theme by its name or file`() throws {
        let scratch = try Scratch()
        func session(_ name: String, _ arguments: String...) throws {
            #expect(try run(Programs.thrum, ["simulate", "--turns", "30", "-o", scratch.file(name), "--themes", folder] + arguments).status == 0)
        }
        func sound(_ journal: String, _ arguments: String...) throws -> Data {
            try run(Programs.thrum, ["render", scratch.file(journal), "-o", "-", "--themes", folder] + arguments).output
        }
        try session("plain.jsonl")
        try session("velvet.jsonl", "--theme", "velvet")
        #expect(try sound("plain.jsonl", "--theme", folder + "/velvet.yaml") == sound("velvet.jsonl"))
        #expect(try sound("plain.jsonl") != sound("velvet.jsonl"))
        let unknown = try thrum("render", scratch.file("plain.jsonl"), "--theme", "nix")
        #expect(unknown.status == 66 && unknown.errors.contains("nix: expected one of"))
    }

    @Test func `a name that is none, and a thrumd that is not there, are told apart`() throws {
        let scratch = try Scratch()
        #expect(try thrum("theme", "use", "two words", "--socket", scratch.file("s")).status == 64)
        #expect(try thrum("theme", "use", "glass", "--socket", scratch.file("s")).status == 69)
    }

    @Test func `a file is played by a thrumd that does not know it, and so is each version of it that is saved`() async throws {
        let daemon = try await Daemon(["--output", "null", "--experience", "colorscroller"])
        let client = try LineSocket(daemon.socket)
        func theme() throws -> String { try #require((daemon.status()["house"] as? [String: Any])?["theme"] as? String) }
        let first = try daemon.scratch.write("name: first\n", to: "mine.yaml")
        let used = try thrum("theme", "use", first, "--socket", daemon.socket)
        #expect(used.status == 0 && used.text == "\(first): playing: first\n")
        #expect(try theme() == "first")
        let bad = try daemon.scratch.write("ceiling: 3\n", to: "bad.yaml")
        #expect(try thrum("theme", "use", bad, "--socket", daemon.socket).status == 78)
        #expect(try thrum("theme", "use", daemon.scratch.file("none.yaml"), "--socket", daemon.socket).status == 66)
        let lacking = try daemon.scratch.write("chimes:\n  ding: none\n", to: "lacking.yaml")
        let refused = try thrum("theme", "use", lacking, "--socket", daemon.socket)
        #expect(refused.status == 65 && refused.errors.contains("a theme with the chime ding"), "\(refused.errors)")
        let simulated = try thrum("simulate", "--experience", "colorscroller", "--theme", lacking, "-o", daemon.scratch.file("none.jsonl"))
        #expect(simulated.status == 78 && simulated.errors.contains("--theme: expected a theme with the chime ding"), "\(simulated.errors)")
        #expect(try theme() == "first")

        let watching = try Running(Programs.thrum, ["theme", "watch", first, "--chime", "ding", "--socket", daemon.socket])
        #expect(try await eventually { watching.output == "\(first): playing: first\n" })
        // Replaced, as editors do, by one that is wrong.
        let next = try daemon.scratch.write("name: second\nceiling: 3\n", to: "next")
        try FileManager.default.removeItem(atPath: first)
        try FileManager.default.moveItem(atPath: next, toPath: first)
        #expect(try await eventually { watching.errors.contains("\(first):2: ceiling: expected a number from -60 to 0 (dBFS), found 3") })
        #expect(try theme() == "first")
        _ = try daemon.scratch.write("name: third\nceiling: -3\n", to: "mine.yaml")
        #expect(try await eventually { watching.output.hasSuffix("\(first): playing: third\n") }, "\(watching.errors)")
        #expect(try theme() == "third")
        watching.signal(SIGINT)
        _ = watching.finish()
        // What was heard of it is in the journal.
        _ = try client.call("session.end")
        #expect(daemon.terminate() == 0)
        let journal = try String(contentsOfFile: try #require(daemon.journals.last), encoding: .utf8)
        #expect(journal.contains(#""event":"chime""#) && journal.contains(#""name":"third""#))
    }
}

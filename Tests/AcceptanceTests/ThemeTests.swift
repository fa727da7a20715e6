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
        #expect(lines.contains("mine  \(scratch.file("thrum/themes/mine.yaml")), chimes: award, band-drop, bypass, cure, death, ding, eating, growth, memorial, mew-concerned, mew-dead, mew-healthy, mew-tired, mew-weak, nightly, purchase, restart, revive, shield-back, streak, terminal, unlock, welcome, patterns: 21, tone 240 to 5000 Hz, -60 to -6 dBFS"))
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
        #expect(lines.contains("thrum: \(loud):6: warning: chimes.ding[0].partials[1]: 24804 Hz is higher than people hear"))
        #expect(try thrum("theme", "check", scratch.file("none.yaml")).status == 66)
    }

    @Test func `a theme is shown, and written as a file that is the same again`() throws {
        let scratch = try Scratch()
        let shown = try thrum("theme", "show", "velvet", "--themes", folder)
        #expect(shown.text.hasPrefix("velvet\n  ceiling  -12 dBFS\n") && shown.text.contains("329.6 Hz (E4)"))
        let yaml = try scratch.write(try thrum("theme", "show", "velvet", "--themes", folder, "--yaml").text, to: "copy.yaml")
        let (first, second) = (try thrum("theme", "show", folder + "/velvet.yaml", "--json"), try thrum("theme", "show", yaml, "--json"))
        #expect(first.status == 0 && first.output == second.output && !first.output.isEmpty)
        let unknown = try run(Programs.thrum, ["theme", "show", "nix"], environment: ["XDG_CONFIG_HOME": scratch.path])
        #expect(unknown.status == 66 && unknown.errors.hasPrefix("thrum: nix: expected one of "))
        let bad = try scratch.write("ceiling: 3\n", to: "bad.yaml")
        #expect(try thrum("theme", "show", bad).status == 78)
    }

    @Test func `a theme is drawn, and nothing written over`() throws {
        let scratch = try Scratch()
        let path = scratch.file("wood.svg")
        #expect(try thrum("theme", "show", folder + "/wood.yaml", "--svg", path).status == 0)
        let svg = try String(contentsOfFile: path, encoding: .utf8)
        // 54 notes of three partials each.
        #expect(svg.hasPrefix("<svg") && svg.components(separatedBy: "<polygon").count == 163 && svg.contains(">1319 Hz<"))
        #expect(try thrum("theme", "show", folder + "/wood.yaml", "--svg", path).status == 73)
        let copy = try scratch.write("ceiling: -3\n", to: "copy.yaml")
        #expect(try thrum("theme", "show", copy, "--svg", copy, "--force").status == 73)
        #expect(try thrum("theme", "show", copy, "--svg", path, "--wav", path).status == 64)
    }

    /// Frequencies by equal temperament, 440·2^(n/12).
    @Test(arguments: [("standard", 22.0), ("glass", 31), ("wood", 10), ("velvet", 2)])
    func `chimes are heard at the pitches that the file's comments name, and then the textures`(theme: String, semitones: Double) throws {
        let scratch = try Scratch()
        let path = scratch.file("chimes.wav")
        let finished = try thrum("theme", "show", folder + "/\(theme).yaml", "--wav", path)
        let lines = finished.text.split(separator: "\n")
        #expect(finished.status == 0 && lines.count == 31)
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
        // The unlock's first note begins where the list says, and not before.
        let frame = try start("unlock")
        let before = file.samples[(frame - 480)..<(frame - 48)].map(\.magnitude).max() ?? 1
        let after = file.samples[frame..<(frame + 9_600)].map(\.magnitude).max() ?? 0
        #expect(after > 20 * before)
    }

    @Test func `a name that is none, and a thrumd that is not there, are told apart`() throws {
        let scratch = try Scratch()
        #expect(try thrum("theme", "use", "two words", "--socket", scratch.file("s")).status == 64)
        #expect(try thrum("theme", "use", "glass", "--socket", scratch.file("s")).status == 69)
    }
}

import Experience
import Signals
import SystemPackage
import TestSupport
import Testing
import Units

@testable import Tool

/// A theme that is soon played.
private let theme: Theme = {
    var theme = Theme.standard
    theme.chimes = theme.chimes.filter { ["ding", "unlock"].contains($0.key) }
    theme.textures = theme.textures.filter { ["purr-tired", "purr-weak"].contains($0.key) }
    theme.textures["purr-weak"]?.breath?.period = Seconds(0.5)
    return theme
}()

@Suite struct ThemePartTests {
    private func samples(_ part: ThemePart) throws -> [Float] {
        let scratch = try Scratch()
        let file = try FileDescriptor.open(FilePath(scratch.file("a.wav")), .readWrite, options: .create, permissions: .ownerReadWrite)
        try file.closeAfter { try ThemeRound(theme, part: part).write(to: file) }
        return try WaveFile(path: scratch.file("a.wav")).samples
    }

    @Test func `a part is played alone, from the start on`() {
        #expect(ThemeRound(theme).starts.map(\.name) == ["ding", "unlock", "purr-tired", "purr-weak", "tone"])
        for (name, part) in [("ding", ThemePart.chime("ding")), ("purr-weak", .texture("purr-weak")), ("tone", .tone)] {
            let starts = ThemeRound(theme, part: part).starts
            #expect(starts.map(\.name) == [name] && starts.first?.start == .zero)
        }
    }

    @Test func `a texture is heard alone for two breaths, a chime alone until it is over`() throws {
        let texture = try #require(theme.textures["purr-weak"])
        let purr = try samples(.texture("purr-weak"))
        // Two breaths of half a second after the attack, the release, and a quarter of a second.
        #expect(abs(Double(purr.count) / 48_000 - (texture.attack.rawValue + 1 + texture.release.rawValue + 0.25)) < 0.01)
        #expect(purr.map(\.magnitude).max() ?? 0 > 0.003 && purr.suffix(4_800).allSatisfy { $0 == 0 })
        let note = try #require(theme.chimes["ding"]?.notes.first)
        let ding = try samples(.chime("ding"))
        #expect(abs(Double(ding.count) / 48_000 - (note.attack.rawValue + note.decay.rawValue + 0.25)) < 0.01)
        #expect(ding.map(\.magnitude).max() ?? 0 > 0.05)
    }

    @Test func `only the tone is drawn, or only a chime`() {
        let tone = ThemeDrawing(theme, part: .tone).svg
        #expect(tone.contains("the tone's pitch") && !tone.contains("<polygon"))
        let ding = ThemeDrawing(theme, part: .chime("ding")).svg
        #expect(!ding.contains("the tone's pitch") && ding.contains(">ding<") && !ding.contains(">unlock<"))
    }

    @Test func `a texture is drawn as it sounds, with what it is made of, alone and with all the others`() throws {
        let purr = ThemeDrawing(theme, part: .texture("purr-weak")).svg
        #expect(purr.contains(">purr-weak<") && !purr.contains(">purr-tired<") && purr.matches(of: /<polygon/).count == 1)
        let band = try #require(theme.textures["purr-weak"]?.noise)
        #expect(purr.contains("\(Int(band.low.rawValue)) to \(Int(band.high.rawValue)) Hz"))
        let all = ThemeDrawing(theme).svg
        #expect([">ding<", ">unlock<", ">purr-weak<", ">purr-tired<"].allSatisfy(all.contains))
    }

    private func positions(_ svg: String, of words: some Sequence<String>) -> [String: (x: Int, y: Int)] {
        var positions: [String: (x: Int, y: Int)] = [:]
        for text in svg.matches(of: /<text x="([0-9]+)" y="([0-9]+)"[^>]*>([^<]*)</) where words.contains(String(text.3)) {
            positions[String(text.3)] = (Int(text.1) ?? 0, Int(text.2) ?? 0)
        }
        return positions
    }

    @Test func `chimes are drawn three in a row and textures two, each over its own axis, and one alone as wide as the picture`() throws {
        let svg = ThemeDrawing(.standard).svg
        let chimes = Theme.standard.chimes.keys.sorted()
        let positions = positions(svg, of: chimes)
        try #require(positions.count == chimes.count && chimes.count > 4)
        #expect(chimes.prefix(4).map { positions[$0]?.x } == [80, 410, 740, 80])
        #expect(positions[chimes[0]]?.y == positions[chimes[2]]?.y && (positions[chimes[3]]?.y ?? 0) > (positions[chimes[0]]?.y ?? 0))
        let textures = Theme.standard.textures.keys.sorted()
        let below = self.positions(svg, of: textures)
        #expect(textures.prefix(3).map { below[$0]?.x } == [80, 575, 80])
        #expect((below[textures[0]]?.y ?? 0) > (positions[chimes[chimes.count - 1]]?.y ?? 0))
        // No word stands right of the picture's edge, by so much that 6 pixels a letter are about right.
        for text in svg.matches(of: /<text x="([0-9]+)" y="[0-9]+" text-anchor="start"[^>]*>([^<]*)</) {
            #expect((Int(text.1) ?? 0) + 6 * text.2.count <= 1_060, "\(text.2)")
        }
        #expect(ThemeDrawing(.standard, part: .chime("ding")).svg.contains(#"x1="80" x2="980""#))
    }

    @Test func `a theme's part that a piece plays has what the piece asks for, and the patterns that are played with it`() {
        let piece = Declaration(name: "x", rulesVersion: 1, about: "", chimes: ["ding"], textures: ["purr-weak"], haptics: ["swipe"])
        let part = Theme.standard.part(playedBy: piece)
        #expect(Set(part.chimes.keys) == ["ding"] && Set(part.textures.keys) == ["purr-weak"] && part.haptics["swipe"] != nil)
        #expect(Set(part.haptics.keys).isSubset(of: ["ding", "purr-weak", "swipe"]) && part.toneCurve == Theme.standard.toneCurve)
        #expect(ThemeRound(part).starts.map(\.name) == ["ding", "purr-weak", "tone"])
    }

    @Test func `a tone of partials has a bar for each, as high as its level`() throws {
        var theme = theme
        theme.tonePartials = [1, 3, 5].map { TonePartial(ratio: $0, level: Decibels($0 == 1 ? 0 : $0 == 3 ? -15 : -30)) }
        let svg = ThemeDrawing(theme, part: .tone).svg
        let heights = svg.matches(of: /height="([0-9.]+)" fill="#4a7ebb"\/>/).map { Double($0.1) ?? 0 }
        // Down to -60 dB over 80 pixels.
        #expect(heights == [80, 60, 40])
        #expect(!ThemeDrawing(.standard, part: .tone).svg.contains("its partials: their level"))
    }

    @Test func `each chime is drawn over its own length and range, with its notes' names`() {
        var theme = theme
        let bell = Theme.standard.chimes["ding"]?.notes ?? []
        theme.chimes = ["short": Chime(notes: bell), "long": Chime(notes: bell)]
        theme.chimes["short"]?.notes[0].decay = Seconds(0.1)
        theme.chimes["short"]?.notes[0].frequency = Hertz(440)
        theme.chimes["long"]?.notes[0].decay = Seconds(4)
        theme.chimes["long"]?.notes[0].glide = ChimeNote.Glide(to: Hertz(880), time: Seconds(1))
        theme.chimes["long"]?.notes[0].frequency = Hertz(110)
        // 440 Hz is A4, by definition; glides name both ends.
        let short = ThemeDrawing(theme, part: .chime("short")).svg
        #expect(short.contains(">A4<") && short.contains(">0.10 s<") && !short.contains(">2.0 s<"))
        let long = ThemeDrawing(theme, part: .chime("long")).svg
        #expect(long.contains(">A2 → A5<") && long.contains(">4.0 s<") && !long.contains(">0.10 s<"))
    }

    @Test func `the points of the tone's course say after how many cards they are, and their frequency`() {
        var theme = theme
        func point(_ views: Int, _ frequency: Double, _ level: Double) -> ToneCurve.Point {
            ToneCurve.Point(views: views, frequency: Hertz(frequency), level: Decibels(level))
        }
        theme.toneCurve = ToneCurve(points: [point(0, 220, -50), point(40, 440, -30), point(41, 441, -30), point(42, 442, -30), point(300, 330, -12)])
        let svg = ThemeDrawing(theme, part: .tone).svg
        #expect(svg.contains(">40 cards, 440 Hz<") && svg.contains(">-30 dBFS<"))
        // One above, one below, and no third on top of them; the ends are at the axes.
        #expect(svg.contains(">41 cards, 441 Hz<") && !svg.contains(">42 cards, 442 Hz<") && !svg.contains(">0 cards, "))
        #expect(svg.contains(">220 Hz<") && svg.contains(">330 Hz<") && svg.contains(">300 cards<"))
        #expect(!ThemeDrawing(.standard, part: .tone).svg.contains(" cards, "))
    }
}

@Suite struct ThemeOddityTests {
    /// A note of one partial, as loud as it says.
    private func note(_ frequency: Double, level: Double, ratios: [Double] = [1]) -> ChimeNote {
        ChimeNote(start: .zero, frequency: Hertz(frequency), level: Decibels(level), attack: Seconds(0.003), decay: Seconds(1),
                  partials: ratios.map { Partial(ratio: $0, level: Decibels(0)) })
    }

    @Test func `the standard theme is not odd`() { #expect(Theme.standard.oddities.isEmpty) }

    @Test func `a chime has one line, however many of its notes are odd`() {
        var theme = Theme.standard
        theme.chimes["ding"] = Chime(notes: [note(440, level: -40), note(9_000, level: -40, ratios: [1, 3, 4]), note(5_000, level: -40, ratios: [5])])
        theme.chimes["gong"] = Chime(notes: [note(440, level: -40), note(12_000, level: -40, ratios: [1, 2])])
        #expect(theme.oddities.map(\.field) == ["chimes.ding[1]", "chimes.gong[1]"])
        #expect(theme.oddities.map(\.words) == [
            "2 of 3 notes, from [1] on, have partials that are higher than people hear, up to 36000 Hz",
            "note [1] has partials that are higher than people hear, up to 24000 Hz",
        ])
        // Over the ceiling, too: -0.5 dBFS and two notes of -40 dBFS, 20·log10(0.944 + 0.04) = -0.1.
        theme.chimes["ding"]?.notes[0].level = Decibels(-0.5)
        theme.chimes["ding"]?.notes[2].partials = [Partial(ratio: 5, level: Decibels(0))]
        let ding = theme.oddities.filter { $0.field.hasPrefix("chimes.ding") }
        #expect(ding.count == 1 && ding.first?.field == "chimes.ding")
        #expect(ding.first?.words.hasPrefix("it can reach -0.1 dBFS, over the ceiling of -1 dBFS: it will be limited; 2 of 3 notes") == true, "\(ding)")
    }

    @Test func `a loud tone is told of once for all chimes of the standard theme`() {
        var theme = Theme.standard
        theme.toneCurve = ToneCurve(start: Hertz(240), cap: Hertz(5_000), quietest: Decibels(-60), loudest: Decibels(-1.5), views: 500)
        theme.chimes["ding"] = Chime(notes: [note(440, level: -6)])
        let odd = theme.oddities
        // 20·log10(10^(-1.5/20) + 10^(-6/20)) = 2.6.
        #expect(odd.map(\.field) == ["chimes.ding", "toneCurve.loudest"])
        #expect(odd.first?.words == "with the tone at its loudest it can reach 2.6 dBFS, over the ceiling of -1 dBFS: both will be limited")
        #expect(odd.last?.words.hasPrefix("chimes as in the standard theme that can pass the ceiling with the tone at its loudest: ") == true)
    }

    @Test func `a texture that passes the ceiling is told of`() {
        var theme = Theme.standard
        theme.textures["purr-weak"]?.level = Decibels(-13.5)
        // Noise that passes four times its RMS, 12 dB more, is rare: -1.5 dBFS is below the ceiling of -1.
        theme.textures["purr-weak"]?.voice = nil
        #expect(theme.oddities.isEmpty)
        theme.textures["purr-weak"]?.level = Decibels(-12.5)
        #expect(theme.oddities.map(\.field) == ["textures.purr-weak"])
        #expect(theme.oddities.first?.words == "its noise reaches about -0.5 dBFS, over the ceiling of -1 dBFS: it will be limited")
        // With a sine as strong as the noise: 20·log10(10^(-14/20) · (4 + √2)) = 0.7.
        theme.textures["purr-weak"]?.level = Decibels(-14)
        theme.textures["purr-weak"]?.voice = Texture.Voice(frequency: Hertz(100), level: Decibels(0))
        #expect(theme.oddities.first?.words.hasPrefix("its noise reaches about 0.7 dBFS") == true, "\(theme.oddities)")
    }

    @Test func `a low ceiling is told of once for all chimes of the standard theme`() {
        var theme = Theme.standard
        theme.ceiling = Decibels(-40)
        // The tone is told of, too.
        #expect(theme.oddities.map(\.field) == ["toneCurve.loudest", "ceiling"])
        #expect(theme.oddities.last?.words.hasPrefix("chimes as in the standard theme that can pass it: \(theme.chimes.count); ") == true,
                "\(theme.oddities)")
    }
}

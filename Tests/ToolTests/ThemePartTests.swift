import SystemPackage
import Signals
import TestSupport
import Testing
@testable import Tool
import Units

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

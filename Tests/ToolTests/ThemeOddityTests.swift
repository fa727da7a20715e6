import Signals
import Testing
@testable import Tool
import Units

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

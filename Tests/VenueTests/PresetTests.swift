import Foundation
import Signals
import Testing
import Units
import Venue

@Suite struct PresetTests {
    private let theme = Theme.standard

    @Test func `the normal preset leaves a theme as it is`() {
        #expect(Preset.normal.applied(to: theme) == theme)
        #expect(Preset.normal.volume == Decibels(0))
    }

    @Test func `the lower ceiling counts, whosever it is`() {
        #expect(Preset(ceiling: Decibels(-18)).applied(to: theme).ceiling == Decibels(-18))
        #expect(Preset(ceiling: Decibels(0)).applied(to: theme).ceiling == theme.ceiling)
    }

    @Test func `a slower tone takes that many times the views`() {
        let slow = Preset(slowness: 2.5).applied(to: theme).toneCurve
        #expect(slow.views == 1250)
        #expect((slow.start, slow.cap) == (theme.toneCurve.start, theme.toneCurve.cap))
    }

    @Test func `a tone that goes through points takes that many times the views to each, and none is above the cap`() {
        var winding = theme
        winding.toneCurve = ToneCurve(points: [
            .init(views: 0, frequency: Hertz(150), level: Decibels(-40)), .init(views: 15, frequency: Hertz(900), level: Decibels(-10)),
            .init(views: 101, frequency: Hertz(180), level: Decibels(-30)),
        ])
        #expect(Preset(slowness: 2.5, cap: Hertz(200)).applied(to: winding).toneCurve.points == [
            .init(views: 0, frequency: Hertz(150), level: Decibels(-40)), .init(views: 38, frequency: Hertz(200), level: Decibels(-10)),
            .init(views: 253, frequency: Hertz(180), level: Decibels(-30)),
        ])
    }

    @Test func `nothing is higher than the cap, and a note goes down by octaves`() throws {
        let calm = Preset(cap: Hertz(200)).applied(to: theme)
        #expect(calm.toneCurve.cap == Hertz(200))
        #expect(calm.toneCurve.start == Hertz(200))
        for (name, chime) in theme.chimes {
            for (before, after) in zip(chime.notes, try #require(calm.chimes[name]).notes) {
                #expect(after.frequency <= Hertz(200))
                let octaves = Units.log2(before.frequency.rawValue / after.frequency.rawValue)
                #expect(octaves == octaves.rounded() && (octaves > 0) == (before.frequency > Hertz(200)), "\(name)")
            }
        }
        #expect(Preset(cap: Hertz(5000)).applied(to: theme) == theme)
    }

    @Test func `on a sensory-friendly morning the tone is soft, slow and low`() throws {
        let preset = try #require(Preset.builtIn["sensory-friendly"])
        let calm = preset.applied(to: theme)
        #expect(calm.ceiling <= Decibels(-18))
        #expect(calm.toneCurve.cap <= Hertz(1000))
        #expect(calm.toneCurve.views >= 2 * theme.toneCurve.views)
        #expect(calm.chimes.values.flatMap(\.notes).allSatisfy { $0.frequency <= Hertz(1000) })
        #expect(preset.volume < Decibels(0))
        #expect(Preset.builtIn["silent"]?.volume == .silence)
    }

    /// A theme is written into every journal, and read again by the same rules as anybody's.
    @Test func `a theme with any preset is one that a journal can have`() throws {
        var extreme = theme
        extreme.toneCurve.points[1].views = 900_000
        var crowded = theme
        crowded.toneCurve = ToneCurve(points: [0, 1, 2, 899_999, 900_000].map { .init(views: $0, frequency: Hertz(300), level: Decibels(-20)) })
        let presets = Array(Preset.builtIn.values) + [Preset(ceiling: Decibels(-60), slowness: 10, cap: Hertz(100))]
        for preset in presets {
            for theme in [theme, extreme, crowded] {
                let applied = preset.applied(to: theme)
                #expect(try JSONDecoder().decode(Theme.self, from: JSONEncoder().encode(applied)) == applied)
            }
        }
    }
}

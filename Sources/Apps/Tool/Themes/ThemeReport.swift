import Experience
import Fields
import Signals
import ThemeFile
import Units

/// A theme as a line of `thrum theme list`, or as an object of `thrum theme list --json`.
struct ThemeReport: Encodable {
    struct Library: Encodable {
        var themes: [ThemeReport]
        var problems: [Problem]
    }

    struct Problem: Encodable {
        var file: String
        var line: Int?
        var problem: String
    }

    /// The tone's curve: pitches in Hz, levels in dBFS, and lengths in cards.
    struct Tone: Encodable {
        var start: Double
        var cap: Double
        var quietest: Double
        var loudest: Double
        var views: Int
        /// The curve's points; nil where the curve is a straight way from `start` to `cap`.
        var points: [ToneCurve.Point]?
    }

    var name: String
    /// The path of the theme's file; nil for the built-in theme, which has none.
    var file: String?
    var chimes: [String]
    var textures: [String]
    var patterns: [String]
    var tone: Tone
    var ceiling: Double

    init(_ entry: ThemeLibrary.Entry) {
        let curve = entry.theme.toneCurve
        name = entry.theme.name
        file = entry.file?.string
        chimes = entry.theme.chimes.keys.sorted()
        textures = entry.theme.textures.keys.sorted()
        patterns = entry.theme.haptics.keys.sorted()
        tone = Tone(start: curve.start.rawValue, cap: curve.cap.rawValue, quietest: curve.quietest.rawValue,
                    loudest: curve.loudest.rawValue, views: curve.views, points: curve.isStraight ? nil : curve.points)
        ceiling = entry.theme.ceiling.rawValue
    }

    var line: String {
        "\(name)  \(file ?? "built in"), chimes: \(chimes.joined(separator: ", ")), patterns: \(patterns.count), "
            + "tone \(Hertz(tone.points?.map(\.frequency.rawValue).min() ?? tone.start).tenths) to \(Hertz(tone.cap).tenths) Hz, "
            + "\(Fault.plain(tone.quietest)) to \(Fault.plain(tone.loudest)) dBFS"
    }
}

extension Theme {
    /// The whole theme in lines for people.
    var lines: [String] {
        func number(_ value: Double) -> String { Fault.plain(value) }
        var lines = [
            name,
            "  ceiling  \(number(ceiling.rawValue)) dBFS",
            "  tone     \(toneCurve.lowest.tenths) to \(toneCurve.cap.tenths) Hz and "
                + "\(number(toneCurve.quietest.rawValue)) to \(number(toneCurve.loudest.rawValue)) dBFS in \(toneCurve.views) cards, "
                + "fades \(number(toneFade.rawValue)) s",
        ]
        if !toneCurve.isStraight {
            lines += toneCurve.points.map { point in
                "    \(point.views) cards  \(point.frequency.rawValue.fixed(1)) Hz (\(point.frequency.noteName))  "
                    + "\(number(point.level.rawValue)) dBFS"
            }
        }
        if tonePartials != TonePartial.sine {
            let partials = tonePartials.map { "\($0.ratio) at \(number($0.level.rawValue)) dB" }.joined(separator: ", ")
            lines.append("    partials: \(partials); together at most \(loudestTone.rawValue.fixed(1)) dBFS")
        }
        for (name, chime) in chimes.sorted(by: { $0.key < $1.key }) {
            lines.append("  chime    \(name), at most \(chime.loudest.rawValue.fixed(1)) dBFS")
            lines += chime.notes.map { note in
                "    \(note.start.rawValue.fixed(3)) s  \(note.frequency.rawValue.fixed(1)) Hz "
                    + "(\(note.frequency.noteName))  \(number(note.level.rawValue)) dBFS, rises in \(number(note.attack.rawValue)) s, "
                    + "falls by 60 dB in \(number(note.decay.rawValue)) s, partials: \(note.partials.count)"
                    + (note.glide.map { ", glides to \($0.to.rawValue.fixed(1)) Hz in \(number($0.time.rawValue)) s" } ?? "")
            }
        }
        for (name, texture) in textures.sorted(by: { $0.key < $1.key }) { lines.append("  texture  \(name), " + texture.words) }
        for (name, pattern) in haptics.sorted(by: { $0.key < $1.key }) {
            let taps = pattern.events.count { $0.kind == .transient }
            let parts = [("taps", taps), ("buzzes", pattern.events.count - taps), ("controls", pattern.controls.count),
                         ("sounds", pattern.sounds.count)].filter { $0.1 > 0 }.map { "\($0.0): \($0.1)" }
            lines.append("  pattern  \(name), " + (parts.isEmpty ? "empty" : parts.joined(separator: ", ")))
        }
        return lines
    }
}

extension Texture {
    /// All settings of the texture, as a line for people.
    var words: String {
        func number(_ value: Double) -> String { Fault.plain(value) }
        var words = ["\(number(level.rawValue)) dBFS", "\(number(noise.low.rawValue)) to \(number(noise.high.rawValue)) Hz"]
        if let pulse {
            words.append("pulses at \(number(pulse.rate.rawValue)) Hz")
            if pulse.inhaled != pulse.rate { words.append("in at \(number(pulse.inhaled.rawValue)) Hz") }
            words.append("depth \(number(pulse.depth))")
            if pulse.jitter > 0 { words.append("jitter \(number(pulse.jitter * 100)) %") }
            if pulse.gaps > 0 { words.append("gaps \(number(pulse.gaps * 100)) %") }
        }
        if let breath { words.append("a breath in \(number(breath.period.rawValue)) s") }
        if let voice { words.append("a voice of \(number(voice.frequency.rawValue)) Hz at \(number(voice.level.rawValue)) dB") }
        if let touch { words.append("felt at \(number(touch.intensity))") }
        return words.joined(separator: ", ")
    }
}

extension Hertz {
    /// The frequency rounded to a tenth of a hertz, without the unit.
    fileprivate var tenths: String { Fault.plain((rawValue * 10).rounded() / 10) }

    /// The nearest note of equal temperament (A4 = 440 Hz) with the deviation in cents, unless that rounds to 0: `E5`, `A4+31`.
    var noteName: String {
        let (name, exact) = NoteName.nearest(to: self)
        let cents = Int(exact.rounded())
        return name + (cents == 0 ? "" : cents > 0 ? "+\(cents)" : "\(cents)")
    }
}

import Experience
import Fields
import Signals
import Units

extension ChimeNote {
    /// The level with all partials at their peaks at once, as a magnitude: the upper bound.
    var loudest: Double { partials.reduce(0) { $0 + Double(Decibels(level.rawValue + $1.level.rawValue).magnitude.rawValue) } }
}

extension Chime {
    /// The level with all notes that sound together at their peaks at once: the upper bound.
    var loudest: Decibels {
        let sums = notes.map { new in
            notes.filter { $0.start <= new.start }.reduce(0.0) { sum, note in
                // 60 dB in the decay.
                let passed = (new.start.rawValue - note.start.rawValue) / note.decay.rawValue
                return sum + note.loudest * Double(Decibels(-60 * passed).magnitude.rawValue)
            }
        }
        return Magnitude(Float(sums.max() ?? 0)).decibels ?? .silence
    }
}

extension Texture {
    /// The crest of Gaussian noise over its RMS: hardly a sample in ten thousand is beyond.
    private static let crest = 4.0

    /// The level of the largest samples, about: at the crest of pulse and breath, with the voice at its peak.
    var loudest: Decibels {
        let rms = Double(level.magnitude.rawValue)
        let sine = voice.map { rms * Double($0.level.magnitude.rawValue) * 2.0.squareRoot() } ?? 0
        return Magnitude(Float(rms * Self.crest + sine)).decibels ?? .silence
    }
}

extension Theme {
    /// The tone's greatest level, with all its partials at their peaks at once: the upper bound.
    var loudestTone: Decibels {
        let sum = tonePartials.reduce(0) { $0 + $1.level.magnitude.rawValue }
        return Decibels(toneCurve.loudest.rawValue + (Magnitude(sum).decibels?.rawValue ?? 0))
    }

    /// The frequency from which partials of the tone have faded out, in Hz, at the usual 48 kHz.
    private static let highestPartial = 0.45 * 48_000

    /// The parts of the theme that are allowed but probably a mistake: fields and words.
    var oddities: [(field: String, words: String)] {
        var oddities: [(field: String, words: String)] = []
        let top = "the ceiling of \(Fault.plain(ceiling.rawValue)) dBFS"
        let peak = toneCurve.points.firstIndex { $0.level == toneCurve.loudest } ?? 0
        let level = toneCurve.isStraight ? "toneCurve.loudest" : "toneCurve.points[\(peak)].level"
        if loudestTone > ceiling {
            let reached = Fault.plain((loudestTone.rawValue * 100).rounded() / 100)
            oddities.append((toneCurve.loudest > ceiling ? level : "tonePartials",
                             "the tone reaches \(reached) dBFS, over \(top): it will be limited, and get no louder before it ends"))
        }
        for (index, partial) in tonePartials.enumerated() {
            let lowest = toneCurve.lowest.rawValue * Double(partial.ratio)
            guard lowest >= Self.highestPartial else { continue }
            oddities.append(("tonePartials[\(index)]", "it never sounds: at \(lowest.fixed(0)) Hz and more, where partials of the "
                + "tone have faded out (from \(Fault.plain(Self.highestPartial)) Hz on, at 48 kHz)"))
        }
        oddities += oddChimes(ceiling: top, loudestTone: level)
        for (name, texture) in textures.sorted(by: { $0.key < $1.key })
        where texture != Theme.standard.textures[name] && texture.loudest > ceiling {
            oddities.append(("textures.\(name)", "its noise reaches about \(texture.loudest.rawValue.fixed(1)) dBFS, "
                + "over \(top): it will be limited"))
        }
        for (name, pattern) in haptics.sorted(by: { $0.key < $1.key }) where pattern.events.isEmpty && pattern.sounds.isEmpty {
            oddities.append(("haptics.\(name)", "nothing in it is felt or heard; none takes a pattern away"))
        }
        let standard = Theme.standard
        for (list, own, known) in [
            ("chimes", Array(chimes.keys), Set(standard.chimes.keys)), ("textures", Array(textures.keys), Set(standard.textures.keys)),
            ("haptics", Array(haptics.keys), Set(standard.haptics.keys)),
        ] {
            for name in own.sorted() where !known.contains(name) {
                guard let near = Spelling.nearest(to: name, among: known) else { continue }
                oddities.append(("\(list).\(name)", "a name of its own, which no piece plays (did you mean \(near)?)"))
            }
        }
        return oddities
    }
}

extension Theme {
    /// The pitch from which people hear nothing, in Hz.
    private static let inaudible = 20_000.0

    /// Returns what is odd in the chimes: a line for each of the theme's own, and for those that are as in the standard theme at most two
    /// in all. `top` is the ceiling in words, `field` the one where the tone is loudest.
    func oddChimes(ceiling top: String, loudestTone field: String) -> [(field: String, words: String)] {
        var oddities: [(field: String, words: String)] = []
        var (loud, loudTogether): ([(name: String, level: Decibels)], [(name: String, level: Decibels)]) = ([], [])
        for (name, chime) in chimes.sorted(by: { $0.key < $1.key }) {
            let (alone, both) = (chime.loudest, together(chime))
            let isLoud = alone > ceiling
            // A tone that passes it by itself is told of by itself.
            let isLoudTogether = !isLoud && loudestTone <= ceiling && both > ceiling
            guard chime != Theme.standard.chimes[name] else {
                if isLoud { loud.append((name, alone)) }
                if isLoudTogether { loudTogether.append((name, both)) }
                continue
            }
            var words: [String] = []
            if isLoud { words.append("it can reach \(Self.tenths(alone)) dBFS, over \(top): it will be limited") }
            if isLoudTogether {
                words.append("with the tone at its loudest it can reach \(Self.tenths(both)) dBFS, over \(top): both will be limited")
            }
            let high = chime.notes.indices.filter { chime.notes[$0].highest > Self.inaudible }
            if let first = high.first {
                let notes = high.count == 1
                    ? "note [\(first)] has" : "\(high.count) of \(chime.notes.count) notes, from [\(first)] on, have"
                let most = chime.notes.map(\.highest).max() ?? 0
                words.append("\(notes) partials that are higher than people hear, up to \(most.fixed(0)) Hz")
            }
            guard !words.isEmpty else { continue }
            let isOfNote = !isLoud && !isLoudTogether
            oddities.append(("chimes.\(name)" + (isOfNote ? "[\(high[0])]" : ""), words.joined(separator: "; ")))
        }
        if let most = loud.max(by: { $0.level < $1.level }) {
            oddities.append(("ceiling", "chimes as in the standard theme that can pass it: \(loud.count); \(most.name) can reach "
                + "\(Self.tenths(most.level)) dBFS, over \(top): they will be limited"))
        }
        if let most = loudTogether.max(by: { $0.level < $1.level }) {
            oddities.append((field, "chimes as in the standard theme that can pass the ceiling with the tone at its loudest: "
                + "\(loudTogether.count); \(most.name) can reach \(Self.tenths(most.level)) dBFS, over \(top): both will be limited"))
        }
        return oddities
    }

    /// Returns the level of a chime and the tone with all their partials at their peaks at once: the upper bound.
    private func together(_ chime: Chime) -> Decibels {
        Magnitude(chime.loudest.magnitude.rawValue + loudestTone.magnitude.rawValue).decibels ?? .silence
    }

    private static func tenths(_ level: Decibels) -> String { level.rawValue.fixed(1) }
}

extension ChimeNote {
    /// The pitch of the note's highest partial, in Hz.
    fileprivate var highest: Double { frequency.rawValue * (partials.map(\.ratio).max() ?? 0) }
}

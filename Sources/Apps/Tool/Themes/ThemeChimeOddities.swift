import Fields
import Signals
import Units

extension Theme {
    /// What people do not hear, in Hz.
    private static let inaudible = 20_000.0

    /// What is odd in the chimes: a line for each of the theme's own, and for those that are as in the standard theme at most two in all.
    /// `top` is the ceiling in words, `field` the one where the tone is loudest.
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
                words.append("\(notes) partials that are higher than people hear, up to \(Report.fixed(most, 0)) Hz")
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

    /// The level of a chime and the tone with all their partials at their peaks at once: the upper bound.
    private func together(_ chime: Chime) -> Decibels {
        Magnitude(chime.loudest.magnitude.rawValue + loudestTone.magnitude.rawValue).decibels ?? .silence
    }

    private static func tenths(_ level: Decibels) -> String { Report.fixed(level.rawValue, 1) }
}

extension ChimeNote {
    /// Of its partials, in Hz.
    fileprivate var highest: Double { frequency.rawValue * (partials.map(\.ratio).max() ?? 0) }
}

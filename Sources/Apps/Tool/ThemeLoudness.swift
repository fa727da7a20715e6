import Fields
import Signals
import Units

extension ChimeNote {
    /// The level with all its partials at their peaks at once: the upper bound.
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

extension Theme {
    /// What is allowed but probably a mistake: fields and words.
    var oddities: [(field: String, words: String)] {
        var oddities: [(field: String, words: String)] = []
        let top = "the ceiling of \(Fault.plain(ceiling.rawValue)) dBFS"
        if toneCurve.loudest > ceiling {
            oddities.append(("toneCurve.loudest", "the tone reaches \(Fault.plain(toneCurve.loudest.rawValue)) dBFS, over \(top): "
                + "it will be limited, and get no louder before it ends"))
        }
        for (name, chime) in chimes.sorted(by: { $0.key < $1.key }) {
            let both = Magnitude(chime.loudest.magnitude.rawValue + toneCurve.loudest.magnitude.rawValue).decibels ?? .silence
            if chime.loudest > ceiling {
                oddities.append(("chimes.\(name)", "it can reach \(Report.fixed(chime.loudest.rawValue, 1)) dBFS, over \(top): "
                    + "it will be limited"))
            } else if both > ceiling, toneCurve.loudest <= ceiling {
                oddities.append(("chimes.\(name)", "with the tone at its loudest it can reach \(Report.fixed(both.rawValue, 1)) dBFS, "
                    + "over \(top): both will be limited"))
            }
            for (index, note) in chime.notes.enumerated() {
                for (place, partial) in note.partials.enumerated() where note.frequency.rawValue * partial.ratio > 20_000 {
                    oddities.append(("chimes.\(name)[\(index)].partials[\(place)]",
                                     "\(Report.fixed(note.frequency.rawValue * partial.ratio, 0)) Hz is higher than people hear"))
                }
            }
        }
        for (name, pattern) in haptics.sorted(by: { $0.key < $1.key }) where pattern.events.isEmpty && pattern.sounds.isEmpty {
            oddities.append(("haptics.\(name)", "nothing in it is felt or heard; none takes a pattern away"))
        }
        return oddities
    }
}

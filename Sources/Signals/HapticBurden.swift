import Fields
import Units

extension HapticPattern {
    /// How long all that is to be worked out of it lasts: itself, and each of its events and sounds, with what their envelopes add at most.
    var burden: Seconds {
        // A tap at sharpness 0 falls by 60 dB in 0.13 s; a release takes 1 s at most.
        let events = events.map { event in
            let length = if case .continuous(let duration) = event.kind { duration.rawValue + 1 } else { 0.15 }
            return (end: event.time.rawValue + length, length: length)
        }
        // A file's length is not known here.
        let sounds = sounds.map { sound in
            let length = if case .tone(let duration) = sound.source { duration.rawValue + 1 } else { 0.0 }
            return (end: sound.time.rawValue + length, length: length)
        }
        let all = events + sounds
        return Seconds(all.reduce(all.map(\.end).max() ?? 0) { $0 + $1.length })
    }
}

extension Theme {
    /// Of its patterns' burdens together: a second takes some milliseconds and 400 KB at 48 kHz.
    public static let mostHaptics = Seconds(1_800)

    /// Throws `Fault` if the patterns are too much to be worked out beforehand. Whoever reads a theme calls it.
    public func checkHaptics() throws(Fault) {
        let total = haptics.values.reduce(0) { $0 + $1.burden.rawValue }
        guard total <= Self.mostHaptics.rawValue else {
            let most = Fault.plain(Self.mostHaptics.rawValue)
            throw Fault(field: "haptics", expected: "patterns that last at most \(most) s, all their events and sounds counted one by one",
                        found: "\(Fault.plain(total.rounded())) s")
        }
    }
}

import Fields
import JSON
import Signals

/// Counts what a piece returned that could not be used.
public struct UnusedEffects: Equatable, Sendable {
    /// The number of cues beyond the budget of their event.
    public var cues = 0
    /// The number of cues that a piece must not give: the house's own, and those with names that the theme lacks or values that no journal
    /// can hold.
    public var unusableCues = 0
    /// The number of announcements beyond the budget of their event.
    public var announcements = 0
    /// The number of ticks that were asked for too early, too late, or by civil time although the piece does not know it.
    public var wakes = 0
    /// The number of values that neither journals nor the database can hold: memories, log-odds of predictions, and notes in the
    /// ledger.
    public var values = 0
    /// Why the latest unused cue or value was not used, in words; nil before the first.
    public var lastReason: String?

    public var total: Int { cues + unusableCues + announcements + wakes + values }

    public init() {}

    mutating func note(_ cue: Cue, because reason: String) {
        // Any theme may lack the patterns of fingers, so these do not count.
        if case .haptic(let name) = cue, Hands.haptics.contains(name) { return }
        unusableCues += 1
        lastReason = reason
    }

    mutating func noteValue(_ reason: String) {
        values += 1
        lastReason = reason
    }

    public static func + (a: UnusedEffects, b: UnusedEffects) -> UnusedEffects {
        var sum = a
        sum.cues += b.cues
        sum.unusableCues += b.unusableCues
        sum.announcements += b.announcements
        sum.wakes += b.wakes
        sum.values += b.values
        sum.lastReason = b.lastReason ?? a.lastReason
        return sum
    }
}

extension Cue {
    /// Returns why a piece must not give this cue for `event`, in words; nil when it may. `event` is nil for a run's opening cues.
    func objection(in theme: Theme, of event: EventKind?) -> String? {
        switch self {
        case .toneGate, .stop, .noise(nil): nil
        case .tonePitch(let pitch, let glide):
            Self.pitches.contains(pitch.rawValue) && Self.glides.contains(glide.rawValue) ? nil
                : "no tone has the pitch \(pitch.rawValue) Hz with a glide of \(glide.rawValue) s"
        case .toneLevel(let level): Self.levels.contains(level.rawValue) ? nil : "no tone has the level \(level.rawValue) dBFS"
        case .chime(let name): theme.chimes[name] == nil ? "the theme \(theme.name) has no chime \(name)" : nil
        // A texture that began in another theme may be ended in this one.
        case .texture(_, on: false): nil
        case .texture(let name, on: true): theme.textures[name] == nil ? "the theme \(theme.name) has no texture \(name)" : nil
        case .haptic(let name): theme.haptics[name] == nil ? "the theme \(theme.name) has no haptic pattern \(name)" : nil
        case .pattern(let pattern):
            // A pattern that came with the event has been checked already.
            event == .pattern(pattern) || pattern.isReadable ? nil : "a haptic pattern of its own has values out of range"
        case .noise, .mute, .ceiling, .volume, .theme: "noise, mute, ceiling, volume and theme are the house's"
        }
    }
}

extension HapticPattern {
    /// Whether a journal can hold the pattern: reading what was written gives the same pattern.
    fileprivate var isReadable: Bool {
        guard refusal == nil, let bytes = try? JSONWriter.bytes(of: self), let text = try? JSONText(bytes, within: .none) else {
            return false
        }
        return (try? HapticPattern(from: JSONReading(text).decoder)) == self
    }
}

extension JSONValue {
    /// Whether journals and the database can hold the value.
    var isKeepable: Bool { fits(levels: 32, bytes: 256 << 10) }
}

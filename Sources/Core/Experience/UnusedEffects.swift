import Fields
import JSON
import Signals

/// Counts what a piece returned and was not used.
public struct UnusedEffects: Equatable, Sendable {
    /// Cues beyond the budget of their event.
    public var cues = 0
    /// Cues that a piece may not return: those with names that the theme lacks or values that no journal can hold, and the house's.
    public var unusableCues = 0
    /// Announcements beyond the budget of their event.
    public var announcements = 0
    /// Ticks that were asked for too early, too late, or by a clock that the piece does not have.
    public var wakes = 0
    /// Memories, and notes of the ledger, that no journal and no database can hold.
    public var values = 0
    /// The reason why the last cue or value was not used, in words.
    public var lastReason: String?

    public var total: Int { cues + unusableCues + announcements + wakes + values }

    public init() {}

    mutating func note(_ cue: Cue, because reason: String) {
        // Every theme may leave out what hands feel.
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
    /// Returns why a piece may not return this cue for `event`, in words; nil when it may. `event` is nil where a run begins.
    func objection(in theme: Theme, of event: EventKind?) -> String? {
        switch self {
        case .toneGate, .stop: nil
        case .tonePitch(let pitch, let glide):
            Self.pitches.contains(pitch.rawValue) && Self.glides.contains(glide.rawValue) ? nil
                : "no tone has the pitch \(pitch.rawValue) Hz with a glide of \(glide.rawValue) s"
        case .toneLevel(let level): Self.levels.contains(level.rawValue) ? nil : "no tone has the level \(level.rawValue) dBFS"
        case .chime(let name): theme.chimes[name] == nil ? "the theme \(theme.name) has no chime \(name)" : nil
        // A texture that began in another theme is ended all the same.
        case .texture(_, on: false): nil
        case .texture(let name, on: true): theme.textures[name] == nil ? "the theme \(theme.name) has no texture \(name)" : nil
        case .haptic(let name): theme.haptics[name] == nil ? "the theme \(theme.name) has no haptic pattern \(name)" : nil
        case .pattern(let pattern):
            // What came with the event has been read already.
            event == .pattern(pattern) || pattern.isReadable ? nil : "a haptic pattern of its own has values out of range"
        case .mute, .ceiling, .volume, .theme: "mute, ceiling, volume and theme are the house's"
        }
    }
}

extension HapticPattern {
    /// Whether a journal can hold the pattern: what is written is what is read.
    fileprivate var isReadable: Bool {
        guard refusal == nil, let bytes = try? JSONWriter.bytes(of: self), let text = try? JSONText(bytes, within: .none) else {
            return false
        }
        return (try? HapticPattern(from: JSONReading(text).decoder)) == self
    }
}

extension JSONValue {
    /// Whether a journal and the database can hold the value.
    var isKeepable: Bool { fits(levels: 32, bytes: 256 << 10) }
}

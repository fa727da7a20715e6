import Fields
import Signals
import Units

/// A cue as a journal spells it. What its event says already is not said again: the cue `theme` is the event's theme, and `pattern` the
/// event's haptic pattern.
struct CueLine: Codable {
    private enum Spelled {
        case whole(Cue)
        case eventsTheme
        case eventsPattern
    }

    private static let names = [
        "ceiling", "chime", "haptic", "mute", "pattern", "stop", "theme", "tone.gate", "tone.level", "tone.pitch", "volume",
    ]

    private let spelled: Spelled

    init(_ cue: Cue, of event: EventKind?) {
        switch (cue, event) {
        case (.theme(let theme), .theme(let own)?) where theme == own: spelled = .eventsTheme
        case (.pattern(let pattern), .pattern(let own)?) where pattern == own: spelled = .eventsPattern
        default: spelled = .whole(cue)
        }
    }

    /// Throws `Fault`, whose field begins with `path`, where the cue refers to what its event does not have.
    func cue(of event: EventKind?, at path: String) throws(Fault) -> Cue {
        switch (spelled, event) {
        case (.whole(let cue), _): return cue
        case (.eventsTheme, .theme(let theme)): return .theme(theme)
        case (.eventsPattern, .pattern(let pattern)): return .pattern(pattern)
        case (.eventsTheme, _): throw Fault(field: path + ".theme", expected: "a theme", found: "nothing")
        case (.eventsPattern, _): throw Fault(field: path + ".pattern", expected: "a haptic pattern", found: "nothing")
        }
    }

    init(from decoder: any Decoder) throws {
        let fields = try Fields(decoder)
        func only(_ known: String...) throws { try fields.refuseAll(but: ["cue"] + known) }
        let name = try fields.text("cue")
        switch name {
        case "tone.gate":
            try only("open")
            spelled = .whole(.toneGate(open: try fields.flag("open")))
        case "tone.pitch":
            try only("frequency", "glide")
            spelled = .whole(.tonePitch(Hertz(try fields.number("frequency", in: 20...5_000, unit: "Hz")),
                                        glide: Seconds(try fields.number("glide", in: 0...10, unit: "seconds"))))
        case "tone.level":
            try only("level")
            spelled = .whole(.toneLevel(Decibels(try fields.number("level", in: -120...0, unit: "dBFS"))))
        case "chime":
            try only("name")
            spelled = .whole(.chime(try fields.text("name")))
        case "haptic":
            try only("name")
            spelled = .whole(.haptic(try fields.text("name")))
        case "pattern":
            try only("pattern")
            spelled = fields.contains("pattern")
                ? .whole(.pattern(try fields.nested(HapticPattern.self, "pattern", expected: "a haptic pattern"))) : .eventsPattern
        case "mute":
            try only("on")
            spelled = .whole(.mute(try fields.flag("on")))
        case "ceiling":
            try only("level")
            spelled = .whole(.ceiling(Decibels(try fields.number("level", in: -60...0, unit: "dBFS"))))
        case "volume":
            try only("level", "fade")
            spelled = .whole(.volume(Decibels(try fields.number("level", in: Decibels.silence.rawValue...0, unit: "dB")),
                                     fade: Seconds(try fields.number("fade", in: EventKind.fades, unit: "seconds"))))
        case "theme":
            try only("theme")
            spelled = fields.contains("theme") ? .whole(.theme(try fields.nested(Theme.self, "theme", expected: "a theme"))) : .eventsTheme
        case "stop":
            try only()
            spelled = .whole(.stop)
        default:
            throw fields.fault("cue", "one of " + Self.names.joined(separator: ", "), found: "\"\(name)\"")
        }
    }

    /// The cues in field `name`; none if it is left out.
    static func cues(_ name: String, of event: EventKind?, _ fields: Fields) throws -> [Cue] {
        guard fields.contains(name) else { return [] }
        let lines = try fields.nested([CueLine].self, name, expected: "a list of cues")
        return try lines.enumerated().map { try $1.cue(of: event, at: "\(name)[\($0)]") }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Fields.Key.self)
        switch spelled {
        case .whole(.theme(let theme)):
            try container.encode("theme", forKey: .init("cue"))
            try container.encode(theme, forKey: .init("theme"))
        case .whole(.pattern(let pattern)):
            try container.encode("pattern", forKey: .init("cue"))
            try container.encode(pattern, forKey: .init("pattern"))
        case .whole(let cue): try cue.encode(to: encoder)
        case .eventsTheme: try container.encode("theme", forKey: .init("cue"))
        case .eventsPattern: try container.encode("pattern", forKey: .init("cue"))
        }
    }
}

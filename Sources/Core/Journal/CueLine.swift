import Fields
import Signals
import Units

/// A cue in the form in which a journal writes it. It leaves out what its event contains: the cue `theme` has the theme of its event, and
/// the cue `pattern` has the haptic pattern of its event.
struct CueLine: Encodable {
    let cue: Cue
    /// The event that the cue belongs to; nil in a header.
    let event: EventKind?

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Fields.Key.self)
        switch (cue, event) {
        case (.theme(let theme), .theme(let own)?) where theme == own: try container.encode("theme", forKey: .init("cue"))
        case (.theme(let theme), _):
            try container.encode("theme", forKey: .init("cue"))
            try container.encode(theme, forKey: .init("theme"))
        case (.pattern(let pattern), .pattern(let own)?) where pattern == own: try container.encode("pattern", forKey: .init("cue"))
        case (.pattern(let pattern), _):
            try container.encode("pattern", forKey: .init("cue"))
            try container.encode(pattern, forKey: .init("pattern"))
        default: try cue.encode(to: encoder)
        }
    }
}

extension Cue {
    private static let names = [
        "ceiling", "chime", "haptic", "mute", "noise", "pattern", "stop", "texture", "theme", "tone.gate", "tone.level", "tone.pitch",
        "volume",
    ]

    /// Reads the cues in field `name` of the line of `event`; none if it is left out. Throws `Fault`.
    static func list(_ fields: Fields, _ name: String, of event: EventKind?) throws -> [Cue] {
        guard var rest = try fields.objectsIfPresent(name, expected: "a list of cues") else { return [] }
        var cues: [Cue] = []
        while let cue = try rest.next() { cues.append(try Cue(cue, of: event)) }
        return cues
    }

    private init(_ fields: Fields, of event: EventKind?) throws {
        func only(_ known: String...) throws { try fields.refuseAll(but: known) }
        let name = try fields.text("cue")
        switch name {
        case "tone.gate":
            try only("cue", "open")
            self = .toneGate(open: try fields.flag("open"))
        case "tone.pitch":
            try only("cue", "frequency", "glide")
            self = .tonePitch(Hertz(try fields.number("frequency", in: Self.pitches, unit: "Hz")),
                              glide: Seconds(try fields.number("glide", in: Self.glides, unit: "seconds")))
        case "tone.level":
            try only("cue", "level")
            self = .toneLevel(Decibels(try fields.number("level", in: Self.levels, unit: "dBFS")))
        case "chime":
            try only("cue", "name")
            self = .chime(try fields.text("name"))
        case "texture":
            try only("cue", "name", "on")
            self = .texture(try fields.text("name"), on: try fields.flag("on"))
        case "noise":
            try only("cue", "on", "level")
            let level = try fields.flag("on") ? try fields.number("level", in: EventKind.noiseLevels, unit: "dBFS") : nil
            self = .noise(level.map { Decibels($0) })
        case "haptic":
            try only("cue", "name")
            self = .haptic(try fields.text("name"))
        case "pattern":
            try only("cue", "pattern")
            if case .pattern(let own)? = event, !fields.contains("pattern") {
                self = .pattern(own)
            } else {
                self = .pattern(try fields.nested(HapticPattern.self, "pattern", expected: "a haptic pattern"))
            }
        case "mute":
            try only("cue", "on")
            self = .mute(try fields.flag("on"))
        case "ceiling":
            try only("cue", "level")
            self = .ceiling(Decibels(try fields.number("level", in: -60...0, unit: "dBFS")))
        case "volume":
            try only("cue", "level", "fade")
            self = .volume(Decibels(try fields.number("level", in: Decibels.silence.rawValue...0, unit: "dB")),
                           fade: Seconds(try fields.number("fade", in: EventKind.fades, unit: "seconds")))
        case "theme":
            try only("cue", "theme")
            if case .theme(let own)? = event, !fields.contains("theme") {
                self = .theme(own)
            } else {
                self = .theme(try fields.nested(Theme.self, "theme", expected: "a theme"))
            }
        case "stop":
            try only("cue")
            self = .stop
        default:
            throw fields.fault("cue", "one of " + Self.names.joined(separator: ", "), found: "\"\(name)\"")
        }
    }
}

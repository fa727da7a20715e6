import Calendar
import Fields
import Units

/// The names and fields of every event, which are the same on the socket and in journals. A method of the socket has the name of the event
/// that it reports, with a few exceptions (`EventKind.method`).
extension EventKind {
    /// The event's name in announcements and in journals.
    public var name: String {
        switch self {
        case .touch: "touch"
        case .tap: "tap"
        case .swipe: "swipe"
        case .action(let action): action.name
        case .tone: "tone"
        case .chime: "chime"
        case .texture: "texture"
        case .noise: "noise"
        case .haptic, .pattern: "haptic"
        case .knob: "param.set"
        case .mute: "output.mute"
        case .ceiling: "output.ceiling"
        case .volume: "volume"
        case .theme: "theme"
        case .start: "session.start"
        case .mark: "journal.mark"
        case .stop: "stop"
        case .arrival: "arrival"
        case .configuration: "configuration"
        case .tick: "tick"
        case .visit: "visit"
        case .touchOwner: "touch.owner"
        case .left: "left"
        }
    }

    /// The names of events that a front end may report whatever piece runs.
    public static let reportable = [
        "chime", "haptic", "journal.mark", "noise", "output.ceiling", "output.mute", "param.set", "session.start", "stop", "swipe", "tap",
        "texture", "tone", "touch",
    ]

    /// The names of all events that journals contain, except a piece's own actions. Some of these events only the engine reports.
    public static let all = (reportable + ["arrival", "configuration", "left", "theme", "tick", "touch.owner", "visit", "volume"]).sorted()

    /// The names of fields that may stand beside an event's own fields: in a journal's line, or in a request that says when the event
    /// happened. The fields of actions must not have these names.
    public static let fieldsAround = ["at", "checkpoint", "client", "cues", "delay", "discontinuity", "due", "end", "event", "frame",
                                      "lapse", "margin", "signature", "sum"]

    /// Whether a front end may report the event.
    public var isReportable: Bool {
        switch self {
        case .action: true
        case .touch, .tap, .swipe, .tone, .chime, .texture, .noise, .haptic, .pattern, .knob, .mute, .ceiling, .start, .mark, .stop: true
        case .volume, .theme, .arrival, .configuration, .tick, .visit, .touchOwner, .left: false
        }
    }

    /// The range of times that a change of volume may take, in seconds.
    public static let fades = 0.0...60
    /// The range of the level of pink noise, of its RMS in dBFS. Its peaks are some 14 dB higher, and stay below full scale.
    public static let noiseLevels = -60.0...(-14)

    /// Reads the fields of the event called `name`; nil when there is no such event. `besides` names the fields around the event that are
    /// not its own. Throws `Fault`.
    public init?(name: String, _ fields: Fields, besides: [String] = []) throws {
        func only(_ known: String...) throws { try fields.refuseAll(but: known, besides) }
        switch name {
        case "touch":
            try only("phase", "id", "x", "y")
            let phase: Touch.Phase = try fields.choice("phase")
            // A mouse may be released outside the window. So a position outside 0…1 is clamped here: an event that releases must not be
            // refused.
            func coordinate(_ name: String, _ about: String) throws -> Double? {
                phase == .ended ? try fields.numberIfPresent(name, clampedTo: 0...1, about: about)
                    : try fields.numberIfPresent(name, in: 0...1, about: about)
            }
            self = .touch(Touch(
                phase,
                finger: try fields.integerIfPresent("id", in: 0...Int(Int32.max),
                                                    about: "tells the fingers of one client apart; 0 by default") ?? 0,
                x: try coordinate("x", "0 at the left edge, 1 at the right"), y: try coordinate("y", "0 at the top edge, 1 at the bottom")))
        case "swipe":
            try only("direction", "velocity", "deceleration")
            self = .swipe(Swipe(
                try fields.choiceIfPresent("direction", about: "of the finger; up by default, which leads to the next card") ?? .up,
                velocity: try fields.numberIfPresent("velocity", in: Swipe.velocities, unit: "screen heights per second"),
                deceleration: try fields.numberIfPresent("deceleration", in: Swipe.decelerations,
                                                         unit: "screen heights per second in a second",
                                                         about: "by how much the finger was slowing down at last")))
        case "tap":
            try only("x", "y")
            self = .tap(Tap(x: try fields.numberIfPresent("x", in: 0...1), y: try fields.numberIfPresent("y", in: 0...1)))
        case "tone":
            try only("on", "frequency", "level", "glide")
            let request = ToneRequest(
                on: try fields.flagIfPresent("on", about: "true: this client holds the tone on; false: it lets go"),
                frequency: try fields.numberIfPresent("frequency", in: Cue.pitches, unit: "Hz").map { Hertz($0) },
                level: try fields.numberIfPresent("level", in: Cue.levels, unit: "dBFS").map { Decibels($0) },
                glide: try fields.numberIfPresent("glide", in: Cue.glides, unit: "seconds",
                                                  about: "how long the pitch takes to arrive; 0 by default").map { Seconds($0) })
            if request == ToneRequest() {
                throw fields.fault("on", "at least one of on, frequency, level", found: "nothing")
            }
            if request.glide != nil, request.frequency == nil {
                throw fields.fault("frequency", "the frequency to glide to", found: "nothing")
            }
            self = .tone(request)
        case "chime":
            try only("name")
            self = .chime(name: try fields.text("name", about: "of a chime of the theme"))
        case "texture":
            try only("name", "on")
            self = .texture(name: try fields.text("name", about: "of a texture of the theme"),
                            on: try fields.flag("on", about: "true: this client holds it on; false: it lets go"))
        case "noise":
            try only("on", "level")
            let isOn = try fields.flag("on", about: "true: this client holds it on; false: it lets go")
            let level = try fields.numberIfPresent("level", in: Self.noiseLevels, unit: "dBFS", about: "of its RMS; -20 by default")
            self = .noise(isOn ? Decibels(level ?? -20) : nil)
        case "haptic":
            try only("name", "pattern", "ahap")
            let name = try fields.textIfPresent("name", about: "of a haptic pattern of the theme")
            let pattern = try fields.nestedIfPresent(HapticPattern.self, "pattern", expected: "a haptic pattern", orList: true,
                                                     about: "one of its own instead, as a theme has them")
            let ahap = try fields.nestedIfPresent(AHAPFile.self, "ahap", expected: "an AHAP object",
                                                  about: "the same as Core Haptics writes it")?.pattern()
            switch (name, pattern, ahap) {
            case (let name?, nil, nil): self = .haptic(name: name)
            case (nil, let pattern?, nil), (nil, nil, let pattern?): self = .pattern(pattern)
            case (nil, nil, nil): throw fields.fault("name", "text of 1 to 256 characters", found: "nothing")
            default: throw fields.fault("name", "one of name, pattern and ahap", found: "more than one")
            }
        case "param.set":
            try only("name", "value")
            self = .knob(KnobChange(try fields.text("name", about: "of a knob"),
                                    try fields.nested("value", as: .either([.flag, .number(-1e15...1e15, unit: nil)]),
                                                      like: KnobValue.flag(false), expected: "a number, or true or false")))
        case "output.mute":
            try only("on")
            self = .mute(try fields.flag("on", about: "true: no sound; false: sound again"))
        case "output.ceiling":
            try only("level")
            self = .ceiling(Decibels(try fields.number("level", in: -60...0, unit: "dBFS", about: "at most that of the settings")))
        case "volume":
            try only("level", "fade")
            self = .volume(Decibels(try fields.number("level", in: Decibels.silence.rawValue...0, unit: "dB")),
                           fade: Seconds(try fields.number("fade", in: Self.fades, unit: "seconds")))
        case "theme":
            try only("theme")
            self = .theme(try fields.nested(Theme.self, "theme", expected: "a theme"))
        case "session.start":
            try only()
            self = .start
        case "journal.mark":
            try only("text")
            self = .mark(try fields.text("text", limit: 1024, about: "for whoever reads the journal"))
        case "arrival":
            try only("time", "utcOffset", "memory", "lastScore")
            let civilTime = try CivilTime(fields)
            // In journals of version 1, `lastScore` is all that is remembered of earlier runs.
            let lastScore = try fields.integerIfPresent("lastScore", in: 0...Int(Int32.max))
            let memory = try fields.nestedIfPresent(JSONValue.self, "memory", expected: "an object", about: "")
            self = .arrival(Arrival(civilTime, memory: memory ?? lastScore.map { .object(["lastScore": .integer(Int64($0))]) }))
        case "configuration":
            try only("kind", "version", "document")
            self = .configuration(PublishedDocument(
                kind: try fields.text("kind", limit: 64),
                version: try fields.integer("version", in: PublishedDocument.versions),
                body: try fields.nested(JSONValue.self, "document", expected: "an object")))
        case "tick":
            try only("time", "utcOffset")
            self = .tick(try CivilTime(fields))
        case "visit":
            try only("phase")
            self = .visit(try fields.choice("phase"))
        case "touch.owner":
            try only("owner")
            self = .touchOwner(try fields.choice("owner"))
        case "stop":
            try only()
            self = .stop
        case "left":
            try only()
            self = .left
        default:
            return nil
        }
    }

    /// Writes the event's fields without its name. Fields that are nil are left out.
    public func encode(into container: inout KeyedEncodingContainer<Fields.Key>) throws {
        func put(_ value: (some Encodable)?, _ name: String) throws {
            try container.encodeIfPresent(value, forKey: Fields.Key(name))
        }
        switch self {
        case .touch(let touch):
            try put(touch.phase.rawValue, "phase")
            try put(touch.finger, "id")
            try put(touch.x, "x")
            try put(touch.y, "y")
        case .swipe(let swipe):
            try put(swipe.direction.rawValue, "direction")
            try put(swipe.velocity, "velocity")
            try put(swipe.deceleration, "deceleration")
        case .action(let action):
            try action.body.encode(into: &container)
        case .knob(let change):
            try put(change.name, "name")
            try put(change.value, "value")
        case .arrival(let arrival):
            try put(arrival.civilTime.instant, "time")
            try put(arrival.civilTime.utcOffset, "utcOffset")
            try put(arrival.memory, "memory")
        case .configuration(let document):
            try put(document.kind, "kind")
            try put(document.version, "version")
            try put(document.body, "document")
        case .tick(let civilTime):
            try put(civilTime.instant, "time")
            try put(civilTime.utcOffset, "utcOffset")
        case .visit(let phase):
            try put(phase.rawValue, "phase")
        case .touchOwner(let owner):
            try put(owner.rawValue, "owner")
        case .tap(let tap):
            try put(tap.x, "x")
            try put(tap.y, "y")
        case .tone(let request):
            try put(request.on, "on")
            try put(request.frequency?.rawValue, "frequency")
            try put(request.level?.rawValue, "level")
            try put(request.glide?.rawValue, "glide")
        case .chime(let name), .haptic(let name):
            try put(name, "name")
        case .texture(let name, let on):
            try put(name, "name")
            try put(on, "on")
        case .noise(let level):
            try put(level != nil, "on")
            try put(level?.rawValue, "level")
        case .pattern(let pattern):
            try put(pattern, "pattern")
        case .mute(let on):
            try put(on, "on")
        case .ceiling(let level):
            try put(level.rawValue, "level")
        case .volume(let level, let fade):
            try put(level.rawValue, "level")
            try put(fade.rawValue, "fade")
        case .theme(let theme):
            try put(theme, "theme")
        case .mark(let text):
            try put(text, "text")
        case .start, .stop, .left:
            break
        }
    }
}

extension CivilTime {
    fileprivate init(_ fields: Fields) throws {
        self.init(instant: try fields.number("time", in: Self.instants, unit: "seconds since 1970-01-01"),
                  utcOffset: try fields.integer("utcOffset", in: Self.utcOffsets))
    }
}

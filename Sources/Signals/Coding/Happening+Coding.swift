import Units

/// One spelling of every event, for the socket and the journal both.
extension Happening {
    /// The name on the wire and in the journal.
    public var name: String {
        switch self {
        case .touch: "touch"
        case .feedUpdate: "feed.update"
        case .feedSwipe: "feed.swipe"
        case .feedScroll: "feed.scroll"
        case .tap: "tap"
        case .tone: "tone"
        case .chime: "chime"
        case .haptic: "haptic"
        case .parameter: "param.set"
        case .stop: "stop"
        case .arrival: "arrival"
        case .left: "left"
        }
    }

    /// What a front end may report.
    public static let reportable = [
        "chime", "feed.scroll", "feed.swipe", "feed.update", "haptic", "param.set", "stop", "tap", "tone", "touch",
    ]

    /// Every name there is in a journal: the engine itself reports two more.
    public static let all = (reportable + ["arrival", "left"]).sorted()

    /// Reads the fields of the happening called `name`; nil when there is none of that name. `besides` are fields of the
    /// surrounding line that are not this happening's business.
    public init?(name: String, _ fields: Fields, besides: [String] = []) throws {
        func only(_ known: String...) throws { try fields.refuseAll(but: known + besides) }
        switch name {
        case "touch":
            try only("phase", "id", "x", "y")
            self = .touch(Touch(
                try fields.choice("phase"),
                finger: try fields.integerIfPresent("id", in: 0...Int(Int32.max),
                                                    about: "tells the fingers of one client apart; 0 by default") ?? 0,
                x: try fields.numberIfPresent("x", in: 0...1, about: "0 at the left edge, 1 at the right"),
                y: try fields.numberIfPresent("y", in: 0...1, about: "0 at the top edge, 1 at the bottom")))
        case "feed.update":
            try only("blocksViewed")
            self = .feedUpdate(FeedUpdate(
                blocksViewed: try fields.integer("blocksViewed", in: 0...1_000_000, about: "cards seen since the session's start")))
        case "feed.swipe":
            try only("direction", "velocity", "deceleration")
            self = .feedSwipe(FeedSwipe(
                try fields.choiceIfPresent("direction", about: "of the finger; up by default, which leads to the next card") ?? .up,
                velocity: try fields.numberIfPresent("velocity", in: FeedSwipe.velocities, unit: "screen heights per second"),
                deceleration: try fields.numberIfPresent("deceleration", in: FeedSwipe.decelerations,
                                                         unit: "screen heights per second in a second",
                                                         about: "by how much the finger was slowing down at last")))
        case "feed.scroll":
            try only("index", "velocity")
            self = .feedScroll(FeedScroll(
                to: try fields.integer("index", in: FeedScroll.indices, about: "of the card that is shown now"),
                velocity: try fields.numberIfPresent("velocity", in: FeedSwipe.velocities, unit: "screen heights per second")))
        case "tap":
            try only("x", "y")
            self = .tap(Tap(x: try fields.numberIfPresent("x", in: 0...1), y: try fields.numberIfPresent("y", in: 0...1)))
        case "tone":
            try only("on", "frequency", "level", "glide")
            let request = ToneRequest(
                on: try fields.flagIfPresent("on", about: "true: this client holds the tone on; false: it lets go"),
                frequency: try fields.numberIfPresent("frequency", in: 20...5000, unit: "Hz").map { Hertz($0) },
                level: try fields.numberIfPresent("level", in: -120...0, unit: "dBFS").map { Decibels($0) },
                glide: try fields.numberIfPresent("glide", in: 0...10, unit: "seconds",
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
        case "haptic":
            try only("name")
            self = .haptic(name: try fields.text("name", about: "of a haptic pattern of the theme"))
        case "param.set":
            try only("name", "value")
            self = .parameter(try ParameterChange(try fields.choice("name"), fields, "value"))
        case "arrival":
            try only("time", "utcOffset", "lastScore")
            self = .arrival(Arrival(time: try fields.number("time", in: Arrival.times, unit: "seconds since 1970-01-01"),
                                    utcOffset: try fields.integer("utcOffset", in: Arrival.utcOffsets),
                                    lastScore: try fields.integerIfPresent("lastScore", in: 0...Int(Int32.max))))
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

    /// Writes the fields, without the name. What is nil is left out.
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
        case .feedUpdate(let update):
            try put(update.blocksViewed, "blocksViewed")
        case .feedSwipe(let swipe):
            try put(swipe.direction.rawValue, "direction")
            try put(swipe.velocity, "velocity")
            try put(swipe.deceleration, "deceleration")
        case .feedScroll(let scroll):
            try put(scroll.index, "index")
            try put(scroll.velocity, "velocity")
        case .parameter(let change):
            try put(change.parameter.rawValue, "name")
            try put(change.value, "value")
        case .arrival(let arrival):
            try put(arrival.time, "time")
            try put(arrival.utcOffset, "utcOffset")
            try put(arrival.lastScore, "lastScore")
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
        case .stop, .left:
            break
        }
    }
}

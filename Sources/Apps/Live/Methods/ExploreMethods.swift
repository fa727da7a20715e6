import Fields
import Signals
import Wire

/// The methods for exploring pages by touch.
enum ExploreMethods {
    static let all: [Method] = [
        .command("explore.regions", .act(by: .page), "A page tells all its named regions, in place of those before; they go with it.",
                 result: "exploring", examples: [ExploreMode(on: true)], read: {
            try $0.nestedIfPresent(Regions.self, "regions", expected: "a list of regions", orList: true,
                                   about: "each with id, label, role, x, y, width and height; none without it") ?? Regions()
        }) { stage, regions, caller in stage.desks.explore.use(regions, caller, on: stage) },
        .command("explore.set", .act(by: .page), refuses: [.notNow, .tooFast], "Pages are explored by touch, or no longer.", read: {
            try $0.flag("on", about: "true: until the visit ends")
        }) { stage, on, caller in stage.desks.explore.turn(on, caller, on: stage) },
    ]
}

/// The method by which front ends say what a sensor notices.
enum PresenceMethods {
    /// How long a sensor's word counts where the request does not say it, in seconds.
    private static let usual = 10.0

    static let all: [Method] = [
        .command("presence.set", .act(by: .visitor), refuses: [.noRoom, .tooFast],
                 "A sensor notices somebody who stands there, or nobody any more: `isNoticed` of `state`.", read: { fields in
            (isThere: try fields.flag("on", about: "true: somebody is there"),
             name: try fields.textIfPresent("sensor", limit: 64, about: "tells several sensors apart") ?? "",
             seconds: try fields.numberIfPresent("seconds", in: 1...3_600, unit: "s", about: "that this counts unless it is said again")
                ?? usual)
        }) { stage, word, caller in stage.desks.switches.sees(word.isThere, word.name, seconds: word.seconds, caller, on: stage) },
    ]
}

/// The methods by which pages have the engine speak a text, or stop speaking.
enum SpeechMethods {
    /// The longest text, in characters: about as much as is spoken in 20 s.
    static let longest = 300

    static let all: [Method] = [
        .command("speech.say", .act(by: .page), refuses: [.notNow, .tooFast, .overloaded, .unavailable, .busy],
                 "During a run, a text is spoken, in place of what is being spoken; all other sound is turned down meanwhile.",
                 result: "speech", examples: [SpeechAnswer(seconds: 1.25)], read: { fields in
            (text: try fields.text("text", limit: longest, about: "as a sentence or a name"),
             language: try language(fields))
        }) { stage, wanted, caller in stage.desks.speech.say(wanted.text, in: wanted.language, caller, on: stage) },
        .command("speech.stop", .act(by: .page), "What is being spoken ends.", read: { _ in () }) { stage, _, caller in
            stage.desks.speech.stop(caller, on: stage)
        },
    ]

    /// Reads the language of a text to be spoken. It becomes an argument of a program, so it must be a language tag and nothing else.
    private static func language(_ fields: Fields) throws -> String {
        let tag = try fields.text("language", limit: 16, about: "the text's, as de or en")
        guard tag.wholeMatch(of: /[a-z]{2,3}(-[a-z0-9]{1,8})*/.ignoresCase()) != nil else {
            throw fields.fault("language", "a language tag such as de or en", found: tag)
        }
        return tag.lowercased()
    }
}

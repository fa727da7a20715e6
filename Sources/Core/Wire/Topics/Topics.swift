import Experience
import Signals
import Units

/// A topic that clients may subscribe to.
public struct Topic: Hashable, Sendable {
    public let name: String

    public init(_ name: String) { self.name = name }

    /// A visitor has come or gone.
    public static let session = Topic("session")
    /// Events, in the form of the journal.
    public static let event = Topic("event")
    /// Cues, the instructions to the outputs.
    public static let cue = Topic("cue")
    /// A touchscreen or motor was plugged in or unplugged.
    public static let device = Topic("device")
    /// Issues, discontinuities of the sound, and releases by the engine.
    public static let fault = Topic("fault")
    /// Whether anything is held, and the state of the tone.
    public static let state = Topic("state")
    /// The movements of fingers on the touchscreens that the engine reads.
    public static let touches = Topic("touches")
    /// The owner of touches, which says whose touches count, has changed.
    public static let touchOwner = Topic("touch.owner")
    /// Exploring pages by touch has been switched on or off. For pages that have declared regions.
    public static let exploreMode = Topic("explore.mode")
    /// A finger that explores a page has found something.
    public static let exploreAt = Topic("explore.at")
    /// A region of a page is to be activated.
    public static let exploreActivate = Topic("explore.activate")
    /// The progress of a simulation that the client has started.
    public static let outlook = Topic("config.outlook")
    /// The level of the sound, many times a second.
    public static let meters = Topic("meters")

    /// The topics that only roles with `Access.inspect` get. They reveal who does what, which devices there are and what is wrong, with
    /// names and paths.
    public static let inspected: Set = [event, device, fault]
}

/// All topics of a server: its own, and those that the pieces declare.
public struct TopicTable: Sendable {
    /// A topic, its description, and the shape of its notifications.
    public struct Entry: Sendable {
        public let topic: Topic
        /// Describes the topic for people, in a sentence.
        public let summary: String
        /// Example parameters of the topic's notifications, which show their shape. A field that is missing in some of them is optional.
        let examples: [any Encodable & Sendable]
        /// The texts that a field may hold, by the field's name, where the types of the examples do not say it.
        let words: [String: [String]]
        /// The methods that can cause a notification of this topic, except those of events in general.
        let causes: [String]
        /// Whether the topic's notifications can be part of a rehearsal.
        let isRehearsed: Bool
        /// The confidential fields, by their paths.
        public let inConfidence: [String: Confidence]
        /// Whether only clients that may know of a household's money get the topic.
        public let isAboutMoney: Bool

        init(_ topic: Topic, _ summary: String, _ examples: [any Encodable & Sendable], words: [String: [String]] = [:],
             causes: [String] = [], isRehearsed: Bool = false, inConfidence: [String: Confidence] = [:], isAboutMoney: Bool = false) {
            self.topic = topic
            self.summary = summary
            self.examples = examples
            self.words = words
            self.causes = causes
            self.isRehearsed = isRehearsed
            self.inConfidence = inConfidence
            self.isAboutMoney = isAboutMoney
        }

        var shape: Shape {
            let shapes = examples.map { Shape(of: $0) }
            let shape = shapes.dropFirst().reduce(shapes.first ?? .object([:])) { $0.merged($1) }
            let partly = inConfidence.keys.reduce(shape) { $0.optional($1.split(separator: ".")[...]) }
            let whole = words.reduce(partly) { $0.with($1.key, .word($1.value)) }.with("number", .scalar("integer"))
            return isRehearsed ? whole.with("rehearsal", .scalar("boolean"), isRequired: false) : whole
        }
    }

    /// The topics, in the order of the documentation.
    public let topics: [Entry]

    public init(_ pieces: [Declaration]) {
        let records = pieces.compactMap { $0.record.map { Announcement($0) } }
        let ended = records.isEmpty ? [SessionAnnouncement(.ended)] : records.map { SessionAnnouncement(.ended, record: $0) }
        topics = [Entry(.session, "A visitor has come, or gone, or is about to be taken for gone.",
                        [SessionAnnouncement(.leaving(endsIn: Seconds(0)))] + ended)]
            + pieces.flatMap { piece in
                piece.topics.map {
                    Entry(Topic($0.name), $0.about, $0.examples, causes: $0.causes, isRehearsed: piece.rehearsal != nil,
                          inConfidence: $0.inConfidence, isAboutMoney: $0.isAboutMoney)
                }
            } + Self.own(pieces)
    }

    public var names: [String] { topics.map(\.topic.name) }

    /// All notifications: those of the topics, and the one that tells a subscriber how many were dropped.
    var notifications: [Entry] {
        topics + [Entry(Topic(Notification.missedName), "This client has not read: so many notifications before this one were left out.",
                        [Notification.Missed(count: 0)], causes: ["subscribe"])]
    }

    /// The topics of a subscription that names none: all except those that come many times a second.
    public var usual: Set<Topic> { Set(topics.map(\.topic)).subtracting([.meters, .touches, .outlook]) }

    /// The allowed rates of the topic `meters`, in Hz.
    public static let meterRates = 1.0...60
    /// The rate of the topic `meters` in Hz, where a subscription does not say it.
    public static let usualMeterRate = 20.0

    private static func own(_ pieces: [Declaration]) -> [Entry] { [
        Entry(.event, "Something has happened; with the fields of its kind, as in a journal.", [Line(frame: 0, event: "", client: 1)],
              words: ["event": (EventKind.all + pieces.flatMap { $0.actions.map(\.name) }).sorted()]),
        Entry(.cue, "The outputs are told to do something.",
              [Cue.toneGate(open: true), .tonePitch(Hertz(440), glide: .zero), .toneLevel(Decibels(0)), .chime(""), .noise(Decibels(0)),
               .haptic(""),
               .pattern(HapticPattern(events: [])), .mute(true), .ceiling(Decibels(0)), .volume(Decibels(0), fade: .zero),
               .theme(.standard), .stop]),
        Entry(.device, "A touchscreen or motor has come or gone.", [["touchscreens": [""], "motors": [""]]]),
        Entry(.fault, "Something is not as it should be, or is again.",
              [IssuesReport(issues: [""]), Discontinuity(frame: 0, discontinuity: .gap, frames: nil),
               ReleaseReport(client: 1, released: .held)]),
        Entry(.state, "Who holds what, or how the tone is, has changed.",
              [Example.state]),
        Entry(.touchOwner, "Whose touches count has changed.", [Example.touchOwner], causes: ["hello"]),
        Entry(.touches, "Fingers on the touchscreens that the engine reads, as they come, move and go.",
              [TouchesReport(client: .screen(1), moment: 0, contacts: [Touch(.began, x: 0, y: 0)])]),
        Entry(.exploreMode, "This client's page is explored by touch from now on, or no longer.", [ExploreMode(on: true)],
              causes: ["explore.set"]),
        Entry(.exploreAt, "A finger that explores this client's page has come upon a region, or upon nothing; to be spoken.",
              [ExploreFinding(Region(id: "", label: "", role: .button, x: 0, y: 0, width: 1, height: 1)), ExploreFinding(nil)],
              causes: ["touch"]),
        Entry(.exploreActivate, "This client's page is to act on a region, as on a click.", [ExploreActivation(id: "")], causes: ["touch"]),
        Entry(.outlook, "How far the simulation is that this client has asked for by `config.diff`.",
              [OutlookProgress(kind: "", part: 0.5)], causes: ["config.diff"]),
        Entry(.meters, "How loud it was since the last time.", [MeterReport(peak: 0, rms: 0)], causes: ["subscribe"]),
    ] }

    /// The fields that every event has in a journal's line.
    private struct Line: Encodable {
        var frame: Int64
        var event: String
        var client: Int
    }

    private struct Discontinuity: Encodable {
        enum Kind: String, CaseIterable, Encodable { case late, gap, lost }

        var frame: Int64
        var discontinuity: Kind
        var frames: Int64?
    }
}

extension Shape {
    fileprivate func with(_ name: String, _ shape: Shape, isRequired: Bool = true) -> Shape {
        guard case .object(var fields) = self else { return self }
        fields[name] = Field(shape: shape, isRequired: isRequired)
        return .object(fields)
    }
}

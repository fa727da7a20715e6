import Experience
import Registry
import Signals
import Units

/// What a topic tells, in words and by its shape.
struct TopicGuide {
    var topic: Topic
    var summary: String
    /// Of a notification's parameters.
    var shape: Shape

    /// Of `examples` only the shape is of interest; what not all of them have is optional.
    init(_ topic: Topic, _ summary: String, _ examples: any Encodable...) { self.init(topic, summary, of: examples) }

    private init?(_ declaration: TopicDeclaration) {
        guard let topic = Topic(rawValue: declaration.name) else { return nil }
        self.init(topic, declaration.about, of: declaration.examples)
    }

    private init(_ topic: Topic, _ summary: String, of examples: [any Encodable]) {
        self.topic = topic
        self.summary = summary
        let own = examples.map { Shape(of: $0) }
        shape = own.dropFirst().reduce(own.first ?? .object([:])) { $0.merged($1) }.with("number", .scalar("integer"))
    }

    static let all = [session] + Registry.pieces.flatMap { $0.declaration.topics.compactMap(TopicGuide.init) } + core

    private static let session = TopicGuide(
        .session, "A visitor has come, or gone.",
        of: Registry.pieces.map { SessionAnnouncement(.ended, record: $0.declaration.record.map { Announcement($0) }) })

    private static let core = [
        TopicGuide(.event, "Something has happened; with the fields of its kind, as in a journal.", Line(frame: 0, event: "", client: 1)),
        TopicGuide(.cue, "The outputs are told to do something.", Cue.toneGate(open: true), Cue.tonePitch(Hertz(440), glide: .zero),
                   Cue.toneLevel(Decibels(0)), Cue.chime(""), Cue.haptic(""), Cue.pattern(HapticPattern(events: [])), Cue.mute(true),
                   Cue.ceiling(Decibels(0)), Cue.volume(Decibels(0), fade: .zero), Cue.theme(.standard), Cue.stop),
        TopicGuide(.device, "A touchscreen or motor has come or gone.", ["touchscreens": [""], "motors": [""]]),
        TopicGuide(.fault, "Something is not as it should be, or is again.", ["troubles": [""]],
                   Discontinuity(frame: 0, lapse: "", frames: nil), LetGoReport(client: 1, letGo: "")),
        TopicGuide(.state, "Who holds what, or how the tone is, has changed.", Example.state),
        TopicGuide(.meters, "How loud it was since the last time.", MeterReport(peak: 0, rms: 0)),
    ]

    /// What the lines of a journal have in common that are told as they are.
    private struct Line: Encodable {
        var frame: Int64
        var event: String
        var client: Int
    }

    private struct Discontinuity: Encodable {
        var frame: Int64
        var lapse: String
        var frames: Int64?
    }
}

extension Shape {
    fileprivate func with(_ name: String, _ shape: Shape) -> Shape {
        guard case .object(var fields) = self else { return self }
        fields[name] = Field(shape: shape, isRequired: true)
        return .object(fields)
    }
}

import Signals
import Units

/// What a topic tells, in words and by its shape.
struct TopicGuide {
    var topic: Topic
    var summary: String
    /// Of a notification's parameters.
    var shape: Shape

    /// Of `examples` only the shape is of interest; what not all of them have is optional.
    init(_ topic: Topic, _ summary: String, _ examples: any Encodable...) {
        self.topic = topic
        self.summary = summary
        let own = examples.map { Shape(of: $0) }
        shape = own.dropFirst().reduce(own.first ?? .object([:])) { $0.merged($1) }.with("number", .scalar("integer"))
    }

    static let all = [
        TopicGuide(.session, "A visitor has come, or gone.", Announcement.Session(.ended, record: Example.sessionRecord)),
        TopicGuide(.scroll, "A card is shown.", Example.scrollRecord),
        TopicGuide(.unlock, "A skin is seen for the first time.", Announcement.Unlock(skin: Example.skin, index: 0, pausedUntil: 0)),
        TopicGuide(.toast, "A word is to be shown for a moment.", Announcement.Toast(rarity: .common, name: "")),
        TopicGuide(.palette, "Ten skins were made of the visitor's behaviour.", Announcement.Palette(seed: 0, skins: [Example.skin])),
        TopicGuide(.intervention, "The machine steps in.",
                   Announcement.Intervention(.high, pChurn: 0, reward: Example.cards.cards[2], taunt: "")),
        TopicGuide(.leaderboard, "A session begins, or the hour has changed.", Example.leaderboard),
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

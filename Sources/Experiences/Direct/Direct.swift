import Experience
import Fields
import Signals
import Units

/// The piece in which the front end sets the tone. What it does in addition to the common answers to touch (`Hands`):
///
/// | event | cues |
/// |---|---|
/// | feed.update | pitch and level of the tone curve, if they have changed |
/// | swipe | `swipe` |
/// | theme | the tone's change, unless `tone` has set pitch or level |
public struct Direct: Experience {
    private var steps: ToneSteps
    /// Whether a front end has set pitch or level of the tone itself. Otherwise they follow from how far the visitor has come.
    private var isSteered = false

    public static let declaration = Declaration(
        name: "direct", rulesVersion: 1, about: "front ends say what to sound", tellsTime: false,
        actions: [
            ActionDeclaration("feed.update", about: "How far the visitor has come.") { fields in
                FeedUpdate(blocksViewed: try fields.integer("blocksViewed", in: 0...1_000_000,
                                                            about: "cards seen since the session's start"))
            },
        ],
        haptics: ["swipe"])

    public init(_ opening: Opening) { steps = ToneSteps(opening.theme.toneCurve, seed: opening.seed) }

    public var opening: [Cue] { [.tonePitch(steps.pitch, glide: .zero), .toneLevel(steps.level)] }

    public mutating func reduce(_ input: Input<FeedUpdate>, at now: Now) -> Effects {
        switch input {
        case .move(let update):
            isSteered = false
            return Effects(cues: steps.cues(movingTo: update.blocksViewed))
        case .swipe: return Effects(cues: [.haptic("swipe")])
        case .theme(let theme):
            let changes = steps.cues(changingTo: theme.toneCurve)
            return Effects(cues: isSteered ? [] : changes)
        case .tone(let request, let usual):
            if request.frequency != nil || request.level != nil { isSteered = true }
            return Effects(cues: usual)
        case .touch(_, let usual), .other(let usual): return Effects(cues: usual)
        case .tap, .tick, .knob, .configuration, .visit: return Effects()
        }
    }
}

/// A report of how far the visitor has come.
public struct FeedUpdate: ActionBody {
    /// The number of cards seen since the session's start, 0…1,000,000.
    public var blocksViewed: Int

    public init(blocksViewed: Int) { self.blocksViewed = blocksViewed }

    public var name: String { "feed.update" }

    public func encode(into container: inout KeyedEncodingContainer<Fields.Key>) throws {
        try container.encode(blocksViewed, forKey: Fields.Key("blocksViewed"))
    }
}

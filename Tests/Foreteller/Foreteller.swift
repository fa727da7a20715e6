import Classifier
import Experience
import Fields
import Signals

/// A piece to throw away: it predicts at each tap, and rings where it thinks that something is more likely than not.
public struct Foreteller: Experience {
    /// The piece has predicted.
    public struct Omen: AnnouncementBody {
        public var topic: String { "omen" }
        public var taps: Int
        public var margin: Double

        public init(taps: Int, margin: Double) {
            self.taps = taps
            self.margin = margin
        }
    }

    /// The values that the piece gives to a classifier: those of ColorScroller's cards, each the number of taps.
    public static let inputs = [
        "velocity", "velocity_trend", "reward_drought", "session_length", "active_scroll_seconds", "engagement_depth", "blocks_viewed",
        "unique_blocks_seen", "unlock_count", "time_of_day_bucket", "rarity_shown",
    ]

    public static let declaration = Declaration(
        name: "foreteller", rulesVersion: 1, about: "foretells at each tap",
        topics: [TopicDeclaration("omen", about: "It has predicted.", examples: [Omen(taps: 1, margin: -1.5)])], chimes: ["ding"],
        prediction: PredictionDeclaration(models: ["rising", "falling"], inputs: inputs),
        telemetry: [TelemetryTable("omens", of: "omen", columns: [
            TelemetryColumn("taps") { (omen: Omen) in .integer(omen.taps) },
            TelemetryColumn("margin") { (omen: Omen) in .number(omen.margin) },
        ], lastRows: TelemetryTable.LastRows(column: "late", count: 2))])

    private let model: PredictionModel?
    private var taps = 0

    public init(_ opening: Opening) { model = opening.model }

    public mutating func reduce(_ input: Input<NoMove>, at now: Now) -> Effects {
        switch input {
        case .tap:
            taps += 1
            let logOdds = Self.logOdds(model, taps: taps)
            var effects = Effects(cues: logOdds > 0 ? [.chime("ding")] : [], announcements: [Announcement(Omen(taps: taps, margin: logOdds))])
            effects.logOdds = logOdds
            return effects
        case .touch(_, let usual), .tone(_, let usual), .other(let usual): return Effects(cues: usual)
        case .swipe, .tick, .knob, .theme, .configuration, .visit, .move: return Effects()
        }
    }

    /// Returns the log-odds that `model` gives after some taps; nil is the standard.
    public static func logOdds(_ model: PredictionModel?, taps: Int) -> Double {
        switch model {
        case .learned(let classifier): classifier.logOdds([Float](repeating: Float(taps), count: classifier.inputs.count).span)
        case .own("falling"): 2.1 - Double(taps)
        case .own, nil: Double(taps) - 2.1
        }
    }
}

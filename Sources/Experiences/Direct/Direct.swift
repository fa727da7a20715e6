import Experience
import Fields
import Signals
import Units

/// The experience in which the front end says what to sound. Beside what is common to all (`Hands`):
///
/// | event | cues |
/// |---|---|
/// | feed.update | pitch and level of the tone curve, where they changed |
/// | feed.swipe | `swipe` |
/// | theme | the same, and what changes of the tone, unless `tone` has set it |
public struct Direct: Experience {
    private var theme: Theme
    private var steps: ToneSteps
    /// A front end has said what pitch or level is to be, instead of how far the visitor has come.
    private var isSteered = false
    private var hands = Hands()

    public init(theme: Theme, seed: UInt64) {
        self.theme = theme
        steps = ToneSteps(theme.toneCurve, seed: seed)
    }

    public var name: ExperienceName { .direct }
    public var fingers: Int { hands.fingerCount }
    public var isHeld: Bool { hands.isHeld }
    public func isHeld(by client: Client) -> Bool { hands.isHeld(by: client) }

    public var opening: [Cue] { [.tonePitch(steps.pitch, glide: .zero), .toneLevel(steps.level)] }

    public func refusal(of event: Event) -> Fault? {
        switch event.kind {
        case .feedScroll, .parameter:
            Fault(field: "method", expected: "no \(event.kind.name), because the experience is \(name.rawValue)",
                  found: event.kind.name)
        default: hands.refusal(of: event, in: theme)
        }
    }

    public mutating func reduce(_ event: Event, at time: Frame) -> [Cue] {
        switch event.kind {
        case .feedUpdate(let update):
            isSteered = false
            return steps.cues(movingTo: update.blocksViewed)
        case .feedSwipe: return [.haptic("swipe")]
        case .theme(let theme): return use(theme)
        case .tone(let request) where request.frequency != nil || request.level != nil:
            isSteered = true
            return hands.reduce(event, in: theme)
        default: return hands.reduce(event, in: theme)
        }
    }

    private mutating func use(_ theme: Theme) -> [Cue] {
        self.theme = theme
        let changes = steps.cues(changingTo: theme.toneCurve)
        return [.theme(theme)] + (isSteered ? [] : changes)
    }

    public func record(at time: Frame) -> SessionRecord? { nil }
}

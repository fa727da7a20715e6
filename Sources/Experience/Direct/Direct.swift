import Signals
import Units

/// The experience in which the front end says what to sound. Beside what is common to all (`Hands`):
///
/// | event | cues |
/// |---|---|
/// | feed.update | pitch and level of the tone curve, where they changed |
/// | feed.swipe | `swipe` |
public struct Direct: Experience {
    private let theme: Theme
    private var steps: ToneSteps
    private var hands = Hands()

    public init(theme: Theme, seed: UInt64) {
        self.theme = theme
        steps = ToneSteps(theme.toneCurve, seed: seed)
    }

    public var name: ExperienceName { .direct }
    public var fingers: Int { hands.fingerCount }
    public var isHeld: Bool { hands.isHeld }
    public func isHeld(by client: Int) -> Bool { hands.isHeld(by: client) }

    public var opening: [Cue] { [.tonePitch(steps.pitch, glide: .zero), .toneLevel(steps.level)] }

    public func refusal(of event: Event) -> Fault? {
        switch event.happening {
        case .feedScroll, .parameter:
            Fault(field: "method", expected: "no \(event.happening.name), because the experience is \(name.rawValue)",
                  found: event.happening.name)
        default: hands.refusal(of: event, in: theme)
        }
    }

    public mutating func reduce(_ event: Event, at time: Frame) -> [Cue] {
        switch event.happening {
        case .feedUpdate(let update): steps.cues(movingTo: update.blocksViewed)
        case .feedSwipe: [.haptic("swipe")]
        default: hands.reduce(event, in: theme)
        }
    }

    public func record(at time: Frame) -> SessionRecord? { nil }
}

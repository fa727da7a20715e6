import Signals

/// What a client may subscribe to.
public enum Topic: String, CaseIterable, Sendable {
    case session, scroll, unlock, toast, palette, intervention, leaderboard
    /// What happened, as the journal has it.
    case event
    /// What the outputs are told.
    case cue
    /// Touchscreens and motors that come and go.
    case device
    /// What is not as it should be.
    case fault

    public init(_ topic: Announcement.Topic) {
        self = switch topic {
        case .session: .session
        case .scroll: .scroll
        case .unlock: .unlock
        case .toast: .toast
        case .palette: .palette
        case .intervention: .intervention
        case .leaderboard: .leaderboard
        }
    }
}

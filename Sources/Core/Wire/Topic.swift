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
    /// Who holds what, and how the tone is.
    case state
    /// How loud it is, so many times a second.
    case meters

    /// What somebody is told who does not say what of: all that is told when it happens.
    public static let usual = Set(allCases).subtracting([.meters])

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

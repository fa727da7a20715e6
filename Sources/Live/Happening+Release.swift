import Signals

extension Happening {
    /// Whether somebody may be waiting for a sound to end.
    var letsGo: Bool {
        switch self {
        case .touch(let touch): touch.phase == .ended
        case .tone(let request): request.on == false
        case .stop, .left: true
        case .feedUpdate, .feedSwipe, .feedScroll, .tap, .chime, .haptic, .pattern, .parameter, .mute, .ceiling, .start, .mark,
             .arrival: false
        }
    }
}

extension EventKind {
    /// Whether somebody may be waiting for a sound to end.
    public var releases: Bool {
        switch self {
        case .touch(let touch): touch.phase == .ended
        case .tone(let request): request.on == false
        case .mute(let on): on
        case .stop, .left: true
        case .tap, .swipe, .action, .chime, .haptic, .pattern, .knob, .ceiling, .volume, .theme, .start, .mark, .arrival,
             .tick, .visit: false
        }
    }
}

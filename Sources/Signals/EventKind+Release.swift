extension EventKind {
    /// Whether it releases something: a sound may end by it.
    public var releases: Bool {
        switch self {
        case .touch(let touch): touch.phase == .ended
        case .tone(let request): request.on == false
        case .texture(_, let on): !on
        case .mute(let on): on
        case .stop, .left: true
        case .tap, .swipe, .action, .chime, .haptic, .pattern, .knob, .ceiling, .volume, .theme, .start, .mark, .arrival,
             .configuration, .tick, .visit, .touchOwner: false
        }
    }
}

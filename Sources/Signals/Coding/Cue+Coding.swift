import Fields

/// For whoever watches; nobody reads cues back.
extension Cue: Encodable {
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Fields.Key.self)
        func put(_ name: CueName) throws { try container.encode(name, forKey: .init("cue")) }
        switch self {
        case .toneGate(let open):
            try put(.toneGate)
            try container.encode(open, forKey: .init("open"))
        case .tonePitch(let frequency, let glide):
            try put(.tonePitch)
            try container.encode(frequency.rawValue, forKey: .init("frequency"))
            try container.encode(glide.rawValue, forKey: .init("glide"))
        case .toneLevel(let level):
            try put(.toneLevel)
            try container.encode(level.rawValue, forKey: .init("level"))
        case .chime(let name):
            try put(.chime)
            try container.encode(name, forKey: .init("name"))
        case .texture(let name, let on):
            try put(.texture)
            try container.encode(name, forKey: .init("name"))
            try container.encode(on, forKey: .init("on"))
        case .haptic(let name):
            try put(.haptic)
            try container.encode(name, forKey: .init("name"))
        case .pattern(let pattern):
            try put(.haptic)
            try container.encode(pattern, forKey: .init("pattern"))
        case .mute(let on):
            try put(.mute)
            try container.encode(on, forKey: .init("on"))
        case .ceiling(let level):
            try put(.ceiling)
            try container.encode(level.rawValue, forKey: .init("level"))
        case .volume(let level, let fade):
            try put(.volume)
            try container.encode(level.rawValue, forKey: .init("level"))
            try container.encode(fade.rawValue, forKey: .init("fade"))
        case .theme(let theme):
            try put(.theme)
            try container.encode(theme.name, forKey: .init("name"))
        case .stop:
            try put(.stop)
        }
    }
}

/// What cues are called. A pattern of a theme and one of its own are both `haptic`.
private enum CueName: String, CaseIterable, Encodable {
    case toneGate = "tone.gate"
    case tonePitch = "tone.pitch"
    case toneLevel = "tone.level"
    case chime, texture, haptic, mute, ceiling, volume, theme, stop
}

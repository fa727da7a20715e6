import Units

/// What a motor or transducer should do, in Core Haptics' terms, before any device is known.
public struct HapticPattern: Equatable, Sendable {
    public var events: [HapticEvent]

    public init(events: [HapticEvent]) { self.events = events }
}

/// A tap, or a buzz that lasts.
public struct HapticEvent: Equatable, Sendable {
    public enum Kind: Equatable, Sendable {
        case transient
        case continuous(duration: Seconds)
    }

    /// From the pattern's start.
    public var time: Seconds
    public var kind: Kind
    /// How strong, 0…1.
    public var intensity: Double
    /// From round (0) to crisp (1).
    public var sharpness: Double

    public init(time: Seconds, kind: Kind, intensity: Double, sharpness: Double) {
        self.time = time
        self.kind = kind
        self.intensity = intensity
        self.sharpness = sharpness
    }
}

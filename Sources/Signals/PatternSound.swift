import Units

/// Something heard with a haptic pattern.
public struct PatternSound: Equatable, Sendable {
    public enum Source: Equatable, Sendable {
        /// A tone that lasts.
        case tone(duration: Seconds)
        /// A sound file, whole.
        case file(String)
    }

    /// From the pattern's start.
    public var time: Seconds
    public var source: Source
    /// 0…1.
    public var volume: Double
    /// −1…1, of a tone: octaves up or down.
    public var pitch: Double
    /// 0…1, of a tone: from a bare sine to one with harmonics.
    public var brightness: Double
    /// Of a tone.
    public var envelope: HapticEnvelope

    public init(time: Seconds, source: Source, volume: Double = 1, pitch: Double = 0, brightness: Double = 1,
                envelope: HapticEnvelope = HapticEnvelope()) {
        self.time = time
        self.source = source
        self.volume = volume
        self.pitch = pitch
        self.brightness = brightness
        self.envelope = envelope
    }
}

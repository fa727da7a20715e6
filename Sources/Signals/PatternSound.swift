import Fields
import Units

/// A sound that is played together with a haptic pattern.
public struct PatternSound: Equatable, Sendable {
    public enum Source: Equatable, Sendable {
        /// A tone of this duration.
        case tone(duration: Seconds)
        /// A whole sound file, by its path.
        case file(String)
    }

    /// The time from the start of the pattern to the start of the sound.
    public var time: Seconds
    public var source: Source
    /// The volume, linear, 0…1.
    public var volume: Double
    /// The shift of a tone's pitch in octaves, −1…1.
    public var pitch: Double
    /// The brightness of a tone, 0…1, from a bare sine to one with harmonics.
    public var brightness: Double
    /// The envelope of a tone.
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

/// A sound with a `file` in its JSON is that sound file, and one with a `duration` is a tone.
extension PatternSound: Codable {
    public init(from decoder: any Decoder) throws {
        let fields = try Fields(decoder)
        try fields.refuseAll(but: ["time", "file", "duration", "volume", "pitch", "brightness"] + HapticEnvelope.fields)
        let source: Source
        if let file = try fields.textIfPresent("file", limit: 4_096) {
            guard !fields.contains("duration") else { throw fields.fault("duration", "either file or duration", found: "both") }
            source = .file(file)
        } else {
            source = .tone(duration: Seconds(try fields.number("duration", in: 0...30, unit: "seconds")))
        }
        self.init(time: Seconds(try fields.number("time", in: 0...60, unit: "seconds")), source: source,
                  volume: try fields.numberIfPresent("volume", in: 0...1) ?? 1,
                  pitch: try fields.numberIfPresent("pitch", in: -1...1) ?? 0,
                  brightness: try fields.numberIfPresent("brightness", in: 0...1) ?? 1,
                  envelope: try HapticEnvelope(fields))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Fields.Key.self)
        try container.encode(time.rawValue, forKey: .init("time"))
        switch source {
        case .tone(let duration): try container.encode(duration.rawValue, forKey: .init("duration"))
        case .file(let file): try container.encode(file, forKey: .init("file"))
        }
        try container.encode(volume, forKey: .init("volume"))
        try container.encode(pitch, forKey: .init("pitch"))
        try container.encode(brightness, forKey: .init("brightness"))
        try envelope.encode(into: &container)
    }
}

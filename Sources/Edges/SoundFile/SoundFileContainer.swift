/// How samples are kept in a file.
public enum SampleFormat: String, CaseIterable, Sendable {
    case pcm16 = "16"
    case pcm24 = "24"
    case float32 = "float"

    var bytes: Int {
        switch self {
        case .pcm16: 2
        case .pcm24: 3
        case .float32: 4
        }
    }
}

/// A kind of sound file, by the end of its name.
public enum SoundFileContainer: String, CaseIterable, Sendable {
    case wav
    case flac
    /// Vorbis in Ogg: smaller, and not the same samples.
    case ogg
    /// Opus in Ogg: as `ogg`.
    case opus

    /// How it can keep samples. Empty where it keeps none of them, but what they sound like.
    public var formats: [SampleFormat] {
        switch self {
        case .wav: SampleFormat.allCases
        case .flac: [.pcm16, .pcm24]
        case .ogg, .opus: []
        }
    }

    /// With what files of these kinds begin: RIFF and RF64 a WAV, Ogg has two of them.
    public static let beginnings: Set<String> = ["RIFF", "RF64", "fLaC", "OggS"]

    /// The rates it has, in Hz; nil where it has all. Opus: RFC 6716, section 2.1.3.
    var rates: [Int]? { self == .opus ? [8_000, 12_000, 16_000, 24_000, 48_000] : nil }
}

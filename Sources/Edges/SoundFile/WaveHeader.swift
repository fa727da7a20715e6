import Units

/// What the beginning of a WAV says of its samples: a RIFF, or an RF64 (EBU Tech 3306).
public struct WaveHeader: Equatable, Sendable {
    /// How much of a file's beginning is read for it, in bytes.
    public static let longest = 1 << 16

    public var format: SampleFormat
    public var channels: Int
    public var rate: SampleRate
    /// Where the samples begin, in bytes from the file's beginning, and how many bytes they have.
    public var start: Int64
    public var bytes: Int64

    public var bytesPerFrame: Int { channels * format.bytes }

    /// Nil for what is no WAV with samples as `thrum render` writes them.
    public init?(_ beginning: [UInt8]) {
        func number(_ place: Int, _ count: Int) -> Int64? {
            guard place + count <= beginning.count else { return nil }
            return beginning[place..<place + count].reversed().reduce(0) { $0 << 8 | Int64($1) }
        }
        func word(_ place: Int) -> String? {
            place + 4 <= beginning.count ? String(decoding: beginning[place..<place + 4], as: UTF8.self) : nil
        }
        guard ["RIFF", "RF64"].contains(word(0)), word(8) == "WAVE" else { return nil }
        var found: (format: SampleFormat, channels: Int, rate: SampleRate)?
        var longBytes: Int64?
        var place = 12
        while let name = word(place), let size = number(place + 4, 4) {
            let body = place + 8
            switch name {
            case "ds64": longBytes = number(body + 8, 8)
            case "fmt ":
                guard var tag = number(body, 2), let channels = number(body + 2, 2), let rate = number(body + 4, 4),
                      let bits = number(body + 14, 2) else { return nil }
                // Extensible: the kind is the beginning of its last sixteen bytes.
                if tag == 0xFFFE, let kind = number(body + 24, 2) { tag = kind }
                guard let format = Self.format(tag, bits), let rate = SampleRate(Int(rate)), channels > 0 else { return nil }
                found = (format, Int(channels), rate)
            case "data":
                guard let found else { return nil }
                (format, channels, rate) = found
                start = Int64(body)
                bytes = size == 0xFFFF_FFFF ? longBytes ?? size : size
                return
            default: break
            }
            // Each chunk has an even length.
            place = body + Int(size) + Int(size & 1)
        }
        return nil
    }

    private static func format(_ tag: Int64, _ bits: Int64) -> SampleFormat? {
        switch (tag, bits) {
        case (1, 16): .pcm16
        case (1, 24): .pcm24
        case (3, 32): .float32
        default: nil
        }
    }
}

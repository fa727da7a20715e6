import Units

/// The bytes that precede a WAV's samples, for writing (RIFF and its chunks: Microsoft & IBM 1991, "New Multimedia Data Types" 1994; RF64:
/// EBU Tech 3306).
///
/// Nothing in it depends on when or where it is written. The length is known before, so there is no room kept for a later `ds64`, nor any
/// other padding.
struct WAVHeader {
    let bytes: [UInt8]
    /// The byte that makes the samples' chunk even, if it needs one; it does not count as theirs.
    let padding: [UInt8]

    init(_ layout: SoundFileLayout) {
        let isRF64 = layout.isRF64
        let isFloat = layout.format == .float32
        let padding = [UInt8](repeating: 0, count: Int(layout.dataBytes % 2))
        var format = Self.formatChunk(layout)
        // Samples that are no whole numbers need `fact`: how many each channel has. RF64 has that in `ds64`.
        if isFloat { format += Self.chunk("fact", Self.bytes(isRF64 ? UInt32.max : UInt32(truncatingIfNeeded: layout.frames))) }
        // What follows the file's own size: its form, `ds64` of 36 bytes, and the data's name and size.
        let size = 4 + (isRF64 ? 36 : 0) + Int64(format.count) + 8 + layout.dataBytes + Int64(padding.count)
        let long = Self.chunk("ds64", Self.bytes(size) + Self.bytes(layout.dataBytes) + Self.bytes(layout.frames) + Self.bytes(UInt32(0)))
        let (shortSize, shortData) = isRF64 ? (UInt32.max, UInt32.max)
            : (UInt32(truncatingIfNeeded: size), UInt32(truncatingIfNeeded: layout.dataBytes))
        bytes = Array((isRF64 ? "RF64" : "RIFF").utf8) + Self.bytes(shortSize) + Array("WAVE".utf8) + (isRF64 ? long : []) + format
            + Array("data".utf8) + Self.bytes(shortData)
        self.padding = padding
    }

    /// The format chunk; for floating point with the size of an extension, which is empty.
    private static func formatChunk(_ layout: SoundFileLayout) -> [UInt8] {
        let isFloat = layout.format == .float32
        let frame = layout.channels.count * layout.format.bytes
        let rate = UInt32(layout.rate.hertz)
        // WAVE_FORMAT_IEEE_FLOAT is 3, WAVE_FORMAT_PCM 1.
        return chunk("fmt ", bytes(UInt16(isFloat ? 3 : 1)) + bytes(UInt16(layout.channels.count)) + bytes(rate)
            + bytes(rate * UInt32(frame)) + bytes(UInt16(frame)) + bytes(UInt16(8 * layout.format.bytes))
            + (isFloat ? bytes(UInt16(0)) : []))
    }

    private static func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] { Array(name.utf8) + bytes(UInt32(body.count)) + body }

    private static func bytes(_ number: some FixedWidthInteger) -> [UInt8] { withUnsafeBytes(of: number.littleEndian) { Array($0) } }
}

/// The facts that the beginning of a WAV says of its samples, for reading: a RIFF, or an RF64 (EBU Tech 3306).
public struct ReadWAVHeader: Equatable, Sendable {
    /// The bytes of a file's beginning that are read for it.
    public static let longest = 1 << 16

    public var format: SampleFormat
    public var channels: Int
    public var rate: SampleRate
    /// The start of the samples, in bytes from the file's beginning; `bytes` is their length.
    public var start: Int64
    public var bytes: Int64

    public var bytesPerFrame: Int { channels * format.bytes }

    /// Reads the beginning of a file; nil for what is no WAV with samples as `thrum render` writes them.
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

import Units

/// The bytes before the samples of a WAV that is written (RIFF and its chunks: Microsoft & IBM 1991, "New Multimedia Data Types" 1994;
/// RF64: EBU Tech 3306).
///
/// The header does not depend on when or where it is written. The file's length is known in advance, so no room is reserved for a later
/// `ds64`, nor is there other padding.
struct WAVHeader {
    let bytes: [UInt8]
    /// The byte after the samples, if one is needed to make the length of their chunk even; else empty. The chunk's size does not include
    /// it.
    let padding: [UInt8]

    init(_ layout: SoundFileLayout) {
        let isRF64 = layout.isRF64
        let isFloat = layout.format == .float32
        let padding = [UInt8](repeating: 0, count: Int(layout.dataBytes % 2))
        var format = Self.formatChunk(layout)
        // Floating-point samples need the chunk `fact`, with the number of frames. An RF64 has that number in `ds64`.
        if isFloat { format += Self.chunk("fact", Self.bytes(isRF64 ? UInt32.max : UInt32(truncatingIfNeeded: layout.frames))) }
        // The size of what follows the size field: the form type, `ds64` of 36 bytes, the format, and the name, size and bytes of `data`.
        let size = 4 + (isRF64 ? 36 : 0) + Int64(format.count) + 8 + layout.dataBytes + Int64(padding.count)
        let long = Self.chunk("ds64", Self.bytes(size) + Self.bytes(layout.dataBytes) + Self.bytes(layout.frames) + Self.bytes(UInt32(0)))
        let (shortSize, shortData) = isRF64 ? (UInt32.max, UInt32.max)
            : (UInt32(truncatingIfNeeded: size), UInt32(truncatingIfNeeded: layout.dataBytes))
        bytes = Array((isRF64 ? "RF64" : "RIFF").utf8) + Self.bytes(shortSize) + Array("WAVE".utf8) + (isRF64 ? long : []) + format
            + Array("data".utf8) + Self.bytes(shortData)
        self.padding = padding
    }

    /// Returns the format chunk. For floating point it ends with the size of an extension, which is empty.
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

extension SoundFileLayout {
    /// The bytes of a WAV before its first sample.
    public var wavHeader: [UInt8] { WAVHeader(self).bytes }

    /// The bytes of a WAV after its last sample: none, or the one that makes the chunk's length even.
    public var wavPadding: [UInt8] { WAVHeader(self).padding }
}

/// The header of a WAV file that is read, a RIFF or an RF64 (EBU Tech 3306), as far as it describes the samples.
public struct ReadWAVHeader: Equatable, Sendable {
    /// The number of bytes at the beginning of a file that are read.
    public static let longest = 1 << 16

    public var format: SampleFormat
    public var channels: Int
    public var rate: SampleRate
    /// The offset of the samples from the file's beginning, in bytes; `bytes` is the length of all samples.
    public var start: Int64
    public var bytes: Int64

    public var bytesPerFrame: Int { channels * format.bytes }

    /// Reads the beginning of a file; nil if it is no WAV with samples in a format that `thrum render` writes.
    public init?(_ beginning: [UInt8]) {
        func number(_ offset: Int, _ count: Int) -> Int64? {
            guard offset + count <= beginning.count else { return nil }
            return beginning[offset..<offset + count].reversed().reduce(0) { $0 << 8 | Int64($1) }
        }
        func word(_ offset: Int) -> String? {
            offset + 4 <= beginning.count ? String(decoding: beginning[offset..<offset + 4], as: UTF8.self) : nil
        }
        guard ["RIFF", "RF64"].contains(word(0)), word(8) == "WAVE" else { return nil }
        var found: (format: SampleFormat, channels: Int, rate: SampleRate)?
        var longBytes: Int64?
        var offset = 12
        while let name = word(offset), let size = number(offset + 4, 4) {
            let body = offset + 8
            switch name {
            case "ds64": longBytes = number(body + 8, 8)
            case "fmt ":
                guard var tag = number(body, 2), let channels = number(body + 2, 2), let rate = number(body + 4, 4),
                      let bits = number(body + 14, 2) else { return nil }
                // In the extensible format, the format code is at the start of the last sixteen bytes.
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
            // Chunks are padded to an even length.
            offset = body + Int(size) + Int(size & 1)
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

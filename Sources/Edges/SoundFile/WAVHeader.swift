import Units

/// All that comes before a WAV's samples (RIFF and its chunks: Microsoft & IBM 1991, "New Multimedia Data Types" 1994; RF64: EBU Tech
/// 3306).
///
/// Nothing in it depends on when or where it is written. The length is known before, so there is no room kept for a later `ds64`, nor any
/// other padding.
struct WAVHeader {
    let bytes: [UInt8]
    /// A chunk has an even number of bytes; what is added to the samples' does not count as theirs.
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

    /// Of floating point with the size of an extension, which is empty.
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

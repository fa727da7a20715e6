import Units

enum Waveform {
    /// The sine of a phase in turns.
    static func sine(_ turns: Double) -> Float {
        Units.sine(SIMD8(repeating: UInt32(truncatingIfNeeded: Int64(turns * 0x1p32))))[0]
    }
}

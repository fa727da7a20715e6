/// The picture that a screen likes best, as it says in its EDID (VESA E-EDID Standard, release A, revision 2).
struct PanelTiming: Equatable {
    /// Pixels.
    var width: Int
    var height: Int
    /// Pictures a second, in Hz.
    var rate: Double
    /// The most pictures a second that the screen says it takes, in Hz; nil where it does not say.
    var highest: Int?

    init(width: Int, height: Int, rate: Double, highest: Int? = nil) {
        self.width = width
        self.height = height
        self.rate = rate
        self.highest = highest
    }

    private static let blockSize = 128
    /// The four descriptors of 18 bytes each, of which the first is the timing that is liked best.
    private static let descriptors = stride(from: 54, through: 108, by: 18)

    /// Reads an EDID. Nil where it is none, is damaged, or begins with no timing of whole pictures.
    init?(edid: [UInt8]) {
        guard edid.count >= Self.blockSize, Array(edid[..<8]) == [0, 255, 255, 255, 255, 255, 255, 0],
              edid[..<Self.blockSize].reduce(0, &+) == 0 else { return nil }
        func number(_ low: Int, _ high: Int, shifted shift: Int) -> Int { Int(edid[54 + low]) | (Int(edid[54 + high]) >> shift & 15) << 8 }
        // In units of 10 kHz.
        let clock = Int(edid[54]) | Int(edid[55]) << 8
        let isInterlaced = edid[54 + 17] & 0x80 != 0
        width = number(2, 4, shifted: 4)
        height = number(5, 7, shifted: 4)
        let whole = (width + number(3, 4, shifted: 0)) * (height + number(6, 7, shifted: 0))
        guard clock > 0, width > 0, height > 0, !isInterlaced else { return nil }
        rate = Double(clock) * 10_000 / Double(whole)
        let limits = Self.descriptors.first { edid[$0] == 0 && edid[$0 + 1] == 0 && edid[$0 + 3] == 0xFD }
        // Above 255 Hz a bit says to add 255.
        highest = limits.map { Int(edid[$0 + 6]) + (edid[$0 + 4] & 2 != 0 ? 255 : 0) }
    }

    /// The rate below which people see steps in what follows a finger, in Hz.
    private static let smooth = 50.0

    /// Says how often the screen called `name` shows a new picture; `timing` is nil where its EDID does not say.
    static func judge(_ name: String, _ timing: PanelTiming?) -> Diagnosis {
        guard let timing else {
            return .ok(.screens, "screen \(name) does not say how many pictures a second it likes best")
        }
        let words = "screen \(name) likes \(timing.width) × \(timing.height) at \(timing.rate.fixed(1)) Hz best: a new picture each "
            + "\((1_000 / timing.rate).fixed(1)) ms"
        guard timing.rate < smooth else { return .ok(.screens, words) }
        let more = timing.highest.map { Double($0) >= smooth ? "it says that it takes up to \($0) Hz: " : "" } ?? ""
        return .warning(.screens, words + ", so that what follows a finger is seen to lag",
                        advice: more + "use a port and a cable for more pictures a second (HDMI 2.0 or DisplayPort for 3840 × 2160), or a "
                            + "smaller picture")
    }
}

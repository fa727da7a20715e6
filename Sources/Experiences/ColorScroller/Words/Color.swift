/// A colour in sRGB (IEC 61966-2-1), 8 bits a channel.
public struct Color: Hashable, Sendable {
    public var red: UInt8
    public var green: UInt8
    public var blue: UInt8

    public init(red: UInt8, green: UInt8, blue: UInt8) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// As in 0xDC143C.
    public init(_ hex: UInt32) {
        self.init(red: UInt8(hex >> 16 & 0xFF), green: UInt8(hex >> 8 & 0xFF), blue: UInt8(hex & 0xFF))
    }

    /// The same on every channel.
    public init(gray: UInt8) { self.init(red: gray, green: gray, blue: gray) }

    /// `#dc143c`
    public var hex: String {
        let digits = String(UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue), radix: 16)
        return "#" + String(repeating: "0", count: 6 - digits.count) + digits
    }
}

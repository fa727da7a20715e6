import Signals

/// A colour by hue, saturation and brightness (A. R. Smith, "Color gamut transform pairs", SIGGRAPH 1978, there called HSV).
struct HSB: Equatable, Sendable {
    /// Degrees, 0 up to, and without, 360.
    let hue: Double
    /// 0…1.
    let saturation: Double
    let brightness: Double

    /// A hue of less than one turn out of the circle is brought back, the others are held to 0…1.
    init(hue: Double, saturation: Double, brightness: Double) {
        self.hue = hue < 0 ? hue + 360 : hue >= 360 ? hue - 360 : hue
        self.saturation = min(1, max(0, saturation))
        self.brightness = min(1, max(0, brightness))
    }

    /// To the nearest 8-bit values.
    var color: Color {
        let sector = min(5, Int(hue / 60))
        let part = hue / 60 - Double(sector)
        let p = brightness * (1 - saturation)
        let q = brightness * (1 - saturation * part)
        let t = brightness * (1 - saturation * (1 - part))
        let (red, green, blue) = switch sector {
        case 0: (brightness, t, p)
        case 1: (q, brightness, p)
        case 2: (p, brightness, t)
        case 3: (p, q, brightness)
        case 4: (t, p, brightness)
        default: (brightness, p, q)
        }
        func byte(_ value: Double) -> UInt8 { UInt8(value * 255 + 0.5) }
        return Color(red: byte(red), green: byte(green), blue: byte(blue))
    }
}

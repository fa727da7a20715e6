extension Double {
    /// With `digits` after the point, rounded to the nearest; halves go away from 0.
    public func fixed(_ digits: Int) -> String {
        let scale = (0..<digits).reduce(1.0) { power, _ in power * 10 }
        let whole = Int64((magnitude * scale).rounded())
        let unit = Int64(scale)
        let sign = self < 0 && whole > 0 ? "-" : ""
        guard digits > 0 else { return "\(sign)\(whole)" }
        let fraction = String(whole % unit)
        return "\(sign)\(whole / unit)." + String(repeating: "0", count: digits - fraction.count) + fraction
    }
}

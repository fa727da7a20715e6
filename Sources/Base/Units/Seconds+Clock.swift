extension Seconds {
    /// As people tell moments and lengths: `0:09`, `1:30.250`, and from an hour on `1:02:03`. Rounded to `digits` after the point, 0...3;
    /// less than nothing is nothing.
    public func clock(_ digits: Int = 0) -> String {
        let unit = [1, 10, 100, 1_000][min(max(0, digits), 3)]
        // Beyond 2⁵³ a double has no fractions.
        let whole = Int(min(max(0, rawValue * Double(unit)), 9e15).rounded())
        let seconds = whole / unit
        func padded(_ number: Int, _ width: Int) -> String {
            let text = String(number)
            return String(repeating: "0", count: max(0, width - text.count)) + text
        }
        let fraction = digits > 0 ? "." + padded(whole % unit, digits) : ""
        let minutes = seconds / 60
        let start = minutes < 60 ? "\(minutes)" : "\(minutes / 60):" + padded(minutes % 60, 2)
        return start + ":" + padded(seconds % 60, 2) + fraction
    }
}

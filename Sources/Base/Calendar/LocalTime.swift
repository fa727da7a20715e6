/// What a clock on the wall says, 00:00 to 24:00.
public struct LocalTime: Comparable, Hashable, Sendable {
    /// Since midnight, 0…1440.
    public let minutes: Int

    /// Hours and minutes, as in `09:30`. Nil for anything else.
    public init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, (1...2).contains(parts[0].utf8.count), parts[1].utf8.count == 2,
              parts.allSatisfy({ $0.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } }),
              let hours = Int(parts[0]), let rest = Int(parts[1]), rest < 60, hours * 60 + rest <= 1440 else { return nil }
        minutes = hours * 60 + rest
    }

    public static func < (a: LocalTime, b: LocalTime) -> Bool { a.minutes < b.minutes }

    /// 24:00, at which nothing begins.
    public var isEndOfDay: Bool { minutes == 1440 }
}

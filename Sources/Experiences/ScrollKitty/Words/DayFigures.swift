import Calendar
import Signals

/// A day, as front ends are told of it.
public struct DayFigures: Encodable, Equatable, Sendable {
    public struct Point: Encodable, Equatable, Sendable {
        /// `HH:MM`.
        public var time: String
        public var hp: Double
        public var condition: Condition

        init(second: Int, parts: Int) {
            time = clockFace(second)
            hp = Health.points(parts)
            condition = Condition(parts)
        }
    }

    /// Counted by the piece's clock.
    public var day: Int
    /// Where the piece's days are real ones.
    public var date: String?
    /// The health at the day's end.
    public var hp: Double
    public var condition: Condition
    public var bypasses: Int
    public var useMinutes: Double
    public var goalMinutes: Int?
    /// The minutes beyond the goal; less than 0 below it.
    public var overMinutes: Double?
    /// `HH:MM`, as all times of day.
    public var firstUse: String?
    public var lastUse: String?
    public var terminalAt: String?
    /// Health after each loss.
    public var points: [Point]

    init(_ record: DayRecord, _ time: PieceTime) {
        day = record.day
        date = time.date(of: record.day)
        hp = Health.points(record.parts)
        condition = Condition(record.parts)
        bypasses = record.bypasses
        useMinutes = (Double(record.use) / 6).rounded() / 10
        goalMinutes = record.goal
        overMinutes = record.goal.map { (Double(record.use - $0 * 60) / 6).rounded() / 10 }
        firstUse = record.firstUse.map(clockFace)
        lastUse = record.lastUse.map(clockFace)
        terminalAt = record.terminalAt.map(clockFace)
        points = record.points.map { Point(second: $0[0], parts: $0[1]) }
    }
}

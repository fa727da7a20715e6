import Signals

/// Gathers statistics of a piece's sessions from their announcements. A piece can declare one such type: `thrum telemetry show` and `thrum
/// simulate` print and draw its report.
public protocol Statistics: Sendable {
    init()
    /// Adds an announcement. Announcements come in the order in which they were made.
    mutating func add(_ announcement: Announcement)
    /// The report on all that was added so far.
    var report: StatisticsReport { get }
}

/// Gathers statistics of many sessions of simulated visitors: `thrum simulate --visits` prints and draws its report.
public protocol Survey: Sendable {
    init()
    /// Begins the next session, in which the simulated visitor `visitor` plays. All announcements from here on belong to it.
    mutating func begin(_ visitor: String)
    /// Adds an announcement. Announcements come in the order in which they were made.
    mutating func add(_ announcement: Announcement)
    /// The report on all that was added so far.
    var report: StatisticsReport { get }
}

/// Statistics for people to read: lines, tables and charts. A part that is empty is not shown.
public struct StatisticsReport: Sendable {
    /// A line of text with a title in front.
    public struct Line: Sendable {
        public var title: String
        public var text: String

        public init(_ title: String, _ text: String) {
            self.title = title
            self.text = text
        }
    }

    /// A table of texts. Each row has a title before its cells, and may have fewer cells than there are columns.
    public struct Table: Sendable {
        public var columns: [String]
        public var rows: [(title: String, cells: [String])]

        public init(columns: [String], rows: [(title: String, cells: [String])]) {
            self.columns = columns
            self.rows = rows
        }
    }

    /// The values that a quantity took, shown as a row of numbers and as a histogram.
    public struct Quantity: Sendable {
        public var title: String
        public var distribution: Distribution
        /// The number of digits after the point.
        public var digits: Int
        /// The text above the histogram.
        public var caption: String
        /// The upper end of the histogram, which begins at 0. Higher values count in the last bar.
        public var limit: Double
        /// Values that are marked in the histogram.
        public var marks: [Double]

        public init(_ title: String, _ distribution: Distribution, digits: Int, caption: String? = nil, limit: Double,
                    marks: [Double] = []) {
            self.title = title
            self.distribution = distribution
            self.digits = digits
            self.caption = caption ?? title
            self.limit = limit
            self.marks = marks
        }
    }

    /// Counts that grow one by one, drawn as steps. The horizontal axis goes from 0 to `end`.
    public struct Growth: Sendable {
        public var caption: String
        /// The name of each count, and the horizontal positions at which it grows by one, 0…`end`, in ascending order.
        public var counts: [(name: String, steps: [Int])]
        public var end: Int
        /// The titles of the axes: `x` names the quantity over which the counts grow, and `y` names the counts.
        public var x: String
        public var y: String

        public init(caption: String, x: String, y: String, counts: [(name: String, steps: [Int])], end: Int) {
            self.caption = caption
            self.x = x
            self.y = y
            self.counts = counts
            self.end = end
        }
    }

    /// Named points, joined by a line in their order.
    public struct Curve: Sendable {
        public var caption: String
        /// The titles of the axes, with units.
        public var x: String
        public var y: String
        /// The points. No coordinate is below 0.
        public var points: [(x: Double, y: Double, name: String)]

        public init(caption: String, x: String, y: String, points: [(x: Double, y: Double, name: String)]) {
            self.caption = caption
            self.x = x
            self.y = y
            self.points = points
        }
    }

    public var lines: [Line]
    public var tables: [Table]
    public var quantities: [Quantity]
    public var growths: [Growth]
    public var curves: [Curve]

    public init(lines: [Line] = [], tables: [Table] = [], quantities: [Quantity] = [], growths: [Growth] = [], curves: [Curve] = []) {
        self.lines = lines
        self.tables = tables
        self.quantities = quantities
        self.growths = growths
        self.curves = curves
    }
}

/// Declares a row of marked moments in the picture of a session: which of the piece's announcements are marked there.
public struct HighlightDeclaration: Sendable {
    /// The row's title, for instance `rare unlocks`.
    public let title: String
    private let read: @Sendable (any AnnouncementBody) -> String?

    /// Declares a row. `label` describes the moment of an announcement in a few words; it returns nil for an announcement that is not in
    /// this row. A moment with an empty label gets its number in the row instead, counted from 1.
    public init<Body: AnnouncementBody>(_ title: String, _ label: @escaping @Sendable (Body) -> String?) {
        self.title = title
        read = { body in (body as? Body).flatMap(label) }
    }

    public func label(of announcement: Announcement) -> String? { read(announcement.body) }
}

extension Double {
    /// Writes the number with `digits` digits after the point. It is rounded to the nearest, and halves away from 0.
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

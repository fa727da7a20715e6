import Signals

/// Gathers what sessions of a piece were like. A piece that has something to say of its sessions declares a type of its own:
/// `thrum telemetry show` and `thrum simulate` print its report, and draw it.
public protocol Statistics: Sendable {
    init()
    /// Adds an announcement. They come in the order in which they were made.
    mutating func add(_ announcement: Announcement)
    /// What has been gathered so far.
    var report: StatisticsReport { get }
}

/// Gathers what many sessions of made-up visitors were like: `thrum simulate --visits` prints its report, and draws it.
public protocol Survey: Sendable {
    init()
    /// Begins another session, with a visitor of this name. What is added from here on is of that session.
    mutating func begin(_ visitor: String)
    /// Adds an announcement. They come in the order in which they were made.
    mutating func add(_ announcement: Announcement)
    /// What has been gathered so far.
    var report: StatisticsReport { get }
}

/// Statistics as people read them: lines, tables and charts. A part that is empty is left out.
public struct StatisticsReport: Sendable {
    /// A line of text with a title beside it.
    public struct Line: Sendable {
        public var title: String
        public var text: String

        public init(_ title: String, _ text: String) {
            self.title = title
            self.text = text
        }
    }

    /// Words in rows and columns. Each row has a title before its cells, which may be fewer than the columns.
    public struct Table: Sendable {
        public var columns: [String]
        public var rows: [(title: String, cells: [String])]

        public init(columns: [String], rows: [(title: String, cells: [String])]) {
            self.columns = columns
            self.rows = rows
        }
    }

    /// The values that a quantity took, shown as a row of figures and as a histogram.
    public struct Quantity: Sendable {
        public var title: String
        public var distribution: Distribution
        /// The number of digits after the point.
        public var digits: Int
        /// The text above the histogram.
        public var caption: String
        /// The end of the histogram, which begins at 0. Values beyond it count in the last bar.
        public var limit: Double
        /// Values that the histogram marks.
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

    /// Counts that grow one by one, drawn as steps.
    public struct Growth: Sendable {
        public var caption: String
        /// The name of each count, and where it grew: 0…`end`, in rising order.
        public var counts: [(name: String, steps: [Int])]
        public var end: Int
        /// The titles of the axes: what the counts grew over, and what grew.
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

    /// Points with names, joined in their order.
    public struct Curve: Sendable {
        public var caption: String
        /// The titles of the axes, with units.
        public var x: String
        public var y: String
        /// The points, none of them below 0.
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

/// Declares a row of moments in the picture of a session: which announcements of the piece stand in it.
public struct HighlightDeclaration: Sendable {
    /// The title, for instance `rare unlocks`.
    public let title: String
    private let read: @Sendable (any AnnouncementBody) -> String?

    /// Declares a row. `label` returns what a moment is, in a few words; nil for an announcement that is not in this row. A moment whose
    /// words are empty is called by its place in the row, counted from 1.
    public init<Body: AnnouncementBody>(_ title: String, _ label: @escaping @Sendable (Body) -> String?) {
        self.title = title
        read = { body in (body as? Body).flatMap(label) }
    }

    public func label(of announcement: Announcement) -> String? { read(announcement.body) }
}

extension Double {
    /// Writes the number with `digits` after the point, rounded to the nearest; halves go away from 0.
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

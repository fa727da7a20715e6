import Signals

/// Gathers what sessions of a piece were like. A piece that has something to say of its sessions declares a type of its own:
/// `thrum telemetry show` and `thrum simulate` print its report, and draw it.
public protocol Statistics: Sendable {
    init()
    /// Announcements come in the order in which they were made.
    mutating func add(_ announcement: Announcement)
    /// What has been gathered so far.
    var report: StatisticsReport { get }
}

/// Gathers what many sessions of made-up visitors were like: `thrum simulate --visits` prints its report, and draws it.
public protocol Survey: Sendable {
    init()
    /// What is added from here on is of another session, with a visitor of this name.
    mutating func begin(_ visitor: String)
    /// Announcements come in the order in which they were made.
    mutating func add(_ announcement: Announcement)
    /// What has been gathered so far.
    var report: StatisticsReport { get }
}

/// Statistics as people read them: lines, tables and charts. A part that is empty is left out.
public struct StatisticsReport: Sendable {
    /// A title and, beside it, what is to be said in a line.
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

    /// How often a quantity took which values: a row of figures, and a histogram.
    public struct Quantity: Sendable {
        public var title: String
        public var distribution: Distribution
        /// After the point.
        public var digits: Int
        /// What stands above the histogram.
        public var caption: String
        /// The histogram reaches from 0 to here. Values beyond it count in its last bar.
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
        /// For each count its name, and where it grew: 0…`end`, in rising order.
        public var counts: [(name: String, steps: [Int])]
        public var end: Int
        /// What it grew over, and what grew.
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
        /// What the axes count, with their units.
        public var x: String
        public var y: String
        /// 0 and up.
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

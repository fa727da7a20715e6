/// Who is ahead: nobody who exists, but for the visitor.
public struct Leaderboard: Encodable, Equatable, Sendable {
    public struct Row: Encodable, Equatable, Sendable {
        public var name: String
        /// Cards viewed.
        public var score: Int
        /// Whether it is the visitor's last session.
        public var isVisitor: Bool

        public init(name: String, score: Int, isVisitor: Bool = false) {
            self.name = name
            self.score = score
            self.isVisitor = isVisitor
        }
    }

    /// The best first.
    public var rows: [Row]
    /// The visitor's; nil when there was none.
    public var lastSession: LastVisit?

    public init(rows: [Row], lastSession: LastVisit?) {
        self.rows = rows
        self.lastSession = lastSession
    }
}

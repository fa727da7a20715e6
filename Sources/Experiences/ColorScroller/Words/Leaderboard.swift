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

    public init(rows: [Row]) { self.rows = rows }
}

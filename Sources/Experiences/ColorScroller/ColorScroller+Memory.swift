import Experience
import Fields

extension ColorScroller {
    /// What the next visitor finds on the leaderboard.
    public struct Memory: PieceMemory {
        /// Cards viewed in the session before, 0 and up.
        public var lastScore: Int

        public init(lastScore: Int) { self.lastScore = lastScore }

        public init(_ fields: Fields) throws {
            try fields.refuseAll(but: ["lastScore"])
            lastScore = try fields.integer("lastScore", in: 0...Int(Int32.max))
        }

        public var json: JSONValue { .object(["lastScore": .integer(Int64(lastScore))]) }
    }
}

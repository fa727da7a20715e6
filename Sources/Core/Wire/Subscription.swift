import Signals

/// The answer to `subscribe`: what there is now; what is different from then on is told.
public struct Subscription: Encodable, Sendable {
    public struct Snapshot: Encodable, Sendable {
        public var status: StatusReport
        public var state: StateReport
        /// Nil for an experience without a feed.
        public var feed: FeedState?

        public init(status: StatusReport, state: StateReport, feed: FeedState?) {
            self.status = status
            self.state = state
            self.feed = feed
        }
    }

    public var topics: [String]
    /// Of the last notification before; the next one has the number after it.
    public var number: UInt64
    public var snapshot: Snapshot

    public init(topics: [String], number: UInt64, snapshot: Snapshot) {
        self.topics = topics
        self.number = number
        self.snapshot = snapshot
    }
}

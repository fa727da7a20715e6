/// What is seen of a kiosk at a moment. All times are in seconds on one clock that never goes back.
public struct Sight: Equatable, Sendable {
    public enum Compositor: Equatable, Sendable {
        case gone, starting, ready
    }

    public struct Browser: Equatable, Sendable {
        public var isRunning: Bool
        public var hasCrashedTab: Bool
        /// How long it has not answered what it was asked, in seconds; 0 where it has.
        public var unanswered: Double
        /// Of all its processes, in bytes.
        public var memory: Int
        /// When its page last drew a frame, as the daemon knows it; nil where the daemon knows no such page.
        public var drewAt: Double?
        /// With which HTTP status its page came, 0 where it did not come at all; nil while that is not known.
        public var pageStatus: Int?

        public init(isRunning: Bool, hasCrashedTab: Bool = false, unanswered: Double = 0, memory: Int = 0, drewAt: Double? = nil,
                    pageStatus: Int? = nil) {
            self.pageStatus = pageStatus
            self.isRunning = isRunning
            self.hasCrashedTab = hasCrashedTab
            self.unanswered = unanswered
            self.memory = memory
            self.drewAt = drewAt
        }
    }

    public var now: Double
    public var compositor: Compositor
    /// Whether the daemon answers.
    public var hasDaemon: Bool
    public var areScreensOn: Bool
    /// By screen.
    public var browsers: [String: Browser]

    public init(now: Double, compositor: Compositor, hasDaemon: Bool, areScreensOn: Bool, browsers: [String: Browser]) {
        self.now = now
        self.compositor = compositor
        self.hasDaemon = hasDaemon
        self.areScreensOn = areScreensOn
        self.browsers = browsers
    }
}

import Wire

/// What is known of a kiosk at one moment. All times are in seconds, by one clock that never goes back.
public struct KioskSnapshot: Equatable, Sendable {
    public enum Compositor: Equatable, Sendable {
        case gone, starting, ready
    }

    public struct Browser: Equatable, Sendable {
        public var isRunning: Bool
        public var hasCrashedTab: Bool
        /// For how many seconds the browser has not answered the latest question; 0 if it has answered that question.
        public var unanswered: Double
        /// The memory of all the browser's processes, in bytes.
        public var memory: Int
        /// When the page last drew a frame, as the page has reported to the daemon, in seconds by the clock of `KioskSnapshot.now`; nil
        /// where the daemon knows no such page.
        public var drewAt: Double?
        /// The HTTP status with which the page was loaded, or 0 if loading failed before there was a status; nil while this is not known.
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
    /// The browsers, by the names of their screens.
    public var browsers: [String: Browser]

    public init(now: Double, compositor: Compositor, hasDaemon: Bool, areScreensOn: Bool, browsers: [String: Browser]) {
        self.now = now
        self.compositor = compositor
        self.hasDaemon = hasDaemon
        self.areScreensOn = areScreensOn
        self.browsers = browsers
    }
}

extension KioskSnapshot {
    /// The number of seconds without a frame after which a page counts as stopped. A page that draws reports this once a second, and the
    /// kiosk asks for the reports once a second.
    private static let frame = 4.0

    /// Returns the reason, in words, why a screen shows nothing new; nil where its page draws, or where the screen is off. `failures` has
    /// the errors of the latest starts: the compositor's under nil, and a browser's under its screen's name.
    public func obstacle(on screen: String, failures: [String?: String]) -> String? {
        guard areScreensOn else { return nil }
        func failed(_ words: String, _ part: String?) -> String { words + (failures[part].map { ": it cannot be started: \($0)" } ?? "") }
        switch compositor {
        case .gone: return failed("sway is not running", nil)
        case .starting: return "sway is not ready yet"
        case .ready: break
        }
        guard let browser = browsers[screen], browser.isRunning else {
            return hasDaemon ? failed("Chromium is not running", screen) : "thrumd does not answer thrum kiosk"
        }
        if browser.hasCrashedTab { return "its page has crashed" }
        if browser.unanswered > BrowserCare.Timeouts.answer / 2 { return "Chromium does not answer" }
        if browser.pageStatus == 0 { return "its page cannot be loaded from thrumd" }
        if let status = browser.pageStatus, status >= 400 {
            return "its page answers \(status)" + (status == 404 ? ": there is no such page" : "")
        }
        guard let drewAt = browser.drewAt else {
            return browser.pageStatus == nil ? "Chromium has not loaded its page yet" : "its page is loaded, and has drawn nothing"
        }
        return now - drewAt > Self.frame ? "its page has stopped drawing" : nil
    }
}

/// Decides when screens are on.
public enum ScreenHours {
    /// Whether screens are on: during opening hours, from `early` minutes before opening, and while a visitor is there. `house` is the
    /// daemon's latest report, made `age` seconds ago; nil where there was none yet, so that screens are on. The kiosk's own clock does not
    /// decide, because it may differ from the house's.
    public static func areOn(_ house: HouseReport?, hasVisitor: Bool, age: Int, early: Int) -> Bool {
        guard let house, !house.isOpen, !hasVisitor else { return true }
        return house.opensIn.map { age >= $0 - early * 60 } ?? false
    }
}

import Fields

/// The state that a kiosk reports: the parameter of `kiosk.report`, and a part of the answer to `status`.
public struct KioskReport: Codable, Equatable, Sendable {
    /// The reason why the kiosk restarted something.
    public enum Cause: String, CaseIterable, Codable, Sendable {
        /// The page stopped drawing.
        case pageStopped
        /// The page drew nothing after a start of the browser.
        case neverDrew
        case tabCrashed
        case browserEnded
        /// The browser did not answer.
        case browserHung
        /// The browser used more memory than the settings allow.
        case memory
        case compositorEnded
        /// The compositor did not become ready.
        case compositorHung
    }

    public struct Screen: Codable, Equatable, Sendable {
        /// The output's name, or `any` where the settings name no output.
        public var name: String
        public var isDrawing: Bool
        /// The memory that the screen's browser uses, with all its processes, in bytes.
        public var memory: Int
        /// The reason why the screen shows nothing new, in words; nil where it draws, or is off.
        public var issue: String?

        public init(name: String, isDrawing: Bool, memory: Int, issue: String? = nil) {
            self.issue = issue
            self.name = name
            self.isDrawing = isDrawing
            self.memory = memory
        }
    }

    public var screens: [Screen]
    /// Whether the screens are switched on, as they are in opening hours.
    public var areScreensOn: Bool
    /// The number of restarts by cause, since the kiosk started.
    public var restarts: [String: Int]
    /// The cause of the last restart; nil before the first.
    public var lastCause: Cause?

    public init(screens: [Screen], areScreensOn: Bool, restarts: [Cause: Int], lastCause: Cause?) {
        self.screens = screens
        self.areScreensOn = areScreensOn
        self.restarts = Dictionary(uniqueKeysWithValues: Cause.allCases.map { ($0.rawValue, restarts[$0] ?? 0) })
        self.lastCause = lastCause
    }

    public init(from decoder: any Decoder) throws {
        let fields = try Fields(decoder)
        try fields.refuseAll(but: ["screens", "areScreensOn", "restarts", "lastCause"])
        screens = try fields.nested([Screen].self, "screens", expected: "a list of screens")
        areScreensOn = try fields.flag("areScreensOn")
        let counts = try fields.object("restarts")
        let causes = Cause.allCases.map(\.rawValue)
        try counts.refuseAll(but: causes)
        restarts = try Dictionary(uniqueKeysWithValues: causes.map {
            ($0, try counts.integerIfPresent($0, in: 0...(1 << 53)) ?? 0)
        })
        lastCause = try fields.choiceIfPresent("lastCause")
    }
}

/// The answer to `kiosk.report`: what the kiosk is to do.
public struct KioskOrders: Codable, Equatable, Sendable {
    /// Whether the kiosk is to end its browsers and its compositor, to read its settings, and to start anew.
    public var isToRestart: Bool

    public init(isToRestart: Bool) { self.isToRestart = isToRestart }
}

extension KioskReport.Screen {
    public init(from decoder: any Decoder) throws {
        let fields = try Fields(decoder)
        try fields.refuseAll(but: ["name", "isDrawing", "memory", "issue"])
        self.init(name: try fields.text("name", limit: 64), isDrawing: try fields.flag("isDrawing"),
                  memory: try fields.integer("memory", in: 0...(1 << 53), unit: "bytes"),
                  issue: try fields.textIfPresent("issue", limit: 512))
    }
}

import Fields

/// What a kiosk tells of itself: the parameter of `kiosk.report`, and a part of the answer to `status`.
public struct KioskReport: Codable, Equatable, Sendable {
    /// Why something was started anew.
    public enum Cause: String, CaseIterable, Codable, Sendable {
        /// The page stopped drawing.
        case pageStopped
        /// Nothing was drawn after a start.
        case neverDrew
        case tabCrashed
        case browserEnded
        /// The browser did not answer.
        case browserHung
        /// The browser took up more memory than it may.
        case memory
        case compositorEnded
        /// The compositor did not come to be ready.
        case compositorHung
    }

    public struct Screen: Codable, Equatable, Sendable {
        /// The output's name; `any` where the settings name none.
        public var name: String
        public var isDrawing: Bool
        /// What its browser takes up with all its processes, bytes.
        public var memory: Int
        /// Why nothing new is seen on it, in words; nil where it draws, or is off.
        public var issue: String?

        public init(name: String, isDrawing: Bool, memory: Int, issue: String? = nil) {
            self.issue = issue
            self.name = name
            self.isDrawing = isDrawing
            self.memory = memory
        }
    }

    public var screens: [Screen]
    /// Whether they are lit, which they are in opening hours.
    public var areScreensOn: Bool
    /// How often something was started anew, by cause, since the kiosk's start.
    public var restarts: [String: Int]
    /// Of the last of them.
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

extension KioskReport.Screen {
    public init(from decoder: any Decoder) throws {
        let fields = try Fields(decoder)
        try fields.refuseAll(but: ["name", "isDrawing", "memory", "issue"])
        self.init(name: try fields.text("name", limit: 64), isDrawing: try fields.flag("isDrawing"),
                  memory: try fields.integer("memory", in: 0...(1 << 53), unit: "bytes"),
                  issue: try fields.textIfPresent("issue", limit: 512))
    }
}

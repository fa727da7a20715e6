/// What a kiosk shows and how it is tended: the mapping `kiosk` of the settings.
public struct KioskSettings: Equatable, Sendable {
    /// What one of the machine's outputs shows.
    public struct Screen: Equatable, Sendable {
        /// A folder of pages with its wishes, such as `colorscroller/?lang=de`.
        public var page: String
        public var rotation: Rotation
        /// The touchscreen in front of it, by sway's identifier; nil where sway finds it out.
        public var touch: String?
        /// The same by its name in the engine's settings, where the engine reads it; nil where the page's own touches count.
        public var touchscreen: String?

        public init(page: String, rotation: Rotation = .none, touch: String? = nil, touchscreen: String? = nil) {
            self.page = page
            self.rotation = rotation
            self.touch = touch
            self.touchscreen = touchscreen
        }
    }

    /// Clockwise, in degrees.
    public enum Rotation: Int, CaseIterable, Sendable {
        case none = 0, quarter = 90, half = 180, threeQuarters = 270
    }

    /// Stands in the place of an output's name, where there is one output.
    public static let anyOutput = "any"

    /// By the output's name.
    public var screens: [String: Screen]
    /// What a browser with all its processes may take up, MiB.
    public var memory: Int
    /// How long before opening the screens go on, minutes.
    public var early: Int

    public init(screens: [String: Screen], memory: Int = 1500, early: Int = 5) {
        self.screens = screens
        self.memory = memory
        self.early = early
    }
}

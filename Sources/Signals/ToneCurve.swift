import Units

/// How the tone answers to blocks viewed.
public struct ToneCurve: Equatable, Sendable {
    /// Before the first block.
    public var start: Hertz
    /// Never passed.
    public var cap: Hertz
    /// Before the first block.
    public var quietest: Decibels
    /// From `views` blocks on.
    public var loudest: Decibels
    /// Blocks until the level is `loudest`, and about until the pitch is `cap`.
    public var views: Int

    public init(start: Hertz, cap: Hertz, quietest: Decibels, loudest: Decibels, views: Int) {
        self.start = start
        self.cap = cap
        self.quietest = quietest
        self.loudest = loudest
        self.views = views
    }

    /// The standard theme's. It ends 6 dB under full scale so that a chime fits on top without being limited.
    public static let standard = ToneCurve(start: Hertz(240), cap: Hertz(5000), quietest: Decibels(-60),
                                           loudest: Decibels(-6), views: 500)
}

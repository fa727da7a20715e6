import Units

/// What the named cues sound and feel like.
public struct Theme: Equatable, Sendable {
    public var name: String
    public var toneCurve: ToneCurve
    /// The fade at each end of the tone, 0.001…1 s.
    public var toneFade: Seconds
    /// The tone's partials, 1 to 8.
    public var tonePartials: [TonePartial]
    /// The level that no sample passes, −60…0 dBFS.
    public var ceiling: Decibels
    public var chimes: [String: Chime]
    public var textures: [String: Texture]
    public var haptics: [String: HapticPattern]

    public init(name: String, toneCurve: ToneCurve, toneFade: Seconds, tonePartials: [TonePartial] = TonePartial.sine, ceiling: Decibels,
                chimes: [String: Chime], textures: [String: Texture] = [:], haptics: [String: HapticPattern]) {
        self.name = name
        self.toneCurve = toneCurve
        self.toneFade = toneFade
        self.tonePartials = tonePartials
        self.ceiling = ceiling
        self.chimes = chimes
        self.textures = textures
        self.haptics = haptics
    }
}

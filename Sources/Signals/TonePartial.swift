import Units

/// One sine of the tone.
public struct TonePartial: Equatable, Sendable, BitwiseCopyable {
    /// As many as the tone may have.
    public static let most = 8
    /// What the tone is made of where nobody says otherwise.
    public static let sine = [TonePartial(ratio: 1)]

    /// Its frequency as a multiple of the tone's, 1…32. Whole, so that its phase is that multiple of the tone's phase, exactly.
    public var ratio: Int
    /// Relative to the tone's level, −120…0 dB.
    public var level: Decibels

    @_noLocks @_noAllocation
    public init(ratio: Int, level: Decibels = Decibels(0)) {
        self.ratio = ratio
        self.level = level
    }
}

/// The tone's partials with their capacity fixed.
@frozen
public struct TonePartials: Equatable, Sendable, BitwiseCopyable {
    public var count: Int
    public var partials: InlineArray<8, TonePartial>

    /// The sine.
    @_noLocks @_noAllocation
    public init() {
        count = 1
        partials = InlineArray(repeating: TonePartial(ratio: 1, level: Decibels(0)))
    }

    /// Partials past the eighth are left out; the theme's reader refuses them before.
    public init(_ list: [TonePartial]) {
        self.init()
        count = min(list.count, TonePartial.most)
        for index in 0..<count { partials[index] = list[index] }
    }

    public static func == (a: TonePartials, b: TonePartials) -> Bool {
        a.count == b.count && (0..<a.count).allSatisfy { a.partials[$0] == b.partials[$0] }
    }
}

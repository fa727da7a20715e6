import Units

/// The tone's frequency and level by the number of blocks viewed: its average course, from point to point.
public struct ToneCurve: Equatable, Sendable {
    /// The tone's frequency and level after a number of views.
    public struct Point: Equatable, Sendable {
        /// The number of blocks viewed, 0…1,000,000.
        public var views: Int
        /// The frequency, 20…5000 Hz.
        public var frequency: Hertz
        /// The level, −120…0 dBFS.
        public var level: Decibels

        public init(views: Int, frequency: Hertz, level: Decibels) {
            self.views = views
            self.frequency = frequency
            self.level = level
        }
    }

    /// The number of points that a curve may have.
    public static let pointCounts = 2...32
    /// The most views of a point.
    public static let mostViews = 1_000_000

    /// The points, in the order of their views; the first has none. Between two points the pitch changes by equal musical steps and the
    /// level by equal decibels. After the last both stay.
    public var points: [Point]

    /// Creates a curve of at least two points.
    public init(points: [Point]) {
        precondition(points.count >= 2, "a course has a beginning and an end")
        self.points = points
    }

    /// Creates a curve from `start` to `cap`, and from `quietest` to `loudest`, over so many views.
    public init(start: Hertz, cap: Hertz, quietest: Decibels, loudest: Decibels, views: Int) {
        self.init(points: [Point(views: 0, frequency: start, level: quietest), Point(views: views, frequency: cap, level: loudest)])
    }

    /// The curve of the standard theme. It ends 6 dB under full scale, so that a chime fits on top without being limited.
    public static let standard = ToneCurve(start: Hertz(240), cap: Hertz(5000), quietest: Decibels(-60),
                                           loudest: Decibels(-6), views: 500)

    /// The frequency before the first view.
    public var start: Hertz { points[0].frequency }
    public var lowest: Hertz { points.reduce(start) { min($0, $1.frequency) } }
    /// The highest frequency, which is never exceeded.
    public var cap: Hertz { points.reduce(start) { max($0, $1.frequency) } }
    public var quietest: Decibels { points.reduce(points[0].level) { min($0, $1.level) } }
    public var loudest: Decibels { points.reduce(points[0].level) { max($0, $1.level) } }
    /// The number of views after which the level changes no more, and the pitch hardly does.
    public var views: Int { points[points.count - 1].views }

    /// Whether the curve only rises between two points, so that `start`, `cap`, `quietest`, `loudest` and `views` describe all of it.
    public var isStraight: Bool { points.count == 2 && points[0].frequency <= points[1].frequency && points[0].level <= points[1].level }
}

extension ToneCurve {
    /// The length of the pitch's way: in semitones where the curve is straight, else in views.
    public var way: Double { isStraight ? 12 * log2(cap.rawValue / start.rawValue) : Double(views) }

    /// The pitch after a part of the way, in the unit of `way`.
    public func pitch(after walked: Double) -> Hertz {
        guard !isStraight else { return min(cap, start.raised(bySemitones: walked)) }
        let (from, to, part) = section(at: walked)
        guard part < 1 else { return to.frequency }
        let pitch = from.frequency.raised(bySemitones: 12 * log2(to.frequency.rawValue / from.frequency.rawValue) * part)
        return min(max(pitch, min(from.frequency, to.frequency)), max(from.frequency, to.frequency))
    }

    public func level(after blocks: Int) -> Decibels {
        let (from, to, part) = section(at: Double(blocks))
        return Decibels(from.level.rawValue + (to.level.rawValue - from.level.rawValue) * part)
    }

    /// The two points around a number of views, and the share of the way between them that is over, 0…1.
    private func section(at blocks: Double) -> (from: Point, to: Point, part: Double) {
        let next = points.indices.dropFirst().first { Double(points[$0].views) >= blocks } ?? points.count - 1
        let (from, to) = (points[next - 1], points[next])
        return (from, to, (min(blocks, Double(to.views)) - Double(from.views)) / Double(to.views - from.views))
    }
}

/// One sine of the tone.
public struct TonePartial: Equatable, Sendable, BitwiseCopyable {
    /// The most partials of the tone.
    public static let most = 8
    /// The partials of a tone that is a sine, the default.
    public static let sine = [TonePartial(ratio: 1)]

    /// The partial's frequency as a multiple of the tone's, 1…32. It is whole, so that the partial's phase is exactly that multiple of the
    /// tone's.
    public var ratio: Int
    /// The level relative to the tone's, −120…0 dB.
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

    /// Creates a sine.
    @_noLocks @_noAllocation
    public init() {
        count = 1
        partials = InlineArray(repeating: TonePartial(ratio: 1, level: Decibels(0)))
    }

    /// Leaves out partials after the eighth, which the theme's reader refuses.
    public init(_ list: [TonePartial]) {
        self.init()
        count = min(list.count, TonePartial.most)
        for index in 0..<count { partials[index] = list[index] }
    }

    public static func == (a: TonePartials, b: TonePartials) -> Bool {
        a.count == b.count && (0..<a.count).allSatisfy { a.partials[$0] == b.partials[$0] }
    }
}

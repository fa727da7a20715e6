import Units

/// The average course of the tone's frequency and level, by the number of cards that the visitor has viewed ("blocks" in the code).
public struct ToneCurve: Equatable, Sendable {
    /// The tone's frequency and level after a certain number of views.
    public struct Point: Encodable, Equatable, Sendable {
        /// The number of cards viewed, 0…1,000,000.
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

    /// The allowed numbers of points in a curve.
    public static let pointCounts = 2...32
    /// The largest allowed number of views of a point.
    public static let mostViews = 1_000_000

    /// The points in ascending order of views; the first point has 0 views. Between two points, the pitch changes in equal musical
    /// intervals and the level in equal decibels. After the last point, both stay as they are.
    public var points: [Point]

    /// Creates a curve of at least two points.
    public init(points: [Point]) {
        precondition(points.count >= 2, "a course has a beginning and an end")
        self.points = points
    }

    /// Creates a straight curve: over `views` views, the pitch goes from `start` to `cap` and the level from `quietest` to `loudest`.
    public init(start: Hertz, cap: Hertz, quietest: Decibels, loudest: Decibels, views: Int) {
        self.init(points: [Point(views: 0, frequency: start, level: quietest), Point(views: views, frequency: cap, level: loudest)])
    }

    /// The curve of the standard theme. It ends at −6 dBFS, which leaves room for a chime before the limiter acts.
    public static let standard = ToneCurve(start: Hertz(240), cap: Hertz(5000), quietest: Decibels(-60),
                                           loudest: Decibels(-6), views: 500)

    /// The frequency at 0 views.
    public var start: Hertz { points[0].frequency }
    public var lowest: Hertz { points.reduce(start) { min($0, $1.frequency) } }
    /// The highest frequency of the curve. The tone never exceeds it.
    public var cap: Hertz { points.reduce(start) { max($0, $1.frequency) } }
    public var quietest: Decibels { points.reduce(points[0].level) { min($0, $1.level) } }
    public var loudest: Decibels { points.reduce(points[0].level) { max($0, $1.level) } }
    /// The number of views after which the level does not change any more, and the pitch has, on average, reached the curve's end.
    public var views: Int { points[points.count - 1].views }

    /// Whether the curve has only two points and does not fall, so that `start`, `cap`, `quietest`, `loudest` and `views` describe it
    /// completely.
    public var isStraight: Bool { points.count == 2 && points[0].frequency <= points[1].frequency && points[0].level <= points[1].level }
}

extension ToneCurve {
    /// The length of the way from the curve's start to its end: in semitones where the curve is straight, else in views.
    public var way: Double { isStraight ? 12 * log2(cap.rawValue / start.rawValue) : Double(views) }

    /// Returns the pitch after a part of the way from the curve's start. `distance` is the length of this part, in the unit of `way`.
    public func pitch(after distance: Double) -> Hertz {
        guard !isStraight else { return min(cap, start.raised(bySemitones: distance)) }
        let (from, to, part) = section(at: distance)
        guard part < 1 else { return to.frequency }
        let pitch = from.frequency.raised(bySemitones: 12 * log2(to.frequency.rawValue / from.frequency.rawValue) * part)
        return min(max(pitch, min(from.frequency, to.frequency)), max(from.frequency, to.frequency))
    }

    public func level(after blocks: Int) -> Decibels {
        let (from, to, part) = section(at: Double(blocks))
        return Decibels(from.level.rawValue + (to.level.rawValue - from.level.rawValue) * part)
    }

    /// Returns the points of the curve before and after `blocks`, which is a number of views, and the fraction of the distance between
    /// these points at which `blocks` lies, 0…1.
    private func section(at blocks: Double) -> (from: Point, to: Point, part: Double) {
        let next = points.indices.dropFirst().first { Double(points[$0].views) >= blocks } ?? points.count - 1
        let (from, to) = (points[next - 1], points[next])
        return (from, to, (min(blocks, Double(to.views)) - Double(from.views)) / Double(to.views - from.views))
    }
}

/// One partial of the tone, a sine.
public struct TonePartial: Encodable, Equatable, Sendable, BitwiseCopyable {
    /// The largest number of partials of the tone.
    public static let most = 8
    /// The partial of a tone that is a plain sine, the default.
    public static let sine = [TonePartial(ratio: 1)]

    /// The partial's frequency as a multiple of the tone's frequency, 1…32. It is an integer, so that the partial's phase can be computed
    /// exactly from the tone's phase.
    public var ratio: Int
    /// The partial's level relative to the tone's level, −120…0 dB.
    public var level: Decibels

    @_noLocks @_noAllocation
    public init(ratio: Int, level: Decibels = Decibels(0)) {
        self.ratio = ratio
        self.level = level
    }
}

/// The tone's partials. There is room for a fixed number, so that the value contains no pointers.
@frozen
public struct TonePartials: Equatable, Sendable, BitwiseCopyable {
    public var count: Int
    public var partials: InlineArray<8, TonePartial>

    /// Creates the partials of a plain sine.
    @_noLocks @_noAllocation
    public init() {
        count = 1
        partials = InlineArray(repeating: TonePartial(ratio: 1, level: Decibels(0)))
    }

    /// Copies partials. Those after the eighth are left out (no theme that could be read has any).
    public init(_ list: [TonePartial]) {
        self.init()
        count = min(list.count, TonePartial.most)
        for index in 0..<count { partials[index] = list[index] }
    }

    public static func == (a: TonePartials, b: TonePartials) -> Bool {
        a.count == b.count && (0..<a.count).allSatisfy { a.partials[$0] == b.partials[$0] }
    }
}

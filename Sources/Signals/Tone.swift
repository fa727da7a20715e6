import Units

/// How the tone answers to blocks viewed: its course on average, from point to point.
public struct ToneCurve: Equatable, Sendable {
    /// Where the tone is after so many blocks.
    public struct Point: Equatable, Sendable {
        /// 0…1,000,000.
        public var views: Int
        /// 20…5000 Hz.
        public var frequency: Hertz
        /// −120…0 dBFS.
        public var level: Decibels

        public init(views: Int, frequency: Hertz, level: Decibels) {
            self.views = views
            self.frequency = frequency
            self.level = level
        }
    }

    /// How many there may be.
    public static let pointCounts = 2...32
    /// Of a point.
    public static let mostViews = 1_000_000

    /// The first at no block, each at more blocks than the one before. On the way from one to the next the pitch changes by equal musical
    /// steps and the level by equal decibels; after the last both stay.
    public var points: [Point]

    /// At least two points.
    public init(points: [Point]) {
        precondition(points.count >= 2, "a course has a beginning and an end")
        self.points = points
    }

    /// From the start to the cap, and from quietest to loudest, in so many blocks.
    public init(start: Hertz, cap: Hertz, quietest: Decibels, loudest: Decibels, views: Int) {
        self.init(points: [Point(views: 0, frequency: start, level: quietest), Point(views: views, frequency: cap, level: loudest)])
    }

    /// The standard theme's. It ends 6 dB under full scale so that a chime fits on top without being limited.
    public static let standard = ToneCurve(start: Hertz(240), cap: Hertz(5000), quietest: Decibels(-60),
                                           loudest: Decibels(-6), views: 500)

    /// Before the first block.
    public var start: Hertz { points[0].frequency }
    public var lowest: Hertz { points.reduce(start) { min($0, $1.frequency) } }
    /// The highest, never passed.
    public var cap: Hertz { points.reduce(start) { max($0, $1.frequency) } }
    public var quietest: Decibels { points.reduce(points[0].level) { min($0, $1.level) } }
    public var loudest: Decibels { points.reduce(points[0].level) { max($0, $1.level) } }
    /// Blocks until the level changes no more, and about until the pitch does not.
    public var views: Int { points[points.count - 1].views }

    /// One way up, as most are: `start`, `cap`, `quietest`, `loudest` and `views` say all of it.
    public var isStraight: Bool { points.count == 2 && points[0].frequency <= points[1].frequency && points[0].level <= points[1].level }
}

extension ToneCurve {
    /// The whole way of the pitch: in semitones where it is straight, as it always was, else in blocks.
    public var way: Double { isStraight ? 12 * log2(cap.rawValue / start.rawValue) : Double(views) }

    /// The pitch after so much of the way.
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

    /// Two points, and how much of the way between them is over, 0…1.
    private func section(at blocks: Double) -> (from: Point, to: Point, part: Double) {
        let next = points.indices.dropFirst().first { Double(points[$0].views) >= blocks } ?? points.count - 1
        let (from, to) = (points[next - 1], points[next])
        return (from, to, (min(blocks, Double(to.views)) - Double(from.views)) / Double(to.views - from.views))
    }
}

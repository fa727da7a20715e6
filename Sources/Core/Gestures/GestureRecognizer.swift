import Signals

/// Recognizes taps and vertical swipes in the touches of one screen. Each finger is judged by itself, because people share a screen.
///
/// Moments are in nanoseconds, by any one clock. Positions are fractions of the screen's width and height; velocities are in heights per
/// second.
public struct GestureRecognizer: Sendable {
    private struct Sample {
        var moment: Int64
        var x: Double
        var y: Double
    }

    private struct Track {
        var start: Sample
        /// The largest distance so far from where the finger came down, as a fraction of the screen's width or height.
        var reach = 0.0
        /// The samples of the last 100 ms, oldest first.
        var recent: [Sample]
    }

    /// The largest number of fingers that are followed at once. Further fingers make no gestures.
    private static let mostFingers = 64

    private var tracks: [Int: Track] = [:]

    /// The largest distance of a tap, as a fraction of the screen's width or height; `tapTime` is its longest time, in nanoseconds.
    private static let tapReach = 0.03
    private static let tapTime: Int64 = 300_000_000
    /// The smallest vertical distance of a swipe, as a fraction of the screen's height; `swipeVelocity` is its lowest speed at the end,
    /// because a finger that has come to rest does not swipe.
    private static let swipeReach = 0.05
    private static let swipeVelocity = 0.3
    /// The distance, as a fraction of the screen's height, from which a swipe needs no speed at its end, unless the finger moves back.
    private static let dragReach = 0.5
    /// The length, in nanoseconds, of the last part of a touch. Only the movement in this part counts for a swipe's velocity.
    private static let window: Int64 = 100_000_000

    public init() {}

    /// Whether no finger is down.
    public var isIdle: Bool { tracks.isEmpty }

    /// Returns the gesture that `touch` completes; nil when it completes none. A touch without a position completes none. A finger that
    /// ends without a position was taken away by the system.
    public mutating func take(_ touch: Touch, at moment: Int64) -> EventKind? {
        guard let x = touch.x, let y = touch.y else {
            if touch.phase == .ended { forget(touch.finger) }
            return nil
        }
        let sample = Sample(moment: moment, x: x, y: y)
        switch touch.phase {
        case .began:
            guard tracks.count < Self.mostFingers || tracks[touch.finger] != nil else { return nil }
            tracks[touch.finger] = Track(start: sample, recent: [sample])
            return nil
        case .moved:
            follow(touch.finger, sample)
            return nil
        case .ended:
            // The last position counts too: the packet that ends the touch may have moved the finger.
            follow(touch.finger, sample)
            return tracks.removeValue(forKey: touch.finger).flatMap(Self.gesture)
        }
    }

    /// Forgets a finger. It makes no gesture until it comes down again.
    public mutating func forget(_ finger: Int) { tracks[finger] = nil }

    private mutating func follow(_ finger: Int, _ sample: Sample) {
        guard var track = tracks.removeValue(forKey: finger) else { return }
        track.reach = max(track.reach, abs(sample.x - track.start.x), abs(sample.y - track.start.y))
        track.recent.append(sample)
        track.recent.removeAll { sample.moment - $0.moment > Self.window }
        tracks[finger] = track
    }

    private static func gesture(_ track: Track) -> EventKind? {
        guard let end = track.recent.last else { return nil }
        if track.reach < tapReach {
            return end.moment - track.start.moment <= tapTime ? .tap(Tap(x: end.x, y: end.y)) : nil
        }
        let way = end.y - track.start.y
        guard abs(way) >= swipeReach, abs(way) > abs(end.x - track.start.x) else { return nil }
        let velocity = velocity(track.recent[...]) ?? 0
        let isThrown = abs(velocity) >= swipeVelocity
        guard isThrown ? velocity * way > 0 : abs(way) >= dragReach else { return nil }
        return .swipe(Swipe(way < 0 ? .up : .down, velocity: min(Swipe.velocities.upperBound, abs(velocity)),
                                    deceleration: deceleration(track.recent)))
    }

    /// Returns the slope of the regression line through the samples, in heights per second; nil if all samples are of one moment.
    private static func velocity(_ samples: ArraySlice<Sample>) -> Double? {
        guard let first = samples.first else { return nil }
        let count = Double(samples.count)
        let times = samples.map { Double($0.moment - first.moment) / 1e9 }
        let meanTime = times.reduce(0, +) / count
        let meanY = samples.reduce(0) { $0 + $1.y } / count
        let spread = times.reduce(0) { $0 + ($1 - meanTime) * ($1 - meanTime) }
        guard spread > 0 else { return nil }
        return zip(times, samples).reduce(0) { $0 + ($1.0 - meanTime) * ($1.1.y - meanY) } / spread
    }

    /// Returns by how much the speed falls from the first half of the samples to the second, in screen heights/s². It is positive when the
    /// finger slows down; nil where the samples are too few for two speeds.
    private static func deceleration(_ samples: [Sample]) -> Double? {
        let middle = samples.count / 2
        guard middle >= 2, let before = velocity(samples[...middle]), let after = velocity(samples[middle...]),
              let first = samples.first, let last = samples.last, last.moment > first.moment else { return nil }
        let slowing = (abs(before) - abs(after)) / (Double(last.moment - first.moment) / 2e9)
        return max(Swipe.decelerations.lowerBound, min(Swipe.decelerations.upperBound, slowing))
    }
}

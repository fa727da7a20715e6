import Synth
import Units

/// A model of which frame is heard when, learned from the server's readings.
///
/// Its line never breaks and never goes back: an error is made up over a while, and a server's lasting deviation from the nominal rate is
/// learned (a proportional-integral loop). One odd reading is ignored; three that agree are believed.
struct ClockModel {
    private(set) var line: PlayClock
    /// The relative deviation of the server's clock from CLOCK_MONOTONIC, -0.003 to 0.003.
    private(set) var drift = 0.0
    private let nominal: Double
    private var meanSquare = 0.0
    private var strangers = 0
    private var lastReading: Int64
    private var time = shortestTime
    /// The last error too large to be believed at once, in nanoseconds; 0 when it is made up.
    private var recovering = 0.0

    /// The time in which an error is made up, in nanoseconds, as far as the rate may bend; a longer one where readings are rare or scatter.
    /// The drift is learned in twelve times as long.
    private static let shortestTime = 0.2e9
    private static let longestTime = 2e9
    /// The largest drift that is learned. Quartz is within 1e-4. A null sink is not: it rounds each block's duration down to microseconds
    /// (PulseAudio 16, module-null-sink.c), which makes it fast by 1e-3 and more in blocks of 1 ms.
    private static let largestDrift = 3e-3
    static let strange = 60e6
    private static let telling = 5e6

    /// Starts with `frame` heard at `now` (CLOCK_MONOTONIC, nanoseconds). Time goes `speed` times as fast as that clock's.
    init(rate: SampleRate, frame: Frame = .zero, now: Int64, speed: Double = 1) {
        nominal = Double(rate.hertz) / 1e9 * speed
        line = PlayClock(frame: Double(frame.rawValue), nanoseconds: now, framesPerNanosecond: nominal)
        lastReading = now
    }

    /// The root mean square of the last errors, in nanoseconds.
    var errorNanoseconds: Int64 { Int64(meanSquare.squareRoot() / nominal) }

    /// The learned rate, in frames a nanosecond.
    var rate: Double { nominal * (1 + drift) }

    func position(at nanoseconds: Int64) -> Double { line.position(at: nanoseconds) }

    /// Learns that a frame within `heard` was heard at `moment`; the time is `now`.
    mutating func observe(_ heard: ClosedRange<Double>, at moment: Int64, now: Int64) {
        let position = line.position(at: moment)
        let error = (max(heard.lowerBound, min(heard.upperBound, position)) - position) / nominal
        let elapsed = Double(min(max(now - lastReading, 0), 2_000_000_000))
        lastReading = now
        time = min(Self.longestTime, max(Self.shortestTime, elapsed * 2, Double(errorNanoseconds) * 200))
        guard abs(error) > Self.strange else {
            strangers = 0
            // A sink that goes in steps may be late by chance, but never early.
            let error = error < 0 && heard.lowerBound < heard.upperBound ? error / 2 : error
            meanSquare += (error * error * nominal * nominal - meanSquare) / 32
            // What is far off, or what a leap has left, says nothing about the drift.
            if recovering * error <= 0, abs(error) < Self.telling {
                recovering = 0
                let learned = drift + error * elapsed / (12 * time * time)
                drift = max(-Self.largestDrift, min(Self.largestDrift, learned))
            }
            return bend(by: error, at: now)
        }
        strangers = recovering * error > 0 ? strangers + 1 : 1
        recovering = error
        guard strangers >= 3 else { return }
        // Forward at once; back by standing nearly still, since time does not go back.
        if error > 0 {
            strangers = 0
            recovering = 0
            line = PlayClock(frame: line.position(at: now) + error * nominal, nanoseconds: now,
                             framesPerNanosecond: rate)
        } else {
            bend(by: error, at: now)
        }
    }

    /// Goes on without the server, at the learned rate.
    mutating func runFree(now: Int64) { bend(by: 0, at: now) }

    private mutating func bend(by error: Double, at now: Int64) {
        let correction = max(-0.5, min(0.5, error / time))
        line = PlayClock(frame: line.position(at: now), nanoseconds: now,
                         framesPerNanosecond: rate + nominal * correction)
    }
}

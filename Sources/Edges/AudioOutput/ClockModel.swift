import Synth
import Units

/// A model of which frame is heard at which time, learned from the server's readings.
///
/// The model's line has no gaps and never goes back. An error is corrected gradually, and a lasting deviation of the server from the
/// nominal rate is learned (a proportional-integral loop). A single strange reading is ignored; three that agree are believed.
struct ClockModel {
    private(set) var line: PlayClock
    /// The relative deviation of the server's clock from CLOCK_MONOTONIC, -0.003 to 0.003.
    private(set) var drift = 0.0
    private let nominal: Double
    private var meanSquare = 0.0
    private var strangers = 0
    private var lastReading: Int64
    private var time = shortestTime
    /// The last error that was too large to be believed at once, in nanoseconds; 0 when it was corrected.
    private var recovering = 0.0

    /// The bounds of the time in which an error is corrected, in nanoseconds: it is longer where readings are rare or scatter. The rate
    /// changes by half at most, so a large error takes longer. The drift is learned in twelve times as long.
    private static let shortestTime = 0.2e9
    private static let longestTime = 2e9
    /// The largest drift that is learned. Quartz clocks deviate by less than 1e-4. A null sink deviates more: it rounds each block's
    /// duration down to microseconds (PulseAudio 16, module-null-sink.c), and so with blocks of 1 ms it is too fast by 1e-3 and more.
    private static let largestDrift = 3e-3
    static let strange = 60e6
    private static let telling = 5e6

    /// Starts with `frame` being heard at `now` (CLOCK_MONOTONIC, nanoseconds). Time runs `speed` times as fast as that clock.
    init(rate: SampleRate, frame: Frame = .zero, now: Int64, speed: Double = 1) {
        nominal = Double(rate.hertz) / 1e9 * speed
        line = PlayClock(frame: Double(frame.rawValue), nanoseconds: now, framesPerNanosecond: nominal)
        lastReading = now
    }

    /// The root mean square of the recent errors, in nanoseconds.
    var errorNanoseconds: Int64 { Int64(meanSquare.squareRoot() / nominal) }

    /// The learned rate, in frames per nanosecond.
    var rate: Double { nominal * (1 + drift) }

    func position(at nanoseconds: Int64) -> Double { line.position(at: nanoseconds) }

    /// Learns from a reading that the frame heard at `moment` was in the range `heard`, in frames. `now` is the present time. Both times
    /// are CLOCK_MONOTONIC in nanoseconds.
    mutating func observe(_ heard: ClosedRange<Double>, at moment: Int64, now: Int64) {
        let position = line.position(at: moment)
        let error = (max(heard.lowerBound, min(heard.upperBound, position)) - position) / nominal
        let elapsed = Double(min(max(now - lastReading, 0), 2_000_000_000))
        lastReading = now
        time = min(Self.longestTime, max(Self.shortestTime, elapsed * 2, Double(errorNanoseconds) * 200))
        guard abs(error) > Self.strange else {
            strangers = 0
            // A sink that advances in steps may be late by chance, but is never early.
            let error = error < 0 && heard.lowerBound < heard.upperBound ? error / 2 : error
            meanSquare += (error * error * nominal * nominal - meanSquare) / 32
            // A large error, or the rest of a leap, says nothing about the drift.
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
        // If the line is behind what was heard, it leaps forward at once. If it is ahead, it almost stops, because time cannot go back.
        if error > 0 {
            strangers = 0
            recovering = 0
            line = PlayClock(frame: line.position(at: now) + error * nominal, nanoseconds: now,
                             framesPerNanosecond: rate)
        } else {
            bend(by: error, at: now)
        }
    }

    /// Goes on without readings, at the learned rate.
    mutating func runFree(now: Int64) { bend(by: 0, at: now) }

    private mutating func bend(by error: Double, at now: Int64) {
        let correction = max(-0.5, min(0.5, error / time))
        line = PlayClock(frame: line.position(at: now), nanoseconds: now,
                         framesPerNanosecond: rate + nominal * correction)
    }
}

import Units
import Venue

/// For how long sound had which level, in classes of 5 dB.
struct LevelTimes {
    private static let width = 5.0
    /// What is lower, by so much under a sine of full scale, is one class.
    private static let depth = 70.0

    private let quietest: Double
    private var seconds: [Int: Double] = [:]
    private var quieter = 0.0

    /// `fullScale`: the level of a sine of full scale at 1 kHz.
    init(fullScale: SoundLevel) {
        quietest = ((fullScale.rawValue - Self.depth) / Self.width).rounded(.down) * Self.width
    }

    /// `level` nil is silence.
    mutating func add(_ level: SoundLevel?, for time: Seconds) {
        guard let level, level.rawValue >= quietest else {
            quieter += time.rawValue
            return
        }
        seconds[Int((level.rawValue / Self.width).rounded(.down)), default: 0] += time.rawValue
    }

    /// From loud to quiet; classes without sound are left out.
    var times: [MeasuredSound.LevelTime] {
        let known = seconds.sorted { $0.key > $1.key }.map { number, seconds in
            MeasuredSound.LevelTime(from: Double(number) * Self.width, to: Double(number + 1) * Self.width, seconds: seconds)
        }
        return known + (quieter > 0 ? [MeasuredSound.LevelTime(from: nil, to: quietest, seconds: quieter)] : [])
    }
}

import ColorScroller
import Direct
import Experience
import Signals
import Units

extension ExperienceName {
    /// As new. `rate` is that of the frames it is told the time in.
    public func make(theme: Theme, seed: UInt64, rate: SampleRate, tuning: Tuning) -> any Experience {
        switch self {
        case .direct: Direct(theme: theme, seed: seed)
        case .colorScroller: ColorScroller(theme: theme, seed: seed, rate: rate, tuning: tuning)
        }
    }

    /// Counted up whenever the same events give other cues, announcements or records.
    public var rulesVersion: Int { 1 }

    /// Whether its sessions begin with an `arrival`.
    public var needsArrival: Bool {
        switch self {
        case .direct: false
        case .colorScroller: true
        }
    }
}

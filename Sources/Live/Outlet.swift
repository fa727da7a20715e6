import Evdev
import Signals
import Synth
import Units

/// What the conductor's ports lead to, for sound, for hands and for whoever draws. Used on the stage's executor only.
final class Outlet {
    var port: CommandPort
    /// Nil until there are any.
    var devices: Devices?
    var subscribers = Subscribers()
    /// Which frame is heard when, as of the event at hand.
    var clock = PlayClock()
    /// When the kernel stamped the event at hand, if it comes from one of our screens.
    var stamp: Int64?
    /// Patterns asked for.
    private(set) var patterns: UInt64 = 0
    private let latency: FrameCount

    /// `latency` is the engine's.
    init(_ port: consuming CommandPort, latency: FrameCount) {
        self.port = port
        self.latency = latency
    }

    /// To be felt when what is due at `frame` is heard.
    func feel(_ cue: Cue, at frame: Frame) {
        guard case .haptic(let name) = cue else {
            devices?.silence()
            return
        }
        patterns += 1
        devices?.play(name, at: clock.moment(of: frame + latency), stamp: stamp)
    }
}

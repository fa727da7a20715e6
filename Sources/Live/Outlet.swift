import Evdev
import Journal
import Signals
import Synth
import Units
import Wire

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
    private var lastTroubles: [String] = []
    private var lastDevices: [String: [String]] = [:]

    /// `latency` is the engine's.
    init(_ port: consuming CommandPort, latency: FrameCount) {
        self.port = port
        self.latency = latency
    }

    /// An event as the journal has it, or what was heard amiss.
    func tell(_ entry: JournalEntry) {
        switch entry {
        case .event: subscribers.tell(.event) { Notification(.event, json: JournalLine.encode(entry)) }
        case .lapse: subscribers.tell(.fault) { Notification(.fault, json: JournalLine.encode(entry)) }
        case .header, .end: break
        }
    }

    /// What has come or gone since it was called before.
    func tellOfChanges(troubles: [String]) {
        if troubles != lastTroubles { subscribers.tell(.fault) { Notification(.fault, ["troubles": troubles]) } }
        lastTroubles = troubles
        guard let report = devices?.report else { return }
        let present = ["touchscreens": report.screens.map(\.name), "motors": report.motors.map(\.name)]
        if present != lastDevices { subscribers.tell(.device) { Notification(.device, present) } }
        lastDevices = present
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

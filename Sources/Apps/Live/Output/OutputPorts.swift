import Conductor
import Evdev
import Journal
import Realtime
import Signals
import Synth
import Units
import Wire

/// What the conductor's ports lead to, for sound, for hands and for whoever draws. Used on the stage's executor only.
final class OutputPorts {
    var port: CommandPort
    /// Nil until there are any.
    var devices: Devices?
    var subscribers = Subscribers()
    /// What the render thread says.
    var reports: LatestReader<OutputReport>
    /// When the kernel stamped the event at hand, if it comes from one of our screens.
    var stamp: Int64?
    /// What is to be kept, until somebody does.
    private var keepings: [Conductor.Keeping] = []
    /// Patterns asked for.
    private(set) var patterns: UInt64 = 0
    /// As the last cues say.
    var tone = StateReport.Tone()
    private let latency: FrameCount
    private var lastState: StateReport?
    private var lastIssues: [String] = []
    private var lastDevices: [String: [String]] = [:]

    /// `latency` is the engine's.
    init(_ port: consuming CommandPort, reports: consuming LatestReader<OutputReport>, latency: FrameCount) {
        self.port = port
        self.reports = reports
        self.latency = latency
    }

    func keep(_ keeping: Conductor.Keeping) { keepings.append(keeping) }

    /// Each is returned once.
    func takeKeepings() -> [Conductor.Keeping] {
        guard !keepings.isEmpty else { return [] }
        defer { keepings = [] }
        return keepings
    }

    /// An event as the journal has it, without its cues, or what was heard amiss.
    func tell(_ entry: JournalEntry) {
        switch entry {
        case .event: subscribers.tell(.event) { Notification(.event, json: JournalLine.encode(entry.withoutCues)) }
        case .discontinuity: subscribers.tell(.fault) { Notification(.fault, json: JournalLine.encode(entry)) }
        case .header, .end: break
        }
    }

    /// Whoever subscribes has been told of `state`.
    func remember(_ state: StateReport) { lastState = lastState ?? state }

    /// If it is different from before, and somebody wants to know.
    func tellState(_ state: () -> StateReport) {
        guard subscribers.want(.state) else { return lastState = nil }
        let state = state()
        if state != lastState { subscribers.tell(.state) { Notification(.state, state) } }
        lastState = state
    }

    /// What has come or gone since it was called before.
    func tellOfChanges(issues: [String]) {
        if issues != lastIssues { subscribers.tell(.fault) { Notification(.fault, ["troubles": issues]) } }
        lastIssues = issues
        guard let report = devices?.report else { return }
        let present = ["touchscreens": report.screens.map(\.name), "motors": report.motors.map(\.name)]
        if present != lastDevices { subscribers.tell(.device) { Notification(.device, present) } }
        lastDevices = present
    }

    /// When what is due at a frame of the output is heard, CLOCK_MONOTONIC in nanoseconds: as the render thread said last, since what it
    /// said before may be off by much.
    func moment(of frame: Frame) -> Int64 { reports.read().clock.moment(of: frame + latency) }

    /// To be felt when what is due at `frame` is heard.
    func feel(_ cue: Cue, at frame: Frame) {
        let moment = self.moment(of: frame)
        switch cue {
        case .haptic(let name):
            patterns += 1
            devices?.play(name, at: moment, stamp: stamp)
        case .pattern(let pattern):
            patterns += 1
            devices?.play(pattern, at: moment)
        default: devices?.silence()
        }
    }
}

extension StateReport.Tone {
    mutating func follow(_ cue: Cue) {
        switch cue {
        case .toneGate(let open): isOpen = open
        case .tonePitch(let pitch, _): frequency = pitch.rawValue
        case .toneLevel(let loudness): level = loudness.rawValue
        case .stop: isOpen = false
        case .chime, .haptic, .pattern, .mute, .ceiling, .volume, .theme: break
        }
    }
}

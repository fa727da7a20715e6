import Conductor
import Evdev
import Experience
import Fields
import Journal
import Realtime
import Signals
import Synth
import Units
import Wire

/// Hands on the conductor's results: to the render thread, to haptic devices and to subscribers. Thread: the event loop.
final class OutputPorts {
    var port: CommandPort
    /// The touchscreens and motors; nil until they are looked for.
    var devices: Devices?
    var subscribers = Subscribers()
    /// The clients that came in the name of the household that is there.
    var guests = HouseholdGuests()
    private let declaration: Declaration
    /// The render thread's reports.
    var reports: LatestReader<OutputReport>
    /// The kernel's time of the current event, if it comes from one of our touchscreens.
    var stamp: Int64?
    /// What the conductor wants kept and nobody has taken yet.
    private var keepings: [Conductor.Keeping] = []
    /// The number of patterns asked for.
    private(set) var patterns: UInt64 = 0
    /// The tone as the last cues say.
    var tone = StateReport.Tone()
    private let latency: FrameCount
    private var lastState: StateReport?
    private var lastIssues: [String] = []
    private var lastDevices: [String: [String]] = [:]
    private var isGrabbing = false

    /// `latency` is the engine's, and `declaration` that of the piece that runs.
    init(_ port: consuming CommandPort, reports: consuming LatestReader<OutputReport>, latency: FrameCount, of declaration: Declaration) {
        self.declaration = declaration
        self.port = port
        self.reports = reports
        self.latency = latency
    }

    /// Has the touchscreens heard by nobody else, or by others again.
    func grabScreens(_ isWanted: Bool) {
        guard isWanted != isGrabbing, let devices else { return }
        isGrabbing = isWanted
        devices.grab(isWanted)
    }

    /// Forgets a client that is gone.
    func forget(_ client: Int) {
        subscribers.remove(client)
        guests.disconnected(client)
    }

    func keep(_ keeping: Conductor.Keeping) { keepings.append(keeping) }

    /// Returns a household's memory, if it is among what nobody has taken yet.
    func memory(of household: String) -> JSONValue? { keepings.last { $0.household == household && $0.memory != nil }?.memory }

    /// Returns what the conductor wants kept, each once.
    func takeKeepings() -> [Conductor.Keeping] {
        guard !keepings.isEmpty else { return [] }
        defer { keepings = [] }
        return keepings
    }

    /// Tells what the piece announces: each client as much of it as it may know of the household that is there.
    func tell(_ announcement: Announcement) {
        let told = Topic(announcement.topic)
        guard subscribers.want(told) else { return }
        let topic = declaration.topics.first { $0.name == announcement.topic }
        let guests = guests
        subscribers.tell(told, sight: { guests.sight(of: $0) }) { sight in
            guard let topic else { return Notification(announcement) }
            guard sight.has(.money) || !topic.isAboutMoney else { return nil }
            return Notification(told, sight.part(of: announcement, topic.inConfidence))
        }
    }

    /// The fields of an event that only operators are told: the household that enters, and what an arrival brings of its memory.
    private static let eventInConfidence: [String: Confidence] = ["household": .name, "memory": .name]

    /// Tells an event as the journal has it, without its cues and what is told in confidence. By the time it is told another household may
    /// be there: only operators are told which one it is of, and of purchases.
    private func tellInConfidence(_ entry: JournalEntry, isPurchase: Bool) {
        let guests = guests
        subscribers.tell(.event, sight: { guests.isOperator($0) ? .all : .none }) { sight in
            guard sight.has(.money) || !isPurchase else { return nil }
            let json = JournalLine.encode(entry.withoutCues)
            guard sight != .all else { return Notification(.event, json: json) }
            return Notification(.event, json: json, sight, Self.eventInConfidence)
        }
    }

    /// Tells an event as the journal has it, or a discontinuity.
    func tell(_ entry: JournalEntry) {
        switch entry {
        case .event where !subscribers.want(.event): break
        case .event(let event, _, _, _):
            switch event.kind {
            // These come by thousands a second, and have nothing of a household.
            case .touch, .tap, .swipe, .tone: subscribers.tell(.event) { Notification(.event, json: JournalLine.encode(entry.withoutCues)) }
            case .action(let action): tellInConfidence(entry, isPurchase: action.name == declaration.purchase?.action.name)
            default: tellInConfidence(entry, isPurchase: false)
            }
        case .discontinuity: subscribers.tell(.fault) { Notification(.fault, json: JournalLine.encode(entry)) }
        case .header, .checkpoint, .end: break
        }
    }

    /// Notes the state that a new subscriber has been told.
    func remember(_ state: StateReport) { lastState = lastState ?? state }

    /// Tells the state if it has changed and somebody has subscribed to it.
    func tellState(_ state: () -> StateReport) {
        guard subscribers.want(.state) else { return lastState = nil }
        let state = state()
        if state != lastState { subscribers.tell(.state) { Notification(.state, state) } }
        lastState = state
    }

    /// Tells which devices have come or gone, and which issues have, since the last call.
    func tellOfChanges(issues: [String]) {
        if issues != lastIssues { subscribers.tell(.fault) { Notification(.fault, IssuesReport(issues: issues)) } }
        lastIssues = issues
        guard let report = devices?.report else { return }
        let present = ["touchscreens": report.screens.map(\.name), "motors": report.motors.map(\.name)]
        if present != lastDevices { subscribers.tell(.device) { Notification(.device, present) } }
        lastDevices = present
    }

    /// Returns when what is due at a frame of the output is heard, CLOCK_MONOTONIC in nanoseconds, as the render thread said last: what it
    /// said before may be off by much.
    func moment(of frame: Frame) -> Int64 { reports.read().clock.moment(of: frame + latency) }

    /// Plays a pattern, or begins a texture, at the moment at which `frame` is heard. What ends, ends at once.
    func feel(_ cue: Cue, at frame: Frame) {
        let moment = self.moment(of: frame)
        switch cue {
        case .haptic(let name):
            patterns += 1
            devices?.play(name, at: moment, stamp: stamp)
        case .pattern(let pattern):
            patterns += 1
            devices?.play(pattern, at: moment)
        case .texture(let name, on: true): devices?.begin(name, at: moment, stamp: stamp)
        case .texture(let name, on: false): devices?.end(name)
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
        case .chime, .texture, .haptic, .pattern, .mute, .ceiling, .volume, .theme: break
        }
    }
}

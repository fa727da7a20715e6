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

/// Passes the conductor's results to the render thread, to haptic devices and to subscribers. Thread: the event loop.
final class OutputPorts {
    var port: CommandPort
    /// The touchscreens, motors and switches; nil until the search for them has begun.
    var devices: Devices?
    var subscribers = Subscribers()
    /// The clients by which the present household entered.
    var guests = HouseholdGuests()
    private let declaration: Declaration
    /// Reads the render thread's reports.
    var reports: LatestReader<OutputReport>
    /// The kernel's time of the current event, if the event comes from one of our touchscreens (CLOCK_MONOTONIC, nanoseconds); nil for
    /// other events.
    var stamp: Int64?
    /// The memories and ledger entries that the conductor wants stored, and that nobody has fetched yet.
    private var keepings: [Conductor.Keeping] = []
    /// The number of patterns that were requested.
    private(set) var patterns: UInt64 = 0
    /// The tone's state after the last cues.
    var tone = StateReport.Tone()
    private let latency: FrameCount
    private(set) var faults = FaultHistory()
    private var lastState: StateReport?
    private var lastIssues: [String] = []
    private var lastDevices: [String: [String]] = [:]
    private var isGrabbing = false

    /// `latency` is that of the engine; `declaration` is that of the running piece.
    init(_ port: consuming CommandPort, reports: consuming LatestReader<OutputReport>, latency: FrameCount, of declaration: Declaration) {
        self.declaration = declaration
        self.port = port
        self.reports = reports
        self.latency = latency
    }

    /// Grabs the touchscreens, so that no other program gets their touches, or releases them.
    func grabScreens(_ isWanted: Bool) {
        guard isWanted != isGrabbing, let devices else { return }
        isGrabbing = isWanted
        devices.grab(isWanted)
    }

    /// Forgets a client that has disconnected.
    func forget(_ client: Int) {
        subscribers.remove(client)
        guests.disconnected(client)
    }

    func keep(_ keeping: Conductor.Keeping) { keepings.append(keeping) }

    /// Returns a household's memory, if the conductor wants it stored and nobody has fetched it yet; nil where that is not the case.
    func memory(of household: String) -> JSONValue? { keepings.last { $0.household == household && $0.memory != nil }?.memory }

    /// Returns everything that the conductor wants stored, each thing once.
    func takeKeepings() -> [Conductor.Keeping] {
        guard !keepings.isEmpty else { return [] }
        defer { keepings = [] }
        return keepings
    }

    /// Sends subscribers an announcement of the piece, without what each client may not know about the present household.
    func tell(_ announcement: Announcement) {
        let topicName = Topic(announcement.topic)
        guard subscribers.want(topicName) else { return }
        let topic = declaration.topics.first { $0.name == announcement.topic }
        let guests = guests
        subscribers.tell(topicName, visibility: { guests.visibility(of: $0) }) { visibility in
            guard let topic else { return Notification(announcement) }
            guard visibility.has(.money) || !topic.isAboutMoney else { return nil }
            return Notification(topicName, visibility.part(of: announcement, topic.inConfidence))
        }
    }

    /// The fields of an event that are confidential: the household that enters, and the memory that it brings. Only operators get them.
    private static let eventInConfidence: [String: Confidence] = ["household": .name, "memory": .name]

    /// Sends subscribers an event as the journal has it, without its cues and without confidential fields. Another household may be present
    /// by the time it is sent, so only operators learn whose event it is, and only they get purchases.
    private func tellInConfidence(_ entry: JournalEntry, isPurchase: Bool) {
        let guests = guests
        subscribers.tell(.event, visibility: { guests.isOperator($0) ? .all : .none }) { visibility in
            guard visibility.has(.money) || !isPurchase else { return nil }
            let json = JournalLine.encode(entry.withoutOutcome)
            guard visibility != .all else { return Notification(.event, json: json) }
            return Notification(.event, json: json, visibility, Self.eventInConfidence)
        }
    }

    /// Sends subscribers an event as the journal has it, or a discontinuity.
    func tell(_ entry: JournalEntry) {
        switch entry {
        case .event where !subscribers.want(.event): break
        case .event(let event, _, _, _):
            switch event.kind {
            // These events come by thousands a second, and contain nothing about a household.
            case .touch, .tap, .swipe, .tone:
                subscribers.tell(.event) { Notification(.event, json: JournalLine.encode(entry.withoutOutcome)) }
            case .action(let action): tellInConfidence(entry, isPurchase: action.name == declaration.purchase?.action.name)
            default: tellInConfidence(entry, isPurchase: false)
            }
        case .discontinuity(let discontinuity, let frame):
            faults.note(discontinuity, at: frame, SystemTime.now)
            subscribers.tell(.fault) { Notification(.fault, json: JournalLine.encode(entry)) }
        case .header, .checkpoint, .end: break
        }
    }

    /// Records the state that a new subscriber has got, if no state was sent or recorded before.
    func remember(_ state: StateReport) { lastState = lastState ?? state }

    /// Sends subscribers the state if it has changed.
    func tellState(_ state: () -> StateReport) {
        guard subscribers.want(.state) else { return lastState = nil }
        let state = state()
        if state != lastState { subscribers.tell(.state) { Notification(.state, state) } }
        lastState = state
    }

    /// Sends subscribers the present devices and the issues, if they have changed since the last call.
    func tellOfChanges(issues: [String]) {
        if issues != lastIssues {
            faults.note(issues: issues, at: SystemTime.now)
            subscribers.tell(.fault) { Notification(.fault, IssuesReport(issues: issues)) }
        }
        lastIssues = issues
        guard let report = devices?.report else { return }
        let present = ["touchscreens": report.screens.map(\.name), "motors": report.motors.map(\.name)]
        if present != lastDevices { subscribers.tell(.device) { Notification(.device, present) } }
        lastDevices = present
    }

    /// Returns when a command for the frame `frame` of the output is heard; CLOCK_MONOTONIC in nanoseconds. This follows from the render
    /// thread's newest report, because an older one may be far off.
    func moment(of frame: Frame) -> Int64 { reports.read().clock.moment(of: frame + latency) }

    /// Has the devices carry out `cue`: plays a pattern, or begins a texture, at the time at which `frame` is heard. Ends of textures take
    /// effect at once.
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
        case .chime, .texture, .noise, .haptic, .pattern, .mute, .ceiling, .volume, .theme: break
        }
    }
}

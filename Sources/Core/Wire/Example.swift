import Experience
import Signals

/// Example answers, which show the shape of all answers. They contain every optional part, except where it is just a number or a text.
public enum Example {
    public static let clients = ConnectedClients(clients: [ConnectedClients.Client(client: 1, name: nil, role: .operator, isLocal: true)])
    public static let log = LogAnswer(records: [LogRecord(number: 1, time: 0, level: .info, message: "", metadata: [:])], utcOffset: 0)
    public static let faults = FaultList(faults: [
        FaultRecord(number: 1, kind: .issue, began: 0, ended: 0, issue: ""),
        FaultRecord(number: 2, kind: .late, began: 0, ended: 0, frame: 0),
    ])
    public static let settings = SettingList(settings: [
        SettingReport(key: "", value: "", unit: nil, source: .default, place: nil, effect: .start),
    ])
    public static let clock = ClockReport(time: 0, jump: 0)
    public static let reload = ReloadReport(changes: [ReloadReport.Change(key: "", former: "", value: "")], waitingForStart: [""],
                                            warnings: [""])
    public static let week = ScheduleWeek(
        days: [ScheduleWeek.Day(start: 0, utcOffset: 0, date: "", isException: false)],
        spans: [ScheduleWeek.Span(start: 0, until: 0, preset: "", entry: nil, isOpen: true, utcOffset: 0)],
        after: ScheduleWeek.Change(start: 0, preset: "", isOpen: true, utcOffset: 0), chosen: nil)
    public static let names = NameList(names: ["ding"])
    public static let session = StatusReport.Session(journal: "", seconds: 0, events: 0, isHeld: false)
    public static let latency = StatusReport.Latency()
    public static let devices = {
        var devices = StatusReport.Devices()
        devices.touchscreens = [StatusReport.Touchscreen(name: "", node: "", drops: 0)]
        devices.motors = [StatusReport.Motor(name: "", node: "", drive: .sine, slots: 0, held: 0, plays: 0, missed: 0, uploads: 0,
                                             touchToEffectMilliseconds: nil, issue: nil)]
        devices.switches = [StatusReport.Switch(name: "", node: "")]
        devices.unused = [StatusReport.UnusedDevice(name: "", node: "", reason: "", rule: nil)]
        (devices.missing, devices.transducers) = ([""], [0])
        return devices
    }()
    static let byHand = HouseReport.ByHand(by: "", since: nil)
    public static let house = HouseReport(theme: "", preset: "", isByHand: false, entry: nil, nextChange: nil, volume: 0,
                                   volumeByHand: HouseReport.VolumeByHand(level: 0, by: "", since: nil), mute: byHand,
                                   ceiling: HouseReport.Ceiling(level: 0, setting: 0, byHand: byHand),
                                   hearing: HouseReport.Hearing(level: nil, sessionDose: 0, dayDose: 0, volume: 0, rules: hearingRules),
                                   waitingForStart: [""])
    static let hearingRules = HouseReport.HearingRules(
        calibration: 0, limit: 0, session: 0, country: HouseReport.HearingRules.Country(word: "", level: 0, minutes: 0))
    public static let status = {
        var status = StatusReport(house: house)
        status.pages = [StatusReport.Page(client: 1, name: nil, frames: 0, secondsSinceFrame: 0)]
        status.kiosk = StatusReport.Kiosk(report: kiosk, secondsSinceReport: 0)
        (status.session, status.devices, status.issues) = (session, devices, [""])
        status.model = StatusReport.Model(name: "", digest: "")
        status.journalKey = StatusReport.JournalKey(fingerprint: "", pem: "")
        return status
    }()
    public static let kiosk = KioskReport(screens: [KioskReport.Screen(name: "any", isDrawing: true, memory: 0, issue: nil)],
                                          areScreensOn: true, restarts: [:], lastCause: .tabCrashed)
    public static let kioskOrders = KioskOrders(isToRestart: false)
    public static let greeting = Greeting(version: "", sampleRate: 0, experience: "", latencyMilliseconds: 0, capabilities: [""],
                                          role: .operator, person: "", client: 1, methods: [""], touches: touchOwner,
                                          timeZone: "", utcOffset: 0)
    public static let touchOwner = TouchOwnerReport(owner: .engine, screens: [
        TouchOwnerReport.Screen(client: -1, name: "", rotate: 0, width: 1, height: 1),
    ])
    public static let sinks = SinkList(sinks: [
        SinkList.Sink(name: "", description: "", channels: 1, channelNames: ["mono"], sampleRate: 0, isDefault: true, isMuted: false,
                      volume: 0),
    ])
    public static let rehearsal = RehearsalList(scenes: [RehearsalList.Scene(topic: "", name: "")])
    public static let newToken = NewToken(name: "", role: .operator, token: "")
    /// Examples for `token.invite`: where the daemon serves pages, and where it serves none.
    public static let invitations = ["", nil].map { Invitation(name: "", role: .operator, code: "", seconds: 0, address: $0) }
    public static let tokens = TokenList(tokens: [TokenList.Token(name: "", role: .operator, created: 0)])
    static let postings = [LedgerPosting(account: "", currency: "", amount: 0)]
    public static let balances = LedgerBalances(household: "", balances: postings, households: [""])
    public static let entries = LedgerEntries(household: "", entries: [
        LedgerEntries.Entry(number: 1, key: "", kind: "", created: 0, postings: postings, note: ""),
    ])
    public static let households = HouseholdList(
        households: [HouseholdList.Household(name: "", updated: 0, entries: 0, isHere: false, hasOnlySecret: false)], kept: 0, most: 1)
    public static let sessions = SessionList(sessions: [
        SessionList.Session(journal: "", bytes: 0, modified: 0, experience: "", theme: "", started: "", seconds: 0, end: ""),
        SessionList.Session(journal: "", bytes: 0, modified: 0),
    ], removed: [SessionList.Removal(session: "", by: "", at: 0)])
    public static let telemetry = TelemetryPart(text: "", rows: 0, notes: [""], progress: 1, cursor: "")
    public static let batch = TelemetryBatch(text: "", rows: 0, notes: [""], since: "", position: "", isLast: true)
    public static let state = StateReport(hasSession: true, isHeld: true, fingers: 1, tone: StateReport.Tone(), isMuted: false,
                                          isNoticed: false, ceiling: -1, output: .null)
    public static let knobs = [KnobReport(Knob("", .number(0...1, standard: 0), unit: "", about: ""), .standard),
                        KnobReport(Knob("", .flag(standard: false), about: ""), .standard), KnobReport(Counter("", 0))]

    /// Examples for `subscribe`: for a client that may see the status, and for one that may not.
    public static func subscriptions(_ pieces: [Declaration]) -> [Subscription] {
        [subscription(pieces, status), subscription(pieces, nil)]
    }

    /// Returns an answer to `subscribe`, with the snapshot of the first of `pieces` that has one.
    private static func subscription(_ pieces: [Declaration], _ status: StatusReport?) -> Subscription {
        let snapshot = pieces.lazy.compactMap { piece in
            piece.snapshot.flatMap { snapshot in
                piece.queries.first { $0.name == snapshot.query }?.examples.first.map { PieceSnapshot(field: snapshot.field, answer: $0) }
            }
        }.first
        return Subscription(topics: [""], silent: [""], number: 0,
                            snapshot: Subscription.Snapshot(status: status, state: state, touches: touchOwner, piece: snapshot))
    }
}

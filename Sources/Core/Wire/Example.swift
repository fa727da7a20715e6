import Experience
import Registry
import Signals

/// Answers as they might be, so that their shapes can be told: every part that is optional and no mere number or word is there.
enum Example {
    static let names = NameList(names: ["ding"])
    static let session = StatusReport.Session(journal: "", seconds: 0, events: 0, isHeld: false)
    static let latency = StatusReport.Latency(
        touchToSoundMilliseconds: 0, touchToRewriteMilliseconds: 0, marginMilliseconds: 0, queuedMilliseconds: 0, sinkBlockMilliseconds: 0,
        clockErrorMicroseconds: 0, driftPartsPerMillion: 0)
    static let devices = StatusReport.Devices(
        touchscreens: [StatusReport.Touchscreen(name: "", node: "", drops: 0)],
        motors: [StatusReport.Motor(name: "", node: "", drive: "", slots: 0, held: 0, plays: 0, missed: 0, uploads: 0,
                                    touchToEffectMilliseconds: nil, issue: nil)],
        patterns: 0, refused: 0, missing: [""], transducers: [0])
    static let house = HouseReport(theme: "", preset: "", isByHand: false, entry: nil, nextChange: nil, volume: 0,
                                   hearing: HouseReport.Hearing(level: nil, sessionDose: 0, dayDose: 0, volume: 0), waitingForStart: [""])
    static let status = StatusReport(
        version: "", uptimeSeconds: 0, clients: 0,
        output: StatusReport.Output(kind: "", state: "", issue: nil, server: nil, sink: nil, sampleRate: 0, isRevising: true,
                                    isRealtime: true, latency: latency, rewrites: 0, lateRewrites: 0, lateEvents: 0, connections: 0,
                                    underruns: 0, wakeUpsPerSecond: 0),
        session: session, sessions: 0,
        synth: StatusReport.Synth(stolenNotes: 0, refusedNotes: 0, limitedFrames: 0, refusedPatterns: 0, overload: 0),
        devices: devices, house: house, letGo: StatusReport.LetGo(), lostEntries: 0, reopenedDoors: 0, disturbedJournals: 0, issues: [""])
    static let greeting = Greeting(version: "", sampleRate: 0, experience: "", latencyMilliseconds: 0, capabilities: [""], role: .control,
                                   client: 1)
    static let sinks = SinkList(sinks: [
        SinkList.Sink(name: "", description: "", channels: 1, sampleRate: 0, isDefault: true, isMuted: false, volume: 0),
    ])
    static let sessions = SessionList(sessions: [SessionList.Session(journal: "", bytes: 0, modified: 0)])
    static let subscription = Subscription(
        topics: [""], number: 0,
        snapshot: Subscription.Snapshot(status: status, state: state, piece: piece))
    static let state = StateReport(hasSession: true, isHeld: true, fingers: 1, tone: StateReport.Tone(), isMuted: false, ceiling: -1,
                                   output: "")

    private static let piece: PieceSnapshot? = {
        for piece in Registry.pieces.map({ $0.declaration }) {
            guard let snapshot = piece.snapshot, let query = piece.queries.first(where: { $0.name == snapshot.query }),
                  let answer = query.examples.first else { continue }
            return PieceSnapshot(field: snapshot.field, answer: answer)
        }
        return nil
    }()

    static let knob = KnobReport(Knob("", .number(0...1, standard: 0), unit: "", about: ""), .standard)
    static let flag = KnobReport(Knob("", .flag(standard: false), about: ""), .standard)
    static let counter = KnobReport(Counter("", 0))
}

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
        snapshot: Subscription.Snapshot(
            status: status, state: state, feed: feed))
    static let state = StateReport(hasSession: true, isHeld: true, fingers: 1, tone: StateReport.Tone(), isMuted: false, ceiling: -1,
                                   output: "")

    static let feed = FeedState(time: 0, index: 0, generated: 0, blocksViewed: 0, uniqueBlocksSeen: 0, totalSwipes: 0, unlockCount: 0,
                                rewardDrought: 0, pausedUntil: nil, pChurn: nil, interventions: 0, toneFrequency: 240, toneLevel: -60)
    static let cards = CardList(cards: [
        Card(index: 0, face: .leaderboard), Card(index: 1, face: .gray(Color(gray: 0))), Card(index: 2, face: .skin(skin)),
    ])
    static let inventory = Inventory(entries: Rarity.allCases.map { rarity in
        var skin = skin
        skin.rarity = rarity
        return Inventory.Entry(skin: skin, timesSeen: 1)
    })
    static let leaderboard = Leaderboard(rows: [Leaderboard.Row(name: "", score: 0)])
    static let knob = ParameterReport(.toastCooldown, .standard)
    static let flag = ParameterReport(.forceUnlockAll, .standard)
    static let counter = ParameterReport(counter: "", 0)

    static let sessionRecord = SessionRecord(timestamp: 0, sessionLength: 0, activeScrollSeconds: 0, blocksViewed: 0, uniqueBlocksSeen: 0,
                                             totalSwipes: 0, unlockCount: 0, interventions: 0, pChurn: nil)
    static let scrollRecord = ScrollRecord(
        timestamp: 0, cardIndex: 0, blocksViewed: 0, uniqueBlocksSeen: 0, unlockCount: 0, rewardDrought: 0, velocity: 0, velocityTrend: 0,
        sessionLength: 0, activeScrollSeconds: 0, timeOfDayBucket: 0, rarityShown: .common, pChurn: 0)

    static let skin = Skin(id: "", name: "", rarity: .common, look: .symbols("", [Color(gray: 0)]))
}

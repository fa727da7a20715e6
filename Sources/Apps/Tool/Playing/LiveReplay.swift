import ArgumentParser
import CLinux
import ControlSocket
import Experience
import Fields
import FoundationEssentials
import Journal
import JournalFile
import Signals
import SystemPackage
import Units
import Wire

/// Replays a journal through thrumd. Each event is sent ahead with the moment at which it is to be heard, so that a short stall does not
/// change the rhythm.
final class LiveReplay {
    struct Outcome: Sendable {
        var totals: ReplayTally.Totals
        var seconds: Double
        /// Whether it was replayed to its end.
        var isWhole: Bool
    }

    private typealias Connections = ThrowingTaskGroup<Void, any Error>

    /// How long before its moment an event is sent.
    private static let reach: Int64 = 1_000_000_000
    /// The most events of one client that are planned at once; thrumd takes 512 of a client, and 4,096 of all.
    private static let clientRoom = 400
    private static let room = 3_000

    private let plan: ReplayPlan
    private let declaration: Declaration?
    private let name: String
    private let socket: String
    /// A connection for queries; it reports nothing.
    private let control: ControlClient.Exchange
    /// Whether another client began the session.
    private let isJoining: Bool
    /// The time from an event to its sound, in nanoseconds.
    private let latency: Int64
    private let pace: ReplayPace
    private let tally: ReplayTally
    private var clients: [Client: ReplayClient] = [:]
    private var grips: [Client: Grip] = [:]
    /// The moment of the event before, CLOCK_MONOTONIC in nanoseconds.
    private var last: Int64 = 0
    private var hasCompared = false

    init(_ plan: ReplayPlan, name: String, speed: Double, socket: String, control: ControlClient.Exchange, greeting: Greeting,
         isJoining: Bool) {
        self.plan = plan
        declaration = Pieces.current.all.declarations.first { $0.name == plan.header.experience }
        self.name = name
        self.socket = socket
        self.control = control
        self.isJoining = isJoining
        latency = Int64(greeting.latencyMilliseconds * 1e6)
        pace = ReplayPace(plan, speed: speed)
        tally = ReplayTally(journal: name)
    }

    /// Plays the journal. A fatal error is printed and becomes an exit status.
    func run() async throws -> Outcome {
        var isWhole = true
        do {
            // When this throws, every connection is closed, and all that is held or planned is gone with it.
            try await withThrowingTaskGroup(of: Void.self) { group in try await self.play(&group) }
        } catch is Interrupted {
            isWhole = false
        } catch let fault as JournalFault {
            throw failure(fault.description(file: name), Exit.data)
        } catch let errno as Errno {
            throw failure("\(name): \(errno)", Exit.noInput)
        }
        return Outcome(totals: tally.totals, seconds: pace.seconds, isWhole: isWhole)
    }

    private func play(_ group: inout Connections) async throws {
        var scan = try JournalScan(plan.path)
        while let entry = try scan.next() {
            // What was held from there on is unknown.
            if case .discontinuity(.lost, let frame) = entry { for client in Array(clients.keys) { leave(client, at: frame) } }
            // The engine repeats its own events by itself.
            guard case .event(let event, let frame, _, _) = entry, event.client != .engine else { continue }
            if event.kind == .left {
                leave(event.client, at: frame)
            } else if event.kind.isReportable, !isJoining || event.kind != .start {
                try await send(event, at: frame, line: scan.line, &group)
            }
        }
        try await finish()
    }

    private func send(_ event: Event, at frame: Frame, line: Int, _ group: inout Connections) async throws {
        // Never two at one moment, so that those of different connections keep their order.
        let moment = max(pace.moment(of: frame), last + 1)
        last = moment
        try await pace.hold(until: moment - Self.reach)
        try await compare()
        let client = try await connection(of: event.client, &group)
        try await pace.wait(until: moment) { client.waiting < Self.clientRoom && self.tally.totals.waiting < Self.room }
        // A client may have lost its connection because thrumd is gone.
        if client.isLost { let _: Pong = try await control.result(of: "ping") }
        // What has passed is heard the latency after its moment: so it is told a moment that is as much earlier.
        let isAhead = moment > monotonicNanoseconds() + latency
        // As the piece's own type writes it today: a field of an older journal may have another name since.
        let kind = (try? declaration?.read(event))?.kind ?? event.kind
        let request = try ReplayRequest(id: line, kind: kind, moment: isAhead ? moment : moment - latency).line()
        if request.count <= LineFramer.standardLimit {
            client.send(request, line: line)
        } else {
            tally.refuse(line, "a request has at most \(LineFramer.standardLimit) bytes", wasSent: false)
        }
        grips[event.client, default: Grip()].follow(event.kind)
        if event.kind == .stop {
            grips = [:]
            // It drops everything that is planned: what comes after it may not be there yet.
            try await pace.wait(until: moment) { !client.isWaiting(for: line) }
        }
        // Its place is for another; but one that holds something leaves when the journal says so.
        if plan.lastLines[event.client] == line, grips[event.client]?.isEmpty != false {
            client.close()
            clients[event.client] = nil
        }
    }

    /// Has a client leave. That cannot be planned: it is heard a little after the moment, as it was the first time.
    private func leave(_ number: Client, at frame: Frame) {
        grips[number] = nil
        clients.removeValue(forKey: number)?.leave(at: pace.moment(of: frame))
    }

    private func finish() async throws {
        try await pace.hold(until: pace.moment(of: plan.end))
        try await pace.wait(until: last) { self.tally.totals.waiting == 0 }
        try await compare()
        if !isJoining { try await control.endSession() }
        for client in clients.values { client.close() }
    }

    private func connection(of number: Client, _ group: inout Connections) async throws -> ReplayClient {
        if let client = clients[number] { return client }
        let connection: ControlClient
        do {
            connection = try await ControlClient.connect(to: socket)
        } catch let error as ControlSocketError {
            throw unreachable(error)
        }
        let client = ReplayClient(tally)
        group.addTask { await client.run(on: connection) }
        clients[number] = client
        return client
    }

    /// Says what of the session is not the journal's, as soon as the session has begun: thrumd does not tell before.
    private func compare() async throws {
        guard !hasCompared, tally.totals.answered > 0 else { return }
        hasCompared = true
        guard let path = try await control.journal(within: .milliseconds(200)), let live = SessionEntry.header(path) else {
            return warnAboveBar("\(name): warning: thrumd keeps no journal to compare with: its theme and seed may be others")
        }
        if live.seed != plan.header.seed, plan.needsSeed {
            warnAboveBar("\(name): warning: thrumd's seed is \(live.seed), the journal's is \(plan.header.seed): what is random comes out "
                + "otherwise (thrumd --seed \(plan.header.seed))")
        }
        if let rules = live.rules?.version, let played = plan.header.rules?.version, rules != played {
            warnAboveBar("\(name): warning: thrumd's rules of \(live.experience) are \(rules), the journal's are \(played): the same "
                + "events may come out otherwise")
        }
        if live.theme != plan.header.theme { warnAboveBar("\(name): warning: thrumd's theme is not the journal's") }
        if live.knobs != plan.header.knobs { warnAboveBar("\(name): warning: thrumd's knobs do not stand as the journal's did") }
    }
}

/// The fingers and the tone that a client holds. Its connection must stay open as long as it holds any.
struct Grip {
    private var fingers: Set<Int> = []
    private var holdsTone = false

    var isEmpty: Bool { fingers.isEmpty && !holdsTone }

    mutating func follow(_ kind: EventKind) {
        switch kind {
        case .touch(let touch) where touch.phase == .began: fingers.insert(touch.finger)
        case .touch(let touch) where touch.phase == .ended: fingers.remove(touch.finger)
        case .tone(let request): holdsTone = request.on ?? holdsTone
        default: break
        }
    }
}

/// An event as a request that says when it is to be heard.
struct ReplayRequest: Encodable {
    /// The line of the journal.
    var id: Int
    var kind: EventKind
    /// The moment at which the event is to be heard, CLOCK_MONOTONIC in nanoseconds.
    var moment: Int64

    /// Returns the request's line without its newline.
    func line() throws -> [UInt8] { [UInt8](try JSONEncoder().encode(self)) }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Fields.Key.self)
        try container.encode("2.0", forKey: Fields.Key("jsonrpc"))
        try container.encode(id, forKey: Fields.Key("id"))
        try container.encode(kind.method, forKey: Fields.Key("method"))
        var parameters = container.nestedContainer(keyedBy: Fields.Key.self, forKey: Fields.Key("params"))
        try kind.encode(into: &parameters)
        try parameters.encode(moment, forKey: Fields.Key("at"))
    }
}

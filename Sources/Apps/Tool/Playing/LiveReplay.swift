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

/// Replays a journal through thrumd. Each event is sent ahead of time, with the time at which it is to be heard, so that a short stall of
/// this program does not change the rhythm.
final class LiveReplay {
    struct Outcome: Sendable {
        var totals: ReplayTally.Totals
        var seconds: Double
        /// Whether the journal was replayed to its end.
        var isWhole: Bool
    }

    private typealias Connections = ThrowingTaskGroup<Void, any Error>

    /// How long before it is to be heard an event is sent, in nanoseconds.
    private static let reach: Int64 = 1_000_000_000
    /// The largest number of events of one client that are sent and not yet answered; `room` is that of all clients. thrumd plans at most
    /// 512 events of a client, and 4,096 of all clients.
    private static let clientRoom = 400
    private static let room = 3_000

    private let plan: ReplayPlan
    private let declaration: Declaration?
    private let name: String
    private let socket: String
    /// The connection on which only queries are sent. Each client of the journal has a connection of its own for its events.
    private let control: ControlClient.Exchange
    /// Whether the replay takes part in a session that another client began, and so does not end it.
    private let isJoining: Bool
    /// The time that thrumd needs from an event to its sound, in nanoseconds.
    private let latency: Int64
    private let pace: ReplayPace
    private let tally: ReplayTally
    private var clients: [Client: ReplayClient] = [:]
    private var grips: [Client: Grip] = [:]
    /// The time at which the previous event is to be heard; CLOCK_MONOTONIC in nanoseconds.
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

    /// Plays the journal to its end, or until the user interrupts that. A fatal error is printed and becomes an exit status.
    func run() async throws -> Outcome {
        var isWhole = true
        do {
            // An error closes every connection, and so releases everything that is held or planned.
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
            // The journal lost what clients did from this frame on, so they let go of everything they held.
            if case .discontinuity(.lost, let frame) = entry { for client in Array(clients.keys) { leave(client, at: frame) } }
            // Events of the engine itself are not sent: the running engine makes them again.
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
        // No two events have the same moment, so that events on different connections keep their order.
        let moment = max(pace.moment(of: frame), last + 1)
        last = moment
        try await pace.hold(until: moment - Self.reach)
        try await compare()
        let client = try await connection(of: event.client, &group)
        try await pace.wait(until: moment) { client.waiting < Self.clientRoom && self.tally.totals.waiting < Self.room }
        // A client may have lost its connection because thrumd has ended. If so, this query fails.
        if client.isLost { let _: Pong = try await control.result(of: "ping") }
        // An event whose moment has passed would be heard one latency later. So it is sent with a moment that is earlier by the latency.
        let isAhead = moment > monotonicNanoseconds() + latency
        // The piece's own type reads the event and writes it in today's format, because a field may have had another name in an older
        // journal.
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
            // A stop drops everything that is planned, so later events may only be sent once it has been answered.
            try await pace.wait(until: moment) { !client.isWaiting(for: line) }
        }
        // The client sends nothing more, and frees its place for another. A client that still holds something leaves when the journal says
        // so.
        if plan.lastLines[event.client] == line, grips[event.client]?.isEmpty != false {
            client.close()
            clients[event.client] = nil
        }
    }

    /// Closes the connection of client `number` at `frame`. thrumd cannot plan that ahead, so the client leaves a little later, as it did
    /// in the recording.
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

    /// Once the session has begun, warns where the live session has another seed, rules, model, theme or knobs than the journal.
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
        if live.model != plan.header.model, let model = live.model, let played = plan.header.model {
            warnAboveBar("\(name): warning: thrumd predicts by \(model.name), the journal's visit by \(played.name)"
                + (model.name == played.name ? " of another digest" : "") + ": the piece may act otherwise")
        }
        if live.theme != plan.header.theme { warnAboveBar("\(name): warning: thrumd's theme is not the journal's") }
        if live.knobs != plan.header.knobs { warnAboveBar("\(name): warning: thrumd's knobs do not stand as the journal's did") }
    }
}

/// What a client holds at present: its fingers on the screen, and the tone. Its connection must stay open as long as it holds any of them.
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

/// An event as a JSON-RPC request that also says when the event is to be heard.
struct ReplayRequest: Encodable {
    /// The number of the event's line in the journal; it serves as the request's id.
    var id: Int
    var kind: EventKind
    /// The time at which the event is to be heard, CLOCK_MONOTONIC in nanoseconds.
    var moment: Int64

    /// Returns the request as a line without its newline.
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

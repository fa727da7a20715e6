import AudioOutput
import CLinux
import ControlSocket
import Evdev
import Experience
import Fields
import NIOCore
import NIOPosix
import Signals
import Synth
import Units
import Wire

// What clients ask for.
extension Stage {
    private func answer(_ request: Request<Call>, from client: Int, _ reply: @escaping @Sendable ([UInt8]) -> Void) {
        switch request.call {
        case .hello(let name, let reportsGestures):
            presence.introduced(client, reportsGestures: reportsGestures)
            logger.debug("hello", metadata: ["client": "\(client)", "name": "\((name ?? "").debugDescription)"])
            respond(greeting(client), request.id, reply)
        case .status:
            respond(status(), request.id, reply)
        case .ping:
            respond(Pong(time: monotonicNanoseconds()), request.id, reply)
        case .discover:
            if let id = request.id { reply(Reply.line(result: document, id: id)) }
        case .ask(let question):
            do throws(ErrorReply) {
                let answer = try question.answer(by: conductor.current, at: runTime)
                respond(answer, request.id, reply)
            } catch {
                reply(Reply.line(error: error.answering(request.id)))
            }
        case .inspect(let question):
            inspect(question, request, reply)
        case .subscribe(let topics, let rate):
            subscribe(client, to: topics, rate: rate, request, reply)
        case .report(let kind, let moment):
            take(kind, at: moment, request.id, from: client, reply)
        case .theme(let name):
            choose(request.id, reply, { house throws(Fault) in try house.use(theme: name) }, then: respond)
        case .preset(let name):
            choose(request.id, reply, { house throws(Fault) in try house.use(preset: name) }, then: respondWhenKept)
        case .endSession:
            agenda.cancelAll().forEach { $0() }
            guard conductor.visit != nil else { return respond(Receipt(frame: nil), request.id, reply) }
            end(.request, ticket: request.id.map { receipts.ask($0, reply) })
        }
    }

    /// What somebody chooses by hand is heard at once.
    private func choose(_ id: RequestID?, _ reply: @escaping @Sendable ([UInt8]) -> Void, _ choice: (inout House) throws(Fault) -> Void,
                        then answer: (Receipt, RequestID?, @escaping @Sendable ([UInt8]) -> Void) -> Void) {
        do throws(Fault) {
            try choice(&house)
        } catch {
            return reply(Reply.line(error: ErrorReply(.refused, fault: error, id: id)))
        }
        tendHouse(monotonicNanoseconds())
        answer(Receipt(frame: nil), id, reply)
    }

    /// Who was answered may pull the plug: the choice is on the disk then, or the answer says why it is not.
    private func respondWhenKept(_ receipt: Receipt, _ id: RequestID?, _ reply: @escaping @Sendable ([UInt8]) -> Void) {
        kept.keep(house, monotonicNanoseconds()) { [loop] problem in
            guard let id else { return }
            var receipt = receipt
            receipt.notKept = problem?.reason
            let line = Reply.line(result: receipt, id: id)
            loop.execute { reply(line) }
        }
    }

    private func greeting(_ client: Int) -> Greeting {
        let report = reports.read()
        let settings = settings.values
        let screens = outlet.devices?.report.screens ?? []
        let capabilities: [(name: String, isThere: Bool)] = [
            ("osc", settings.osc != nil || settings.oscSocket != nil), ("touchscreens", !screens.isEmpty),
            ("transducer", settings.hasTransducer), ("websocket", settings.webSocket != nil),
        ]
        return Greeting(version: settings.version, sampleRate: Int(settings.rate.hertz), experience: settings.piece.declaration.name,
                        latencyMilliseconds: settings.rate.seconds(in: report.lead).rawValue * 1000,
                        capabilities: capabilities.filter(\.isThere).map(\.name), role: presence.role(of: client), client: client)
    }

    private func inspect(_ question: EngineQuestion, _ request: Request<Call>, _ reply: @escaping @Sendable ([UInt8]) -> Void) {
        if let answer = question.answer(settings.values, conductor.theme, house, status) { return respond(answer, request.id, reply) }
        guard let id = request.id else { return }
        do throws(ErrorReply) {
            try slowAnswers.begin()
        } catch {
            return reply(Reply.line(error: error.answering(id)))
        }
        NIOThreadPool.singleton.runIfActive(eventLoop: loop) { [settings = settings.values] in
            do throws(ErrorReply) {
                return Reply.line(result: try question.longAnswer(settings), id: id)
            } catch {
                return Reply.line(error: error.answering(id))
            }
        }.assumeIsolated().whenComplete { answer in
            self.assumeIsolated { $0.slowAnswers.end() }
            if case .success(let line) = answer { reply(line) }
        }
    }

    private func subscribe(_ client: Int, to topics: Set<Topic>, rate: Double, _ request: Request<Call>, _ reply: ([UInt8]) -> Void) {
        let limit = settings.values.limits.subscribers
        guard topics.isEmpty || outlet.subscribers.hasRoom(for: client, limit: limit) else {
            let reason = "\(limit) clients are subscribed already (max-subscribers)"
            return reply(Reply.line(error: ErrorReply(.refused, reason, id: request.id)))
        }
        let state = state
        let number = outlet.subscribers.subscribe(client, to: topics)
        outlet.remember(state)
        if topics.contains(.meters) {
            metering.begin(for: client, rate: rate) {
                self.assumeIsolated { $0.reports.read().clock.frame(at: monotonicNanoseconds()) }
            } tell: { meters in
                self.assumeIsolated { $0.outlet.subscribers.tell(client, .meters, meters) }
            }
        } else {
            metering.end(for: client)
        }
        let snapshot = Subscription.Snapshot(status: status(), state: state, piece: PieceSnapshot(of: conductor.current, at: runTime))
        respond(Subscription(topics: topics.map(\.rawValue).sorted(), number: number, snapshot: snapshot), request.id, reply)
    }

    private func take(_ kind: EventKind, at moment: Moment?, _ id: RequestID?, from client: Int,
                      _ reply: @escaping @Sendable ([UInt8]) -> Void) {
        if isClosing {
            return reply(Reply.line(error: ErrorReply(.refused, "shutting down", id: id)))
        }
        switch timing.turn(of: moment, at: monotonicNanoseconds()) {
        case .atOnce(let stamp): act(on: kind, at: stamp, id, from: client, reply)
        case .planned(let heard):
            guard presence.role(of: client) != .watch else {
                let reason = "a client that may only watch stops at once, and plans nothing"
                return reply(Reply.line(error: ErrorReply(.refused, reason, id: id)))
            }
            plan(kind, at: heard, id, from: client, reply)
        }
    }

    /// Acts on it when its time has come: what is stamped is heard the lead after its stamp, and the lead is what it is by then.
    private func plan(_ kind: EventKind, at heard: Int64, _ id: RequestID?, from client: Int,
                      _ reply: @escaping @Sendable ([UInt8]) -> Void) {
        let stamp = timing.stamp(for: heard, lead: reports.read().lead)
        guard stamp > monotonicNanoseconds() else { return act(on: kind, at: stamp, id, from: client, reply) }
        let weight = Agenda.weight(of: kind)
        guard agenda.hasRoom(for: client, weight: weight) else {
            return reply(Reply.line(error: ErrorReply(.refused, Agenda.refusal, id: id)))
        }
        agenda.put(from: client, weight: weight) { number in
            let timer = loop.assumeIsolated().scheduleTask(deadline: .uptimeNanoseconds(UInt64(stamp))) {
                self.assumeIsolated { stage in
                    stage.agenda.strike(number)
                    stage.plan(kind, at: heard, id, from: client, reply)
                }
            }
            return { timer.cancel() }
        } cancelled: {
            reply(Reply.line(error: ErrorReply(.refused, "cancelled before its time", id: id)))
        }
    }

    private func act(on kind: EventKind, at stamp: Int64?, _ id: RequestID?, from client: Int,
                     _ reply: @escaping @Sendable ([UInt8]) -> Void) {
        // Nothing is to sound after it.
        if kind == .stop { agenda.cancelAll().forEach { $0() } }
        guard hasRoom(for: kind) else {
            overload.refuse(at: monotonicNanoseconds())
            return reply(Reply.line(error: ErrorReply(.refused, "overloaded: events come faster than they can be played",
                                                      id: id)))
        }
        let ticket = id.map { receipts.ask($0, reply) }
        do throws(Fault) {
            guard try !report(kind, at: stamp, from: .connection(client), ticket: ticket) else { return }
            respond(Receipt(frame: nil), id, reply)
        } catch {
            reply(Reply.line(error: ErrorReply(.refused, fault: error, id: id)))
        }
        if let ticket { receipts.withdraw(ticket) }
    }

    private func respond(_ result: any Encodable, _ id: RequestID?, _ reply: ([UInt8]) -> Void) {
        if let id { reply(Reply.line(result: result, id: id)) }
    }

    /// Now, counted from the run's start; 0 without one.
    private var runTime: Frame { conductor.run?.time(of: due(monotonicNanoseconds()).frame) ?? .zero }
}

// The server calls on the event loop, which is the actor's executor.
extension Stage: ControlService {
    nonisolated func connected(_ client: Int, as role: Role, push: @escaping @Sendable ([UInt8]) -> Bool) {
        assumeIsolated { stage in
            stage.presence.connected(client, as: role)
            stage.outlet.subscribers.add(client, push: push)
        }
    }

    nonisolated func answer(_ request: Request<Call>, from client: Int, reply: @escaping @Sendable ([UInt8]) -> Void) {
        assumeIsolated { $0.answer(request, from: client, reply) }
    }

    nonisolated func disconnected(_ client: Int, because departure: Departure) {
        assumeIsolated { stage in
            if let reason = Presence.Reason(departure) { stage.tell(letGo: .connection(client), because: reason) }
            stage.presence.disconnected(client)
            stage.metering.end(for: client)
            stage.outlet.subscribers.remove(client)
            stage.agenda.cancel(from: client).forEach { $0() }
            if !stage.isClosing { stage.letGo(.connection(client)) }
        }
    }
}

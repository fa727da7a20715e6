import AudioOutput
import CLinux
import ControlSocket
import Evdev
import Experience
import Fields
import Files
import NIOCore
import Signals
import Synth
import Units
import Wire

// What clients ask for.
extension Stage {
    private func answer(_ request: Request, _ caller: Caller) {
        switch request.call {
        case .event(let kind, let moment): take(kind, at: moment, caller)
        case .ping: caller.answer(Pong(time: monotonicNanoseconds()))
        case .command(let command):
            guard let command = command as? StageCommand else { preconditionFailure("the stage's methods make no other commands") }
            command.act(self, caller)
        }
    }

    /// Applies a choice by hand at once. `answer` sends the answer.
    func choose(_ caller: Caller, _ choice: (inout House) throws(Fault) -> Void, then answer: (Caller) -> Void) {
        do throws(Fault) {
            try choice(&house)
        } catch {
            return caller.refuse(ErrorReply(.refused(.notNow), fault: error))
        }
        tendHouse(monotonicNanoseconds())
        answer(caller)
    }

    /// Of a preset. Who was answered may pull the plug: the choice is on the disk then, or the answer says why it is not.
    func answerWhenKept(_ caller: Caller) {
        kept.keepChoice(of: house, monotonicNanoseconds()) { problem in
            Later(caller).resume { _ in caller.answer(Receipt(frame: nil, notKept: problem?.reason)) }
        }
    }

    func endSession(for caller: Caller) {
        if let refusal = refusal(toEndSessionBy: caller.client) { return caller.refuse(refusal) }
        if let refusal = refusalOfDeedForNow(from: caller.client) { return caller.refuse(refusal) }
        // What operators have planned goes beyond a visit, and only they end it.
        let presence = clients.presence
        let isOperator = presence.role(of: caller.client) == .operator
        clients.agenda.cancel { isOperator || presence.role(of: $0) != .operator }.forEach { $0() }
        guard conductor.visit != nil else { return caller.answer(Receipt(frame: nil)) }
        guard outputs.port.hasRoomToRelease else { return refuseForOverload(caller) }
        end(.request, ticket: caller.id.map { receipts.ask($0, caller.reply) })
    }

    func greeting(_ client: Int) -> Greeting {
        let report = outputs.reports.read()
        let settings = settings.values
        let screens = outputs.devices?.report.screens ?? []
        let capabilities: [(name: String, isThere: Bool)] = [
            ("http", settings.http != nil), ("osc", settings.osc != nil || settings.oscSocket != nil), ("touchscreens", !screens.isEmpty),
            ("transducer", settings.hasTransducer),
        ]
        let person: String? = if case .token(let name) = clients.presence.identity(of: client) { TokenName.person(name) } else { nil }
        let role = clients.presence.role(of: client)
        let mayCall = methods.descriptions.filter { role.admits($0.access) }.map(\.name)
        return Greeting(version: settings.version, sampleRate: Int(settings.rate.hertz), experience: conductor.piece.declaration.name,
                        latencyMilliseconds: settings.rate.seconds(in: report.lead).rawValue * 1000,
                        capabilities: capabilities.filter(\.isThere).map(\.name), role: role,
                        person: person, client: client, methods: mayCall, touches: clients.ownership.report(for: client))
    }

    /// As much of what the piece answers as a client may know of the household that is there.
    func answer(_ query: PieceQuery, _ client: Int) throws(ErrorReply) -> any Encodable & Sendable {
        let sight = outputs.guests.sight(of: client)
        let declared = conductor.piece.declaration.queries.first { $0.name == query.name }
        if declared?.isAboutMoney == true, !sight.has(.money) {
            throw ErrorReply(.refused(.notAllowed), "only operators, and who came in the household's name, are told of its money")
        }
        do throws(Fault) {
            return sight.part(of: clocked(try answerOfPiece(query)), declared?.inConfidence ?? [:])
        } catch {
            throw ErrorReply(.invalidParams, fault: error)
        }
    }

    /// The same with its moments in seconds since the run's start.
    func answerOfPiece(_ query: PieceQuery) throws(Fault) -> any Encodable & Sendable { try conductor.current.answer(query, at: runTime) }

    /// What the piece answers for a household, which need not be there. `name` is a query's without parameters.
    func answer(_ name: String, of household: String) throws(ErrorReply) -> any Encodable {
        let declaration = conductor.piece.declaration
        do throws(Fault) {
            guard let query = declaration.query(name) else {
                let queries = declaration.queries.map { $0.name }.filter { declaration.query($0) != nil }.joined(separator: ", ")
                let expected = queries.isEmpty ? "nothing, because the experience \(declaration.name) answers nothing" : "one of \(queries)"
                throw Fault(field: "query", expected: expected, found: "\"\(name)\"")
            }
            if household == conductor.household { return clocked(try conductor.current.answer(query, at: runTime)) }
            return try conductor.preview(of: household).answer(query, at: .zero)
        } catch {
            throw ErrorReply(.invalidParams, fault: error)
        }
    }

    /// With its moments by the machine's clock.
    func clocked(_ answer: any Encodable & Sendable) -> any Encodable & Sendable {
        guard let moments = conductor.moments, let answer = answer as? any Clocked & Encodable else { return answer }
        return answer.clocked(moments)
    }

    /// The debug panel: the knobs, and the counters of which `client` may be told.
    func knobs(for client: Int) -> [KnobReport] {
        let (run, sight) = (conductor.current, outputs.guests.sight(of: client))
        let counters = run.counters(at: runTime).filter { counter in counter.confidence.map { sight.has($0) } ?? true }
        return run.declaration.knobs.map { KnobReport($0, run.knobs) } + counters.map { KnobReport($0) }
    }

    /// The knob or counter called so, as far as `client` may be told of it.
    func knob(_ name: String, for client: Int) throws(ErrorReply) -> KnobReport {
        let knobs = knobs(for: client)
        if let knob = knobs.first(where: { $0.name == name }) { return knob }
        guard !conductor.current.counters(at: runTime).contains(where: { $0.name == name }) else {
            throw ErrorReply(.refused(.notAllowed), "only operators, and who came in the household's name, are told of its \(name)")
        }
        let names = knobs.map(\.name)
        throw ErrorReply(.invalidParams, fault: Fault(field: "name", expected: "one of " + names.joined(separator: ", "),
                                                      found: "\"\(name)\"" + Spelling.hint(for: name, among: names)))
    }

    /// Computes `answer` on a thread of `workers`.
    func answerSlowly(_ caller: Caller, by workers: Workers,
                      _ answer: @escaping @Sendable (LiveSettings) throws(ErrorReply) -> any Encodable & Sendable) {
        guard let id = caller.id else { return }
        Later(caller).work(by: workers) { [settings = settings.values] () throws(ErrorReply) in
            Reply.line(result: try answer(settings), id: id)
        } then: { _, line in caller.reply(line) }
    }

    /// `wanted` nil is all of `usual` that the client may be told of.
    func subscribe(_ caller: Caller, to wanted: Set<Topic>?, usually usual: Set<Topic>, rate: Double) {
        let mayInspect = clients.presence.role(of: caller.client).admits(.inspect)
        let secret = mayInspect ? [] : Topic.inspected
        if let refused = wanted?.intersection(secret).map(\.name).sorted(), !refused.isEmpty {
            let found = refused.joined(separator: ", ")
            let fault = Fault(field: "topics", expected: "none that are only for those who watch, and operators", found: found)
            return caller.refuse(ErrorReply(.refused(.notAllowed), fault: fault))
        }
        let topics = wanted ?? usual.subtracting(secret)
        let limit = settings.values.limits.subscribers
        guard topics.isEmpty || outputs.subscribers.hasRoom(for: caller.client, limit: limit) else {
            return caller.refuse(ErrorReply(.refused(.noRoom), "\(limit) clients are subscribed already (max-subscribers)"))
        }
        let state = state
        let number = outputs.subscribers.subscribe(caller.client, to: topics)
        outputs.remember(state)
        if topics.contains(.meters) {
            metering.begin(for: caller.client, rate: rate) {
                self.assumeIsolated { $0.outputs.reports.read().clock.frame(at: monotonicNanoseconds()) }
            } tell: { meters in
                self.assumeIsolated { $0.outputs.subscribers.tell(caller.client, .meters, meters) }
            }
        } else {
            metering.end(for: caller.client)
        }
        let snapshot = Subscription.Snapshot(status: mayInspect ? status() : nil, state: state, piece: pieceSnapshot(for: caller.client))
        let told = Set(TopicTable([conductor.piece.declaration]).names)
        let silent = topics.map(\.name).filter { !told.contains($0) }.sorted()
        caller.answer(Subscription(topics: topics.map(\.name).sorted(), silent: silent.isEmpty ? nil : silent, number: number,
                                   snapshot: snapshot))
    }

    /// As much as a client may know of what the piece declares to be its snapshot; nil for one that declares none.
    private func pieceSnapshot(for client: Int) -> PieceSnapshot? {
        let declaration = conductor.piece.declaration
        guard let snapshot = declaration.snapshot, let query = declaration.query(snapshot.query),
              let answer = try? answer(query, client) else { return nil }
        return PieceSnapshot(field: snapshot.field, answer: answer)
    }

    private func take(_ kind: EventKind, at moment: Moment?, _ caller: Caller) {
        if isClosing { return caller.refuse(ErrorReply(.refused(.shuttingDown), "shutting down")) }
        switch timing.turn(of: moment, at: monotonicNanoseconds()) {
        case .atOnce(let stamp): begin(kind, at: stamp, caller)
        case .planned(let heard):
            guard clients.presence.role(of: caller.client) != .watch else {
                return caller.refuse(ErrorReply(.refused(.notAllowed), "a client that may only watch stops at once, and plans nothing"))
            }
            plan(kind, at: heard, caller)
        }
    }

    /// Acts on it when its time has come. A stamped event is heard the lead after its stamp, with the lead as it is then.
    private func plan(_ kind: EventKind, at heard: Int64, _ caller: Caller) {
        let stamp = timing.stamp(for: heard, lead: outputs.reports.read().lead)
        guard stamp > monotonicNanoseconds() else { return begin(kind, at: stamp, caller) }
        let weight = Agenda.weight(of: kind)
        guard clients.agenda.hasRoom(for: caller.client, weight: weight) else {
            return caller.refuse(ErrorReply(.refused(.noRoom), Agenda.refusal))
        }
        clients.agenda.put(from: caller.client, weight: weight) { number in
            let timer = loop.assumeIsolated().scheduleTask(deadline: .uptimeNanoseconds(UInt64(stamp))) {
                self.assumeIsolated { stage in
                    stage.clients.agenda.strike(number)
                    stage.plan(kind, at: heard, caller)
                }
            }
            return { timer.cancel() }
        } cancelled: {
            caller.refuse(ErrorReply(.refused(.cancelled), "cancelled before its time"))
        }
    }

    private func refuseForOverload(_ caller: Caller) {
        overload.refuse(at: monotonicNanoseconds())
        caller.refuse(ErrorReply(.refused(.overloaded), "overloaded: events come faster than they can be played"))
    }

    private func begin(_ kind: EventKind, at stamp: Int64?, _ caller: Caller) {
        if let refusal = refusalForNow(of: kind, from: caller.client) { return caller.refuse(refusal) }
        guard case .action(let action) = kind else { return act(on: kind, at: stamp, caller) }
        if let reason = kept.refusal(ofActionsOf: conductor.piece.declaration) {
            return caller.refuse(ErrorReply(.refused(.notKept), reason))
        }
        if let refusal = desks.secrets.refusal(of: action, from: caller.client, on: self) { return caller.refuse(refusal) }
        if let household = action.body.entering { return desks.secrets.enter(household, by: action, at: stamp, caller, on: self) }
        guard let key = action.body.key else { return act(on: kind, at: stamp, caller) }
        let asked = KeyedActions.Asked(action: action, stamp: stamp, caller: caller, household: conductor.household)
        desks.keyed.act(once: asked, by: key, on: self)
    }

    func act(on kind: EventKind, at stamp: Int64?, _ caller: Caller) {
        // Nothing is to sound after it.
        if kind == .stop { clients.agenda.cancelAll().forEach { $0() } }
        guard hasRoom(for: kind) else { return refuseForOverload(caller) }
        if let refusal = clients.ownership.refusal(of: kind, from: caller.client) {
            return caller.refuse(ErrorReply(.refused(.notOwner), fault: refusal))
        }
        // Without a visit nothing is down.
        if conductor.visit != nil, let refusal = clients.presence.refusal(of: kind, from: .connection(caller.client)) {
            return caller.refuse(ErrorReply(.refused(.noRoom), fault: refusal))
        }
        let now = monotonicNanoseconds()
        let tellsResult = tellsResult(of: kind, to: caller.client)
        let ticket = caller.id.map { receipts.ask($0, tellsResult: tellsResult, caller.reply) }
        do throws(Fault) {
            try timing.check(stamp, at: now)
            var isAwaited = false
            let kinds = kinds(kind, from: caller.client, at: stamp ?? now)
            if let kind = kinds.first, !isIdle(kind, from: caller.client) {
                isAwaited = try report(kind, at: stamp, from: .connection(caller.client), ticket: ticket)
            }
            for gesture in kinds.dropFirst() where hasRoom(for: gesture) {
                _ = try? report(gesture, at: stamp, from: .connection(caller.client), ticket: nil)
            }
            guard !isAwaited else { return }
            caller.answer(Receipt(frame: nil))
        } catch {
            caller.refuse(ErrorReply(.refused(.notNow), fault: withoutMoney(withOtherThemes(error, of: kind), caller.client)))
        }
        if let ticket { receipts.withdraw(ticket) }
    }

    /// Whether a client is told what the piece answers to an event: what is done in a household's name is answered with its money.
    func tellsResult(of kind: EventKind, to client: Int) -> Bool {
        guard case .action(let action) = kind, conductor.piece.declaration.action(action.name)?.isForHousehold == true else { return true }
        return outputs.guests.sight(of: client).has(.money)
    }

    /// The same fault without what is there, where that is money of which the client is not told.
    private func withoutMoney(_ fault: Fault, _ client: Int) -> Fault {
        let isMoney = conductor.piece.declaration.queries.contains { $0.inConfidence[fault.field] == .money }
        guard isMoney, !outputs.guests.sight(of: client).has(.money) else { return fault }
        return Fault(field: fault.field, expected: fault.expected, found: "less")
    }

    /// Says which themes have what this one lacks.
    private func withOtherThemes(_ fault: Fault, of kind: EventKind) -> Fault {
        guard fault.field == "name", let found = fault.found else { return fault }
        let themes = house.others(than: conductor.theme, with: kind)
        guard !themes.isEmpty else { return fault }
        return Fault(field: fault.field, expected: fault.expected, found: "\(found), which is in \(themes.joined(separator: ", "))")
    }

    /// Now, counted from the run's start; 0 without one.
    private var runTime: Frame { conductor.run?.time(of: due(monotonicNanoseconds()).frame) ?? .zero }
}

// The server calls on the event loop, which is the actor's executor.
extension Stage: ControlService {
    nonisolated func connected(_ client: Int, as role: Role, isLocal: Bool, identity: Identity,
                               push: @escaping @Sendable ([UInt8]) -> Bool) {
        assumeIsolated { stage in
            stage.clients.presence.connected(client, as: role, isLocal: isLocal, identity: identity)
            stage.outputs.guests.connected(client, as: role)
            stage.outputs.subscribers.add(client, push: push)
        }
    }

    nonisolated func answer(_ request: Request, from client: Int, reply: @escaping @Sendable ([UInt8]) -> Void) {
        assumeIsolated { $0.answer(request, Caller(client: client, id: request.id, reply: reply, stage: self)) }
    }

    nonisolated func refused(_ error: ErrorReply, to client: Int) {
        assumeIsolated { $0.clients.presence.refused(client, error.message) }
    }

    nonisolated func disconnected(_ client: Int, because departure: Departure) {
        assumeIsolated { stage in
            if let reason = ReleaseReport.Reason(departure) { stage.tell(released: .connection(client), because: reason) }
            stage.metering.end(for: client)
            stage.outputs.forget(client)
            stage.desks.forget(client)
            stage.clients.forget(client).forEach { $0() }
            if !stage.isClosing { stage.release(.connection(client)) }
            stage.settleTouchOwner()
        }
    }

    /// What it wanted to see nobody works out, and what it said to enter nobody compares: it is no guest any more. What else changes
    /// something is done all the same, also for who has not waited for the answer.
    nonisolated func closed(_ client: Int) {
        workers.looks.forget(client)
        workers.secrets.forget(client)
    }
}

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

// Handles the requests of clients.
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

    /// Applies a choice that a client makes by hand: `choice` changes the house's decisions at once, and then `answer` sends the answer.
    /// Refuses the request where `choice` throws.
    func choose(_ caller: Caller, _ choice: (inout House) throws(Fault) -> Void, then answer: (Caller) -> Void) {
        do throws(Fault) {
            try choice(&house)
        } catch {
            return caller.refuse(ErrorReply(.refused(.notNow), fault: error))
        }
        tendHouse(monotonicNanoseconds())
        answer(caller)
    }

    /// Answers a choice of a preset or a volume when the choice is on the disk, or with the reason why it is not. The answer comes so late
    /// because the user may cut the power after it.
    func answerWhenKept(_ part: Kept.Part, _ caller: Caller) {
        kept.keepChoice(of: part, in: house, monotonicNanoseconds()) { problem in
            Later(caller).resume { _ in caller.answer(Receipt(frame: nil, notKept: problem?.reason)) }
        }
    }

    /// Sets the volume by hand at once, and answers when that is on the disk.
    func turn(to level: Decibels, _ caller: Caller) {
        if let refusal = desks.rates.refusal(ofDeedBy: caller.client, on: self) { return caller.refuse(refusal) }
        let client = Client.connection(caller.client)
        let by = clients.presence.words(for: client)
        house.use(volume: level, by: by, at: clock.instant)
        logger.notice("the volume was set by hand", metadata: ["dB": "\(level.rawValue)", "by": "\(by)"])
        tendHouse(monotonicNanoseconds(), for: client)
        answerWhenKept(.volume, caller)
    }

    func endSession(for caller: Caller) {
        if let refusal = desks.rates.refusal(toEndSessionBy: caller.client, on: self) { return caller.refuse(refusal) }
        if let refusal = desks.rates.refusal(ofDeedBy: caller.client, on: self) { return caller.refuse(refusal) }
        // Events that operators have planned last beyond a visit; only an operator may drop them.
        let presence = clients.presence
        let isOperator = presence.role(of: caller.client) == .operator
        clients.agenda.cancel { isOperator || presence.role(of: $0) != .operator }.forEach { $0() }
        guard conductor.visit != nil else { return caller.answer(Receipt(frame: nil)) }
        guard outputs.port.hasRoomToRelease else { return refuseForOverload(caller) }
        end(.request, ticket: caller.id.map { clients.receipts.ask($0, caller.reply) })
    }

    /// Answers with the result of `answer`, which runs on a thread of `workers`.
    func answerSlowly(_ caller: Caller, by workers: Workers,
                      _ answer: @escaping @Sendable (LiveSettings) throws(ErrorReply) -> any Encodable & Sendable) {
        guard let id = caller.id else { return }
        Later(caller).work(by: workers) { [settings = settings.values] () throws(ErrorReply) in
            Reply.line(result: try answer(settings), id: id)
        } then: { _, line in caller.reply(line) }
    }

    private func take(_ kind: EventKind, at moment: Moment?, _ caller: Caller) {
        if isClosing { return caller.refuse(ErrorReply(.refused(.shuttingDown), "shutting down")) }
        switch timing.turn(of: moment, at: monotonicNanoseconds()) {
        case .atOnce(let stamp): begin(kind, at: stamp, caller)
        case .planned(let heard):
            guard clients.presence.role(of: caller.client).plays else {
                return caller.refuse(ErrorReply(.refused(.notAllowed), "a client that may only watch stops at once, and plans nothing"))
            }
            plan(kind, at: heard, caller)
        }
    }

    /// Acts on the event `kind` at such a time that it is heard at `heard` (CLOCK_MONOTONIC, nanoseconds); at once if that time has passed.
    /// A stamped event is heard `OutputReport.eventToSound` after its stamp, as that is when the event is acted on.
    private func plan(_ kind: EventKind, at heard: Int64, _ caller: Caller) {
        let stamp = timing.stamp(for: heard, eventToSound: outputs.reports.read().eventToSound)
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
        clients.overload.refuse(at: monotonicNanoseconds())
        caller.refuse(ErrorReply(.refused(.overloaded), "overloaded: events come faster than they can be played"))
    }

    private func begin(_ kind: EventKind, at stamp: Int64?, _ caller: Caller) {
        if let refusal = desks.rates.refusal(of: kind, from: caller.client, on: self) { return caller.refuse(refusal) }
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
        // Nothing planned may sound after a stop.
        if kind == .stop { clients.agenda.cancelAll().forEach { $0() } }
        guard hasRoom(for: kind) else { return refuseForOverload(caller) }
        if let refusal = desks.touches.refusal(of: kind, from: caller.client) {
            return caller.refuse(ErrorReply(.refused(.notOwner), fault: refusal))
        }
        // Without a visit no finger is down.
        if conductor.visit != nil, let refusal = clients.presence.refusal(of: kind, from: .connection(caller.client)) {
            return caller.refuse(ErrorReply(.refused(.noRoom), fault: refusal))
        }
        let now = monotonicNanoseconds()
        let tellsResult = tellsResult(of: kind, to: caller.client)
        let ticket = caller.id.map { clients.receipts.ask($0, tellsResult: tellsResult, caller.reply) }
        do throws(Fault) {
            try timing.check(stamp, at: now)
            var isAwaited = false
            let isForPiece = desks.explore.take(kind, of: caller.client, at: stamp ?? now, stamp: stamp, on: self)
            let kinds = isForPiece ? desks.touches.kinds(kind, from: caller.client, at: stamp ?? now) : []
            if let kind = kinds.first, !desks.rates.isIdle(kind, from: caller.client, on: self) {
                isAwaited = try report(kind, at: stamp, from: .connection(caller.client), ticket: ticket)
            }
            for gesture in kinds.dropFirst() where hasRoom(for: gesture) {
                _ = try? report(gesture, at: stamp, from: .connection(caller.client), ticket: nil)
            }
            if kind == .stop { desks.speech.hush(on: self) }
            guard !isAwaited else { return }
            caller.answer(Receipt(frame: nil))
        } catch {
            caller.refuse(ErrorReply(.refused(.notNow), fault: withoutMoney(withOtherThemes(error, of: kind), caller.client)))
        }
        if let ticket { clients.receipts.withdraw(ticket) }
    }

    /// Whether a client gets the piece's answer to an event. The answer to an action in a household's name contains the household's money.
    func tellsResult(of kind: EventKind, to client: Int) -> Bool {
        guard case .action(let action) = kind, conductor.piece.declaration.action(action.name)?.isForHousehold == true else { return true }
        return outputs.guests.visibility(of: client).has(.money)
    }

    /// Returns `fault`; if it is about money that the client may not know, without the amount that was found.
    private func withoutMoney(_ fault: Fault, _ client: Int) -> Fault {
        let isMoney = conductor.piece.declaration.queries.contains { $0.inConfidence[fault.field] == .money }
        guard isMoney, !outputs.guests.visibility(of: client).has(.money) else { return fault }
        return Fault(field: fault.field, expected: fault.expected, found: "less")
    }

    /// Returns `fault`, extended by the names of other themes that contain what the present theme lacks.
    private func withOtherThemes(_ fault: Fault, of kind: EventKind) -> Fault {
        guard fault.field == "name", let found = fault.found else { return fault }
        let themes = house.others(than: conductor.theme, with: kind)
        guard !themes.isEmpty else { return fault }
        return Fault(field: fault.field, expected: fault.expected, found: "\(found), which is in \(themes.joined(separator: ", "))")
    }
}

// The server calls these methods on the event loop, which is the actor's executor.
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
            stage.outputs.forget(client)
            stage.desks.forget(client)
            stage.desks.speech.forget(client, on: stage)
            stage.clients.forget(client).forEach { $0() }
            if !stage.isClosing { stage.release(.connection(client)) }
            stage.desks.touches.settleOwner(on: stage)
        }
    }

    /// Drops a client's queries and secrets that wait for a worker. A request that changes something is carried out all the same, even for
    /// a client that did not wait for the answer.
    nonisolated func closed(_ client: Int) {
        workers.looks.forget(client)
        workers.secrets.forget(client)
    }
}

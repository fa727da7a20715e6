import CLinux
import Conductor
import Experience
import Fields
import Files
import Signals
import StateStore
import Wire

// Who may come in a household's name, and what they may do there.
extension Stage {
    /// Secrets for which there is room when visitors have given as many households one as they may.
    static let keptForOperators = 1_000

    private var piece: String { conductor.piece.declaration.name }

    /// Why an action that is done in a household's name, or changes what it is left with, cannot be taken; nil when it can. It never says
    /// who is there. Where the household has a secret only its guests act on it; where it has none, only its guests act in its name.
    func refusal(of action: Action, from client: Int) -> ErrorReply? {
        let declaration = conductor.piece.declaration
        guard let declared = declaration.action(action.name), !declared.entersHousehold else { return nil }
        let isOperator = presence.role(of: client) == .operator
        if declared.isForHousehold, action.household == nil, !isOperator {
            let expected = "the name of the household that it is for, because a visitor asks"
            return ErrorReply(.refused(.notNow), fault: Fault(field: "household", expected: expected))
        }
        // A stranger hears the same whichever household it names: otherwise it could find out by guessing who is there.
        if case .household = declaration.policy, conductor.household != Household.home, !isOperator, !outputs.guests.isGuest(client) {
            if kept.secret(of: piece, household: conductor.household) != nil {
                return secretNeeded("the household's secret, said by this client when it entered")
            }
            guard declared.isForHousehold else { return nil }
            let expected = "the one that is here, after this client has entered it"
            return ErrorReply(.refused(.notAllowed), fault: Fault(field: "household", expected: expected))
        }
        guard declared.isForHousehold, let household = action.household, household != conductor.household else { return nil }
        return ErrorReply(.refused(.notNow), fault: Fault(field: "household", expected: "the one that is here", found: "another one"))
    }

    private func secretNeeded(_ expected: String) -> ErrorReply {
        ErrorReply(.refused(.secretNeeded), fault: Fault(field: HouseholdSecret.field, expected: expected))
    }

    /// Has a household enter by `action`, when it is known whether its secret is right.
    func enter(_ household: String, by action: Action, at stamp: Int64?, _ caller: Caller) {
        var entering = action
        // It has done its duty here.
        entering.secret = nil
        if let refusal = refusal(toEnter: household, caller.client) { return caller.refuse(refusal) }
        let hash = kept.secret(of: piece, household: household)
        switch (action.secret, hash) {
        case (nil, nil):
            let isNew = conductor.entry(by: Event(client: .connection(caller.client), .action(entering)))?.isNew == true
            if isNew, let refusal = refusal(ofNameBy: caller.client) { return caller.refuse(refusal) }
            act(on: .action(entering), at: stamp, caller)
        case (nil, _?):
            let isThere = household == conductor.household && outputs.guests.isGuest(caller.client)
            guard isThere || presence.role(of: caller.client) == .operator else {
                return caller.refuse(secretNeeded("the household's secret"))
            }
            act(on: .action(entering), at: stamp, caller)
        case (let secret?, let hash?): compare(secret, with: hash, of: household, entering, at: stamp, caller)
        case (let secret?, nil): begin(household, with: secret, entering, at: stamp, caller)
        }
    }

    /// Why `client` may not have `household` enter now; nil when it may. Guests who are at it stay.
    private func refusal(toEnter household: String, _ client: Int) -> ErrorReply? {
        if isClosing { return ErrorReply(.refused(.shuttingDown), "shutting down") }
        // Its removal may have begun while its secret was compared.
        if household != conductor.household, let refusal = refusalWhileClosing(household) { return refusal }
        guard household != conductor.household, presence.role(of: client) != .operator,
              let wait = outputs.guests.wait(of: client, at: monotonicNanoseconds()) else { return nil }
        return ErrorReply(.refused(.notYet), "another household is here, and at it", retryAfter: Double(wait) / 1e9)
    }

    private func compare(_ secret: HouseholdSecret, with hash: SlowHash, of household: String, _ action: Action, at stamp: Int64?,
                         _ caller: Caller) {
        let client = caller.client
        switch tries.begin(client, at: monotonicNanoseconds()) {
        case .now: break
        case .busy: return caller.refuse(ErrorReply(.refused(.busy), "this client's last secret is being compared"))
        case .later(let wait):
            return caller.refuse(ErrorReply(.refused(.tooFast), "this client said a wrong secret", retryAfter: Double(wait) / 1e9))
        }
        let ended = Caller(client: client, id: caller.id, reply: { [loop] line in
            loop.execute { self.assumeIsolated { $0.tries.ended(client) } }
            caller.reply(line)
        }, stage: self)
        let workers = presence.role(of: client) == .operator ? workers.operatorsSecrets : workers.secrets
        work(workers, ended) { () throws(ErrorReply) in hash.isOf(secret.text) } then: { stage, isRight in
            guard isRight else {
                let wait = stage.tries.wasWrong(client, for: household, at: monotonicNanoseconds())
                let fault = Fault(field: HouseholdSecret.field, expected: "the household's secret", found: "another one")
                return caller.refuse(ErrorReply(.refused(.secretWrong), fault: fault, retryAfter: Double(wait) / 1e9))
            }
            stage.tries.wasRight(client)
            // It may have been changed meanwhile, and others may have come.
            guard stage.kept.secret(of: stage.piece, household: household) == hash else {
                return caller.refuse(ErrorReply(.refused(.busy), "the household's secret was changed just now"))
            }
            if let refusal = stage.refusal(toEnter: household, client) { return caller.refuse(refusal) }
            stage.act(on: .action(action), at: stamp, caller)
        }
    }

    /// A household comes for the first time, and has this secret from now on.
    private func begin(_ household: String, with secret: HouseholdSecret, _ action: Action, at stamp: Int64?, _ caller: Caller) {
        let isNew = household != Household.home && household != conductor.household && outputs.memory(of: household) == nil
            && kept.memory(of: piece, household: household) == nil
        guard isNew else {
            let expected = "none, because this household has none: an operator can give it one"
            return caller.refuse(ErrorReply(.refused(.notNow), fault: Fault(field: HouseholdSecret.field, expected: expected,
                                                                              found: "a secret")))
        }
        protect(household, by: secret, caller) { stage, hash in
            guard hash == nil else { return ErrorReply(.refused(.busy), "somebody has given this household a secret just now") }
            // Others may have come while it was hashed.
            return stage.refusal(toEnter: household, caller.client) ?? stage.refusal(ofNameBy: caller.client)
        } then: { stage, problem in
            if let problem {
                caller.refuse(ErrorReply(.refused(.notKept), "the secret is not kept: \(problem.reason)"))
            } else if let refusal = stage.refusal(toEnter: household, caller.client) {
                caller.refuse(refusal)
            } else {
                stage.act(on: .action(action), at: stamp, caller)
            }
            // Without a household it is nobody's: it would keep out whoever comes in that name. Nor is it to get to the disk later.
            guard problem != nil || household != stage.conductor.household else { return }
            stage.kept.store?.commit([.protect(piece: stage.piece, household: household, hash: nil)])
        }
    }

    /// An operator gives a household another secret, or none. Who came by the one before has to enter again.
    func setSecret(of household: String, to secret: HouseholdSecret?, _ caller: Caller) {
        guard case .household = conductor.piece.declaration.policy, household != Household.home else {
            let fault = Fault(field: "household", expected: "a household of visitors: what is everybody's has no secret")
            return caller.refuse(ErrorReply(.refused(.notNow), fault: fault))
        }
        let told: @Sendable (isolated Stage, NotKept?) -> Void = { stage, problem in
            if household == stage.conductor.household { stage.outputs.guests.leave() }
            caller.answer(Receipt(frame: nil, notKept: problem?.reason))
        }
        if let secret { return protect(household, by: secret, caller, unless: { _, _ in nil }, then: told) }
        guard let store = kept.store else { return caller.answer(Receipt(frame: nil)) }
        store.commit([.protect(piece: piece, household: household, hash: nil)]) { [loop] result in
            let problem: NotKept? = if case .failure(let problem) = result { problem } else { nil }
            loop.execute { self.assumeIsolated { told($0, problem) } }
        }
    }

    /// Keeps the hash of a secret. `then` is told when it is on the disk, or why it is not. Whoever asks is refused where there is no place
    /// for it, and where `refusal` has a reason: it is told what the household has when the secret is hashed.
    private func protect(_ household: String, by secret: HouseholdSecret, _ caller: Caller,
                         unless refusal: @escaping @Sendable (isolated Stage, SlowHash?) -> ErrorReply?,
                         then: @escaping @Sendable (isolated Stage, NotKept?) -> Void) {
        guard let store = kept.store else {
            return caller.refuse(ErrorReply(.refused(.notHere), "there is no state directory to keep a secret in"))
        }
        let piece = piece
        let isOperator = presence.role(of: caller.client) == .operator
        let most = Conductor.mostHouseholds - (isOperator ? 0 : Self.keptForOperators)
        guard store.secret(piece: piece, household: household) != nil || store.secretCount(of: piece) < most else {
            return caller.refuse(ErrorReply(.refused(.noRoom), "\(most) households have a secret already"))
        }
        work(isOperator ? workers.operatorsSecrets : workers.secrets, caller) { () throws(ErrorReply) in
            var random = SystemRandomNumberGenerator()
            return SlowHash(of: secret.text, using: &random)
        } then: { stage, hash in
            if let refusal = refusal(stage, stage.kept.secret(of: piece, household: household)) { return caller.refuse(refusal) }
            store.commit([.protect(piece: piece, household: household, hash: hash.text)]) { [loop = stage.loop] result in
                let problem: NotKept? = if case .failure(let problem) = result { problem } else { nil }
                loop.execute { stage.assumeIsolated { then($0, problem) } }
            }
        }
    }

    /// A client has done something; `entering` is the household that entered by it.
    func noteAct(_ client: Client, _ kind: EventKind, entering: String?, at now: Int64) {
        if let entering, entering == conductor.household { outputs.guests.joined(client.number) }
        switch kind {
        case .left, .stop: return
        default: break
        }
        acts.note(client, at: now)
        outputs.guests.acted(client, at: now) { guests in guests.contains { presence.isLocal($0) } }
    }

    /// Why `client` may not end the session now; nil when it may. A visitor does not end what others are at.
    func refusal(toEndSessionBy client: Int) -> ErrorReply? {
        guard presence.role(of: client) != .operator,
              let wait = acts.wait(of: client, isLocal: presence.isLocal(client), at: monotonicNanoseconds()) else { return nil }
        return ErrorReply(.refused(.notYet), "others are at it; stop lets go of everything at once", retryAfter: Double(wait) / 1e9)
    }
}

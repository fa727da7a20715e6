import CLinux
import Conductor
import Experience
import Fields
import Files
import Signals
import StateStore
import Wire

/// Decides who may enter in a household's name, and what they may do then. Only the stage has this class, so its state belongs to the event
/// loop.
final class SecretDesk {
    /// The number of secrets that are reserved for operators: when only so many more can be stored, visitors may not give households a
    /// secret.
    static let keptForOperators = 1_000

    private let declaration: Declaration
    /// The database that stores the secrets; nil without a state directory.
    private let store: StateStore?
    private var tries = SecretTries()
    private var piece: String { declaration.name }

    init(_ store: StateStore?, of declaration: Declaration) { (self.store, self.declaration) = (store, declaration) }

    /// Forgets a client that has disconnected.
    func forget(_ client: Int) { tries.disconnected(client) }

    /// Returns, while somebody is guessing secrets, the issue in words for operators; nil while nobody is.
    func issue(at now: Int64) -> String? { tries.issue(at: now) }

    /// Returns why an action in a household's name, or on its state, is refused; nil when it is not. The reason never reveals which
    /// household is present. Only the guests of a household may act in its name. If the household has a secret, only its guests may act on
    /// its state as well. Operators may do both, and everybody may in the house's own household.
    func refusal(of action: Action, from client: Int, on stage: isolated Stage) -> ErrorReply? {
        guard let declared = declaration.action(action.name), !declared.entersHousehold else { return nil }
        let isOperator = stage.clients.presence.role(of: client) == .operator
        let here = stage.conductor.household
        if declared.isForHousehold, action.household == nil, !isOperator {
            let expected = "the name of the household that it is for, because a visitor asks"
            return ErrorReply(.refused(.notNow), fault: Fault(field: "household", expected: expected))
        }
        // A client that is no guest gets the same answer whichever household it names. Otherwise it could guess which one is present.
        if case .household = declaration.policy, here != Household.home, !isOperator, !stage.outputs.guests.isGuest(client) {
            if stage.kept.secret(of: piece, household: here) != nil {
                return secretNeeded("the household's secret, said by this client when it entered")
            }
            guard declared.isForHousehold else { return nil }
            let expected = "the one that is here, after this client has entered it"
            return ErrorReply(.refused(.notAllowed), fault: Fault(field: "household", expected: expected))
        }
        guard declared.isForHousehold, let household = action.household, household != here else { return nil }
        return ErrorReply(.refused(.notNow), fault: Fault(field: "household", expected: "the one that is here", found: "another one"))
    }

    private func secretNeeded(_ expected: String) -> ErrorReply {
        ErrorReply(.refused(.secretNeeded), fault: Fault(field: HouseholdSecret.field, expected: expected))
    }

    /// Has a household enter by `action`, once its secret has been checked.
    func enter(_ household: String, by action: Action, at stamp: Int64?, _ caller: Caller, on stage: isolated Stage) {
        var entering = action
        // The secret must not leave this desk.
        entering.secret = nil
        if let refusal = refusal(toEnter: household, caller.client, stage) { return caller.refuse(refusal) }
        let hash = stage.kept.secret(of: piece, household: household)
        switch (action.secret, hash) {
        case (nil, nil):
            let isNew = stage.conductor.entry(by: Event(client: .connection(caller.client), .action(entering)))?.isNew == true
            if isNew, let refusal = stage.desks.rates.refusal(ofNameBy: caller.client, on: stage) { return caller.refuse(refusal) }
            stage.act(on: .action(entering), at: stamp, caller)
        case (nil, _?):
            let isThere = household == stage.conductor.household && stage.outputs.guests.isGuest(caller.client)
            guard isThere || stage.clients.presence.role(of: caller.client) == .operator else {
                return caller.refuse(secretNeeded("the household's secret"))
            }
            stage.act(on: .action(entering), at: stamp, caller)
        case (let secret?, let hash?): compare(secret, with: hash, of: household, entering, at: stamp, caller, stage)
        case (let secret?, nil): begin(household, with: secret, entering, at: stamp, caller, stage)
        }
    }

    /// Returns why `client` may not have `household` enter now; nil when it may. Active guests of another household are not displaced.
    private func refusal(toEnter household: String, _ client: Int, _ stage: isolated Stage) -> ErrorReply? {
        if stage.isClosing { return ErrorReply(.refused(.shuttingDown), "shutting down") }
        // The household's removal may have begun while its secret was compared.
        if household != stage.conductor.household, let refusal = stage.desks.households.refusal(toEnter: household) { return refusal }
        guard household != stage.conductor.household, stage.clients.presence.role(of: client) != .operator,
              let wait = stage.outputs.guests.wait(of: client, at: monotonicNanoseconds()) else { return nil }
        return ErrorReply(.refused(.notYet), "another household is here, and at it", retryAfter: Double(wait) / 1e9)
    }

    private func compare(_ secret: HouseholdSecret, with hash: SlowHash, of household: String, _ action: Action, at stamp: Int64?,
                         _ caller: Caller, _ stage: isolated Stage) {
        let client = caller.client
        switch tries.begin(client, at: monotonicNanoseconds()) {
        case .now: break
        case .busy: return caller.refuse(ErrorReply(.refused(.busy), "this client's last secret is being compared"))
        case .later(let wait):
            return caller.refuse(ErrorReply(.refused(.tooFast), "this client said a wrong secret", retryAfter: Double(wait) / 1e9))
        }
        let ended = Caller(client: client, id: caller.id, reply: { line in
            Later(caller).resume { $0.desks.secrets.tries.ended(client) }
            caller.reply(line)
        }, stage: caller.stage)
        Later(ended).work(by: workers(for: client, stage)) { () throws(ErrorReply) in hash.isOf(secret.text) } then: { stage, isRight in
            let desk = stage.desks.secrets
            guard isRight else {
                let wait = desk.tries.wasWrong(client, for: household, at: monotonicNanoseconds())
                let fault = Fault(field: HouseholdSecret.field, expected: "the household's secret", found: "another one")
                return caller.refuse(ErrorReply(.refused(.secretWrong), fault: fault, retryAfter: Double(wait) / 1e9))
            }
            desk.tries.wasRight(client)
            // The secret may have been changed, and others may have entered, while this one was compared.
            guard stage.kept.secret(of: desk.piece, household: household) == hash else {
                return caller.refuse(ErrorReply(.refused(.busy), "the household's secret was changed just now"))
            }
            if let refusal = desk.refusal(toEnter: household, client, stage) { return caller.refuse(refusal) }
            stage.act(on: .action(action), at: stamp, caller)
        }
    }

    /// Has a household enter for the first time, and stores its secret.
    private func begin(_ household: String, with secret: HouseholdSecret, _ action: Action, at stamp: Int64?, _ caller: Caller,
                       _ stage: isolated Stage) {
        guard household != stage.conductor.household, stage.conductor.isNew(household) else {
            let expected = "none, because this household has none: an operator can give it one"
            return caller.refuse(ErrorReply(.refused(.notNow), fault: Fault(field: HouseholdSecret.field, expected: expected,
                                                                              found: "a secret")))
        }
        protect(household, by: secret, caller, stage) { stage, hash in
            guard hash == nil else { return ErrorReply(.refused(.busy), "somebody has given this household a secret just now") }
            // Others may have entered while the secret was hashed.
            return stage.desks.secrets.refusal(toEnter: household, caller.client, stage)
                ?? stage.desks.rates.refusal(ofNameBy: caller.client, on: stage)
        } then: { [piece] stage, problem in
            if let problem {
                caller.refuse(ErrorReply(.refused(.notKept), "the secret is not kept: \(problem.reason)"))
            } else if let refusal = stage.desks.secrets.refusal(toEnter: household, caller.client, stage) {
                caller.refuse(refusal)
            } else {
                stage.act(on: .action(action), at: stamp, caller)
            }
            // If the household did not enter, its secret is removed: it would keep out everybody who comes in that name. The removal also
            // follows a write that may still get to the disk.
            guard problem != nil || household != stage.conductor.household else { return }
            stage.kept.store?.commit([.protect(piece: piece, household: household, hash: nil)])
        }
    }

    /// Gives a household another secret, or none, for an operator. Guests who entered by the former secret have to enter again.
    func set(of household: String, to secret: HouseholdSecret?, _ caller: Caller, on stage: isolated Stage) {
        guard case .household = declaration.policy, household != Household.home else {
            let fault = Fault(field: "household", expected: "a household of visitors: what is everybody's has no secret")
            return caller.refuse(ErrorReply(.refused(.notNow), fault: fault))
        }
        let finish: @Sendable (isolated Stage, NotKept?) -> Void = { stage, problem in
            if household == stage.conductor.household { stage.outputs.guests.leave() }
            caller.answer(Receipt(frame: nil, notKept: problem?.reason))
        }
        if let secret { return protect(household, by: secret, caller, stage, unless: { _, _ in nil }, then: finish) }
        guard let store else { return caller.answer(Receipt(frame: nil)) }
        Later(caller).commit([.protect(piece: piece, household: household, hash: nil)], in: store, then: finish)
    }

    /// Returns the worker threads for a client's secrets. Operators have their own, so that they need not wait behind visitors.
    private func workers(for client: Int, _ stage: isolated Stage) -> Workers {
        stage.clients.presence.role(of: client) == .operator ? stage.workers.operatorsSecrets : stage.workers.secrets
    }

    /// Stores the hash of a secret. Calls `then` when the hash is on the disk, or with the reason why it is not. Refuses the caller where
    /// there is no room for a secret, or where `refusal` returns a reason. `refusal` is called when the hash is ready, with the household's
    /// present hash.
    private func protect(_ household: String, by secret: HouseholdSecret, _ caller: Caller, _ stage: isolated Stage,
                         unless refusal: @escaping @Sendable (isolated Stage, SlowHash?) -> ErrorReply?,
                         then: @escaping @Sendable (isolated Stage, NotKept?) -> Void) {
        guard let store else {
            return caller.refuse(ErrorReply(.refused(.notHere), "there is no state directory to keep a secret in"))
        }
        let piece = piece
        let most = Conductor.mostHouseholds - (stage.clients.presence.role(of: caller.client) == .operator ? 0 : Self.keptForOperators)
        guard store.secret(piece: piece, household: household) != nil || store.secretCount(of: piece) < most else {
            return caller.refuse(ErrorReply(.refused(.noRoom), "\(most) households have a secret already"))
        }
        Later(caller).work(by: workers(for: caller.client, stage)) { () throws(ErrorReply) in
            var random = SystemRandomNumberGenerator()
            return SlowHash(of: secret.text, using: &random)
        } then: { stage, hash in
            if let refusal = refusal(stage, stage.kept.secret(of: piece, household: household)) { return caller.refuse(refusal) }
            Later(caller).commit([.protect(piece: piece, household: household, hash: hash.text)], in: store, then: then)
        }
    }
}

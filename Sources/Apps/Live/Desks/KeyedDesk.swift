import Fields
import JSON
import Signals
import StateStore
import Wire

/// Carries out actions that have a key, of which only the first with the same key counts. Only the stage has this class, so its state
/// belongs to the event loop.
final class KeyedDesk {
    private let store: StateStore?
    private let piece: String
    private var keyed = KeyedActions()

    init(_ store: StateStore?, of piece: String) { (self.store, self.piece) = (store, piece) }

    /// Carries out an action with a key. If an action with the same key has counted before, gives that action's answer instead. The action
    /// counts only for the household that was present when it was requested. Without a state directory no keys are stored, and each action
    /// counts.
    func act(once asked: KeyedActions.Asked, by key: ActionKey, on stage: isolated Stage) {
        guard let store else { return stage.act(on: .action(asked.action), at: asked.stamp, asked.caller) }
        let scoped = KeyedActions.ScopedKey(key, in: asked.household)
        inTurn(for: scoped, asked.caller) { [piece] in
            Self.look(up: key, of: asked.household, in: store, piece, asked.caller) { stage, known in
                stage.desks.keyed.act(on: asked, known: known, of: scoped, stage)
            }
        }
    }

    /// Runs `turn`, the handling of a request of `caller`, when no other turn with this key is running. The turn must end with `endTurn`.
    /// Refuses the request where too many wait.
    func inTurn(for key: KeyedActions.ScopedKey, _ caller: Caller, _ turn: @escaping () -> Void) {
        switch keyed.begin(for: key, turn) {
        case .now: turn()
        case .later: break
        case .full: caller.refuse(ErrorReply(.refused(.busy), "\(KeyedActions.mostWaiting) requests with this key wait already"))
        }
    }

    func endTurn(for key: KeyedActions.ScopedKey) { keyed.end(for: key)?() }

    /// Finds out whether an action with the key `key` has counted. Calls `then` with that action, with nil where none has counted, or with
    /// the reason why that cannot be found out.
    static func look(up key: ActionKey, of household: String, in store: StateStore, _ piece: String, _ caller: Caller,
                     then: @escaping @Sendable (isolated Stage, Result<StateStore.KnownAction?, NotKept>) -> Void) {
        store.action(key, of: piece, household: household) { known in Later(caller).resume { then($0, known) } }
    }

    /// Returns a caller like `caller` whose answer also ends the turn, even where the client wants no answer.
    func ending(_ key: KeyedActions.ScopedKey, _ caller: Caller) -> Caller {
        Caller(client: caller.client, id: caller.id ?? .null, reply: { line in
            if caller.id != nil { caller.reply(line) }
            Later(caller).resume { $0.desks.keyed.endTurn(for: key) }
        }, stage: caller.stage)
    }

    private func act(on asked: KeyedActions.Asked, known: Result<StateStore.KnownAction?, NotKept>, of scoped: KeyedActions.ScopedKey,
                     _ stage: isolated Stage) {
        let caller = asked.caller
        switch known {
        case .success(nil) where stage.isClosing:
            caller.refuse(ErrorReply(.refused(.shuttingDown), "shutting down"))
        case .success(nil) where asked.household != stage.conductor.household:
            let fault = Fault(field: "household", expected: "the one that was here when it was asked", found: "another one")
            caller.refuse(ErrorReply(.refused(.notNow), fault: fault))
        case .success(nil):
            // The consequences of the action are on the disk when it is answered.
            return stage.act(on: .action(asked.action), at: asked.stamp, ending(scoped, caller))
        case .success(let action?) where scoped.key.scope == .everybody:
            let fate = action.kind == LedgerRow.revoked ? "which is revoked" : "which has counted"
            caller.refuse(ErrorReply(.refused(.notNow), fault: Fault(field: "key", expected: "one that has not counted for anybody",
                                                            found: "\(scoped.key.text), \(fate)")))
        case .success(let action?):
            var receipt = Receipt(frame: nil, notKept: action.notKept, alreadyKept: [scoped.key.text])
            let visible = stage.tellsResult(of: .action(asked.action), to: caller.client) ? action.answer : nil
            receipt.result = visible.flatMap { try? JSONValue(parsing: Array($0.utf8)) }
            caller.answer(receipt)
        case .failure(let problem):
            caller.refuse(ErrorReply(.refused(.notKept), "what counts once cannot be kept now: \(problem.reason)"))
        }
        endTurn(for: scoped)
    }
}

/// Has requests with the same key take turns, so that only one at a time is looked up and carried out. A plain value. Thread: the event
/// loop.
struct KeyedActions {
    /// An action that a client requests.
    struct Asked {
        var action: Action
        /// When the action happened, CLOCK_MONOTONIC in nanoseconds; nil stands for the time at which it is carried out.
        var stamp: Int64?
        var caller: Caller
        /// The household that was present when the action was requested. The action counts for no other.
        var household: String
    }

    /// A key, and the household within which an action with this key counts once. `household` is nil for a key that counts once for all
    /// households together.
    struct ScopedKey: Hashable {
        let key: ActionKey
        let household: String?

        init(_ key: ActionKey, in household: String) {
            self.key = key
            self.household = key.scope == .household ? household : nil
        }
    }

    /// When a requested turn may run.
    enum Beginning {
        case now
        /// The turn will run when those before it have ended.
        case later
        /// The turn will never run, because too many wait already.
        case full
    }

    /// The number of turns that may wait behind the running one. A front end repeats a request with the same key only after it lost an
    /// answer.
    static let mostWaiting = 16

    /// The turns that wait behind the running one. A key without an entry has no running turn.
    private var waiting: [ScopedKey: [() -> Void]] = [:]

    /// Returns when `turn` may run, and queues it if that is later. The caller must call `end` after each turn that ran.
    mutating func begin(for key: ScopedKey, _ turn: @escaping () -> Void) -> Beginning {
        guard let turns = waiting[key]?.count else {
            waiting[key] = []
            return .now
        }
        guard turns < Self.mostWaiting else { return .full }
        waiting[key]?.append(turn)
        return .later
    }

    /// Ends the running turn. Returns the next one; nil where none waits.
    mutating func end(for key: ScopedKey) -> (() -> Void)? {
        guard waiting[key]?.isEmpty == false else {
            waiting[key] = nil
            return nil
        }
        return waiting[key]?.removeFirst()
    }
}

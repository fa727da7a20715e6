import Fields
import JSON
import Signals
import StateStore
import Wire

/// Acts on actions that count once. Only the stage has this class: its state is the event loop's.
final class KeyedDesk {
    private let store: StateStore?
    private let piece: String
    private var keyed = KeyedActions()

    init(_ store: StateStore?, of piece: String) { (self.store, self.piece) = (store, piece) }

    /// Acts on an action with a key, unless one with the same key has counted: then it is answered as that was. An action counts for the
    /// household that was there when it was asked, or for none. Without a state directory nothing is known of keys, and each action counts.
    func act(once asked: KeyedActions.Asked, by key: ActionKey, on stage: isolated Stage) {
        guard let store else { return stage.act(on: .action(asked.action), at: asked.stamp, asked.caller) }
        let scoped = KeyedActions.ScopedKey(key, in: asked.household)
        inTurn(for: scoped, asked.caller) { [piece] in
            Self.look(up: key, of: asked.household, in: store, piece, asked.caller) { stage, known in
                stage.desks.keyed.act(on: asked, known: known, of: scoped, stage)
            }
        }
    }

    /// Does `turn`, which `caller` wants and which must end with `endTurn`, when no other with this key is under way. Refuses it where too
    /// many wait.
    func inTurn(for key: KeyedActions.ScopedKey, _ caller: Caller, _ turn: @escaping () -> Void) {
        switch keyed.begin(for: key, turn) {
        case .now: turn()
        case .later: break
        case .full: caller.refuse(ErrorReply(.refused(.busy), "\(KeyedActions.mostWaiting) requests with this key wait already"))
        }
    }

    func endTurn(for key: KeyedActions.ScopedKey) { keyed.end(for: key)?() }

    /// Tells `then` the action that has counted with a key; nil for none.
    static func look(up key: ActionKey, of household: String, in store: StateStore, _ piece: String, _ caller: Caller,
                     then: @escaping @Sendable (isolated Stage, Result<StateStore.KnownAction?, NotKept>) -> Void) {
        store.action(key, of: piece, household: household) { known in Later(caller).resume { then($0, known) } }
    }

    /// Returns a caller like `caller` whose answer ends the turn. It has one also where nobody waits for an answer.
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
            // What the action leads to is on the disk when there is an answer.
            return stage.act(on: .action(asked.action), at: asked.stamp, ending(scoped, caller))
        case .success(let action?) where scoped.key.scope == .everybody:
            let fate = action.kind == LedgerRow.revoked ? "which is revoked" : "which has counted"
            caller.refuse(ErrorReply(.refused(.notNow), fault: Fault(field: "key", expected: "one that has not counted for anybody",
                                                            found: "\(scoped.key.text), \(fate)")))
        case .success(let action?):
            var receipt = Receipt(frame: nil, notKept: action.notKept, alreadyKept: [scoped.key.text])
            let told = stage.tellsResult(of: .action(asked.action), to: caller.client) ? action.answer : nil
            receipt.result = told.flatMap { try? JSONValue(parsing: Array($0.utf8)) }
            caller.answer(receipt)
        case .failure(let problem):
            caller.refuse(ErrorReply(.refused(.notKept), "what counts once cannot be kept now: \(problem.reason)"))
        }
        endTurn(for: scoped)
    }
}

/// Has actions with one key take turns while it is found out whether one has counted. A plain value. Thread: the event loop.
struct KeyedActions {
    /// An action that somebody asks for.
    struct Asked {
        var action: Action
        /// When it happened, CLOCK_MONOTONIC in nanoseconds; nil for now.
        var stamp: Int64?
        var caller: Caller
        /// The household that was there when it was asked: the action counts for nobody else.
        var household: String
    }

    /// A key, and the household within which it counts once; nil for a key that counts once for everybody.
    struct ScopedKey: Hashable {
        let key: ActionKey
        let household: String?

        init(_ key: ActionKey, in household: String) {
            self.key = key
            self.household = key.scope == .household ? household : nil
        }
    }

    /// The answer to whoever wants a turn.
    enum Beginning {
        case now
        /// The turn is done when those before it have ended.
        case later
        /// The turn is never done: too many wait already.
        case full
    }

    /// How many turns may wait behind the one that is under way. A front end asks again with the same key after a lost answer, and not more
    /// often.
    static let mostWaiting = 16

    /// The turns that wait behind the one that is under way; a key without an entry has none under way.
    private var waiting: [ScopedKey: [() -> Void]] = [:]

    /// Returns when `turn` is to be done, and keeps it if that is later. Each turn that is done must be followed by `end`.
    mutating func begin(for key: ScopedKey, _ turn: @escaping () -> Void) -> Beginning {
        guard let turns = waiting[key]?.count else {
            waiting[key] = []
            return .now
        }
        guard turns < Self.mostWaiting else { return .full }
        waiting[key]?.append(turn)
        return .later
    }

    /// Ends the turn that was under way. Returns the next one; nil where none waits.
    mutating func end(for key: ScopedKey) -> (() -> Void)? {
        guard waiting[key]?.isEmpty == false else {
            waiting[key] = nil
            return nil
        }
        return waiting[key]?.removeFirst()
    }
}

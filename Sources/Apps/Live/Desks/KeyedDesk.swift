import Fields
import JSON
import Signals
import StateStore
import Wire

/// Acts on actions that count once. A class that only the stage has: its state is the event loop's.
final class KeyedDesk {
    private let store: StateStore?
    private let piece: String
    private var keyed = KeyedActions()

    init(_ store: StateStore?, of piece: String) { (self.store, self.piece) = (store, piece) }

    /// Acts on an action with a key, unless one of the key has counted: then it is answered as that was. It counts for the household that
    /// was there when it was asked, or for none. Without a state directory nothing is known of keys, and each counts.
    func act(once asked: KeyedActions.Asked, by key: ActionKey, on stage: isolated Stage) {
        guard let store else { return stage.act(on: .action(asked.action), at: asked.stamp, asked.caller) }
        let place = KeyedActions.Place(key, in: asked.household)
        inTurn(at: place, asked.caller) { [piece] in
            Self.look(up: key, of: asked.household, in: store, piece, asked.caller) { stage, known in
                stage.desks.keyed.act(on: asked, known: known, at: place, stage)
            }
        }
    }

    /// Does `turn`, which `caller` wants, when nothing of this place is under way. It must end with `endTurn`. Refuses it where too many
    /// wait.
    func inTurn(at place: KeyedActions.Place, _ caller: Caller, _ turn: @escaping () -> Void) {
        switch keyed.begin(at: place, turn) {
        case .now: turn()
        case .later: break
        case .full: caller.refuse(ErrorReply(.refused(.busy), "\(KeyedActions.mostWaiting) requests with this key wait already"))
        }
    }

    func endTurn(at place: KeyedActions.Place) { keyed.end(at: place)?() }

    /// Whether an action of a key has counted.
    static func look(up key: ActionKey, of household: String, in store: StateStore, _ piece: String, _ caller: Caller,
                     then: @escaping @Sendable (isolated Stage, Result<StateStore.KnownAction?, NotKept>) -> Void) {
        store.action(key, of: piece, household: household) { known in Later(caller).resume { then($0, known) } }
    }

    /// The same caller, whose every answer ends the turn, also one that nobody waits for: it is known when there would be one.
    func ending(_ place: KeyedActions.Place, _ caller: Caller) -> Caller {
        Caller(client: caller.client, id: caller.id ?? .null, reply: { line in
            if caller.id != nil { caller.reply(line) }
            Later(caller).resume { $0.desks.keyed.endTurn(at: place) }
        }, stage: caller.stage)
    }

    private func act(on asked: KeyedActions.Asked, known: Result<StateStore.KnownAction?, NotKept>, at place: KeyedActions.Place,
                     _ stage: isolated Stage) {
        let caller = asked.caller
        switch known {
        case .success(nil) where stage.isClosing:
            caller.refuse(ErrorReply(.refused(.shuttingDown), "shutting down"))
        case .success(nil) where asked.household != stage.conductor.household:
            let fault = Fault(field: "household", expected: "the one that was here when it was asked", found: "another one")
            caller.refuse(ErrorReply(.refused(.notNow), fault: fault))
        case .success(nil):
            // What it leads to is on the disk when there is an answer.
            return stage.act(on: .action(asked.action), at: asked.stamp, ending(place, caller))
        case .success(let action?) where place.key.scope == .everybody:
            let fate = action.kind == LedgerRow.revoked ? "which is revoked" : "which has counted"
            caller.refuse(ErrorReply(.refused(.notNow), fault: Fault(field: "key", expected: "one that has not counted for anybody",
                                                            found: "\(place.key.text), \(fate)")))
        case .success(let action?):
            var receipt = Receipt(frame: nil, notKept: action.notKept, alreadyKept: [place.key.text])
            let told = stage.tellsResult(of: .action(asked.action), to: caller.client) ? action.answer : nil
            receipt.result = told.flatMap { try? JSONValue(parsing: Array($0.utf8)) }
            caller.answer(receipt)
        case .failure(let problem):
            caller.refuse(ErrorReply(.refused(.notKept), "what counts once cannot be kept now: \(problem.reason)"))
        }
        endTurn(at: place)
    }
}

import Fields
import JSON
import Signals
import StateStore
import Wire

// Actions that count once.
extension Stage {
    /// Acts on an action with a key, unless one of the key has counted: then it is answered as that was. It counts for the household that
    /// was there when it was asked, or for none. Without a state directory nothing is known of keys, and each counts.
    func actOnce(on asked: KeyedActions.Asked, by key: ActionKey) {
        guard let store = kept.store else { return act(on: .action(asked.action), at: asked.stamp, asked.caller) }
        let place = KeyedActions.Place(key, in: asked.household)
        inTurn(at: place, asked.caller) { [self] in
            look(up: key, of: asked.household, in: store) { $0.act(on: asked, known: $1, at: place) }
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
    func look(up key: ActionKey, of household: String, in store: StateStore,
              then: @escaping @Sendable (isolated Stage, Result<StateStore.KnownAction?, NotKept>) -> Void) {
        store.action(key, of: conductor.piece.declaration.name, household: household) { [loop] known in
            loop.execute { self.assumeIsolated { then($0, known) } }
        }
    }

    private func act(on asked: KeyedActions.Asked, known: Result<StateStore.KnownAction?, NotKept>, at place: KeyedActions.Place) {
        let caller = asked.caller
        switch known {
        case .success(nil) where isClosing:
            caller.refuse(ErrorReply(.refused(.shuttingDown), "shutting down"))
        case .success(nil) where asked.household != conductor.household:
            let fault = Fault(field: "household", expected: "the one that was here when it was asked", found: "another one")
            caller.refuse(ErrorReply(.refused(.notNow), fault: fault))
        case .success(nil):
            // Also where nobody asked for an answer it is known when there would be one: then it is on the disk.
            let last = Caller(client: caller.client, id: caller.id ?? .null, reply: { [loop] line in
                if caller.id != nil { caller.reply(line) }
                loop.execute { self.assumeIsolated { $0.endTurn(at: place) } }
            }, stage: self)
            return act(on: .action(asked.action), at: asked.stamp, last)
        case .success(let action?) where place.key.scope == .everybody:
            let fate = action.kind == LedgerRow.revoked ? "which is revoked" : "which has counted"
            caller.refuse(ErrorReply(.refused(.notNow), fault: Fault(field: "key", expected: "one that has not counted for anybody",
                                                            found: "\(place.key.text), \(fate)")))
        case .success(let action?):
            var receipt = Receipt(frame: nil, notKept: action.notKept, alreadyKept: [place.key.text])
            let told = tellsResult(of: .action(asked.action), to: caller.client) ? action.answer : nil
            receipt.result = told.flatMap { try? JSONValue(parsing: Array($0.utf8)) }
            caller.answer(receipt)
        case .failure(let problem):
            caller.refuse(ErrorReply(.refused(.notKept), "what counts once cannot be kept now: \(problem.reason)"))
        }
        endTurn(at: place)
    }
}

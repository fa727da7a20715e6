import Fields
import JSON
import Signals
import StateStore
import Wire

// Actions that count once.
extension Stage {
    /// Acts on an action with a key, unless one of the key has counted: then it is answered as that was. Without a state directory nothing
    /// is known of keys, and each counts.
    func actOnce(on asked: KeyedActions.Asked, by key: ActionKey) {
        guard let store = kept.store else { return act(on: .action(asked.action), at: asked.stamp, asked.caller) }
        let household = conductor.household
        let place = KeyedActions.Place(key, in: household)
        guard keyed.begin(asked, at: place) else { return }
        store.action(key, of: conductor.piece.declaration.name, household: household) { [loop] result in
            loop.execute {
                self.assumeIsolated { stage in
                    // Somebody else's household has come meanwhile.
                    guard stage.conductor.household == household || key.scope == .everybody else {
                        stage.endAction(at: place)
                        return stage.actOnce(on: asked, by: key)
                    }
                    stage.act(on: asked, known: result, at: place)
                }
            }
        }
    }

    private func act(on asked: KeyedActions.Asked, known: Result<StateStore.KnownAction?, NotKept>, at place: KeyedActions.Place) {
        let caller = asked.caller
        switch known {
        case .success(nil) where isClosing:
            caller.refuse(ErrorReply(.refused, "shutting down"))
        case .success(nil):
            // Also where nobody asked for an answer it is known when there would be one: then it is on the disk.
            let last = Caller(client: caller.client, id: caller.id ?? .null) { [loop] line in
                if caller.id != nil { caller.reply(line) }
                loop.execute { self.assumeIsolated { $0.endAction(at: place) } }
            }
            return act(on: .action(asked.action), at: asked.stamp, last)
        case .success(let action?) where place.key.scope == .everybody:
            let found = "\(place.key.text), which has counted for \(action.household)"
            caller.refuse(ErrorReply(.refused, fault: Fault(field: "key", expected: "one that has not counted for anybody", found: found)))
        case .success(let action?):
            var receipt = Receipt(frame: nil, notKept: action.notKept, alreadyKept: [place.key.text])
            receipt.result = action.answer.flatMap { answer in
                (try? JSONText(Array(answer.utf8), within: .none)).flatMap { try? JSONValue(from: JSONReading($0).decoder) }
            }
            caller.answer(receipt)
        case .failure(let problem):
            caller.refuse(ErrorReply(.refused, "what counts once cannot be kept now: \(problem.reason)"))
        }
        endAction(at: place)
    }

    private func endAction(at place: KeyedActions.Place) {
        for asked in keyed.end(at: place) { actOnce(on: asked, by: place.key) }
    }
}

import Conductor
import Experience
import Fields
import JSON
import Signals
import StateStore
import Wire

// Whole households, for operators.
extension Stage {
    /// Those whose names come after `last`, in their names' order.
    func tellHouseholds(after last: String, atMost most: Int, _ caller: Caller) {
        let (piece, here) = (conductor.piece.declaration.name, conductor.household)
        withBooks(caller) { store throws(ErrorReply) in
            do throws(NotKept) {
                let found = try await store.keptHouseholds(of: piece, after: last, atMost: most)
                let households = found.map {
                    HouseholdList.Household(name: $0.name, updated: $0.updated, entries: $0.entries, isHere: $0.name == here,
                                            hasOnlySecret: $0.hasOnlySecret)
                }
                return HouseholdList(households: households, kept: store.memoryCount(of: piece), most: Conductor.mostHouseholds)
            } catch {
                throw ErrorReply(.refused(.unavailable), "households cannot be read: \(error.reason)")
            }
        }
    }

    /// Forgets a household. The answer comes when that is on the disk; where it cannot be, nothing has happened.
    func removeHousehold(_ name: String, _ caller: Caller) {
        let (piece, note) = (conductor.piece.declaration.name, note(by: caller))
        close([("household", name)], caller) { store throws(StateStore.NotClosed) in
            try await store.remove(name, of: piece, note: note)
        }
    }

    /// Forgets a household, whose balances another one gets. The same holds of the answer.
    func mergeHousehold(_ name: String, into other: String, _ caller: Caller) {
        guard name != other else {
            let fault = Fault(field: "into", expected: "another household", found: "\"\(other)\"")
            return caller.refuse(ErrorReply(.invalidParams, fault: fault))
        }
        let (piece, note) = (conductor.piece, note(by: caller, [("from", name), ("into", other)]))
        close([("household", name), ("into", other)], caller) { store throws(StateStore.NotClosed) in
            try await store.merge(name, into: other, of: piece.declaration.name, note: note) { gone, left throws(StateStore.NotClosed) in
                do throws(Fault) {
                    return Kept.text(try piece.merge(Kept.value(gone), into: Kept.value(left)))
                } catch {
                    throw .misfit("\(error)")
                }
            }
        }
    }

    private func note(by caller: Caller, _ more: [(String, String)] = []) -> String {
        let fields = [("by", presence.words(for: .connection(caller.client)))] + more
        return Kept.text(.object(Dictionary(uniqueKeysWithValues: fields.map { ($0.0, JSONValue.text($0.1)) })))
    }

    /// Nobody of `names`, each with its field, is there, or enters meanwhile.
    private func close(_ names: [(field: String, name: String)], _ caller: Caller,
                       _ work: @escaping @Sendable (StateStore) async throws(StateStore.NotClosed) -> Void) {
        if let here = names.first(where: { $0.name == conductor.household }) {
            let fault = Fault(field: here.field, expected: "a household that is not there now", found: "\"\(here.name)\", which is")
            return caller.refuse(ErrorReply(.refused(.notNow), fault: fault))
        }
        let all = Set(names.map(\.name))
        guard closingHouseholds.isDisjoint(with: all) else {
            return caller.refuse(ErrorReply(.refused(.busy), "a household of these is being removed or merged already"))
        }
        if let reason = kept.refusal(ofActionsOf: conductor.piece.declaration) {
            return caller.refuse(ErrorReply(.refused(.notKept), reason))
        }
        closingHouseholds.formUnion(all)
        withBooks(caller) { store throws(ErrorReply) in
            do throws(StateStore.NotClosed) {
                try await work(store)
                return Receipt(frame: nil)
            } catch {
                throw ErrorReply(error, names)
            }
        } then: { $0.closingHouseholds.subtract(all) }
    }

    /// The answer waits for the disk, and nothing else does. `then` is done last, also where nothing was.
    private func withBooks(_ caller: Caller,
                           _ answer: @escaping @Sendable (StateStore) async throws(ErrorReply) -> any Encodable & Sendable,
                           then: @escaping @Sendable (isolated Stage) -> Void = { _ in }) {
        guard let store = kept.store else {
            then(self)
            return caller.refuse(ErrorReply(.refused(.notHere), "there is no state directory, and nothing is kept of households"))
        }
        do throws(ErrorReply) {
            try deferredAnswers.begin(for: caller.client)
        } catch {
            then(self)
            return caller.refuse(error)
        }
        Task {
            do throws(ErrorReply) {
                caller.answer(try await answer(store))
            } catch {
                caller.refuse(error)
            }
            deferredAnswers.end(for: caller.client)
            then(self)
        }
    }
}

extension ErrorReply {
    fileprivate init(_ error: StateStore.NotClosed, _ names: [(field: String, name: String)]) {
        switch error {
        case .unknown(let name):
            let field = names.first { $0.name == name }?.field ?? "household"
            self.init(.refused(.notNow), fault: Fault(field: field, expected: "one of which something is kept", found: "\"\(name)\""))
        case .closing(let name): self.init(.refused(.busy), "\(name) is being removed or merged already")
        case .misfit(let reason): self.init(.refused(.notNow), "the two households do not go together: \(reason)")
        case .notKept(let problem): self.init(.refused(.notKept), "nothing has changed: \(problem.reason)")
        }
    }
}

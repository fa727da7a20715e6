import Conductor
import Experience
import Fields
import JSON
import Signals
import StateStore
import Wire

/// Lists, removes and merges whole households for operators. Only the stage has this class, so its state belongs to the event loop.
final class HouseholdDesk {
    private let piece: any Experience.Type
    private let store: StateStore?
    /// The households that are being removed or merged, and may not enter meanwhile.
    private var closing: Set<String> = []

    init(_ store: StateStore?, of piece: any Experience.Type) { (self.store, self.piece) = (store, piece) }

    /// Returns why a household may not enter: it is being removed or merged. Nil where it may.
    func refusal(toEnter household: String) -> ErrorReply? {
        guard closing.contains(household) else { return nil }
        return ErrorReply(.refused(.busy), "\(household) is being removed, or merged with another household")
    }

    /// Keeps the households `names` from entering from now on.
    func keepOut(_ names: Set<String>) { closing.formUnion(names) }

    private static let lack = "there is no state directory, and nothing is kept of households"

    /// Answers with the households whose names come after `last`, in the order of their names.
    func tell(after last: String, atMost most: Int, _ caller: Caller, on stage: isolated Stage) {
        let (piece, here) = (piece.declaration.name, stage.conductor.household)
        Later(caller).ask(store, orRefuse: Self.lack, on: stage) { store throws(ErrorReply) in
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

    /// Removes a household, and answers when that is on the disk. If the removal cannot be stored, nothing has changed.
    func remove(_ name: String, _ caller: Caller, on stage: isolated Stage) {
        let (piece, note) = (piece.declaration.name, Self.note(by: caller, stage))
        close([("household", name)], caller, stage) { store throws(StateStore.NotClosed) in
            try await store.remove(name, of: piece, note: note)
        }
    }

    /// Removes a household and gives its balances to `other`. Answers as `remove` does.
    func merge(_ name: String, into other: String, _ caller: Caller, on stage: isolated Stage) {
        guard name != other else {
            let fault = Fault(field: "into", expected: "another household", found: "\"\(other)\"")
            return caller.refuse(ErrorReply(.invalidParams, fault: fault))
        }
        let (piece, note) = (piece, Self.note(by: caller, stage, [("from", name), ("into", other)]))
        close([("household", name), ("into", other)], caller, stage) { store throws(StateStore.NotClosed) in
            try await store.merge(name, into: other, of: piece.declaration.name, note: note) { gone, left throws(StateStore.NotClosed) in
                do throws(Fault) {
                    return Kept.text(try piece.merge(Kept.value(gone), into: Kept.value(left)))
                } catch {
                    throw .misfit("\(error)")
                }
            }
        }
    }

    private static func note(by caller: Caller, _ stage: isolated Stage, _ more: [(String, String)] = []) -> String {
        let fields = [("by", stage.clients.presence.words(for: .connection(caller.client)))] + more
        return Kept.text(.object(Dictionary(uniqueKeysWithValues: fields.map { ($0.0, JSONValue.text($0.1)) })))
    }

    /// Runs `work`, which removes or merges the households `names`. Each has beside it the parameter in which a client named it, for
    /// errors. None of them may be present, and none may enter meanwhile.
    private func close(_ names: [(field: String, name: String)], _ caller: Caller, _ stage: isolated Stage,
                       _ work: @escaping @Sendable (StateStore) async throws(StateStore.NotClosed) -> Void) {
        if let here = names.first(where: { $0.name == stage.conductor.household }) {
            let fault = Fault(field: here.field, expected: "a household that is not there now", found: "\"\(here.name)\", which is")
            return caller.refuse(ErrorReply(.refused(.notNow), fault: fault))
        }
        let all = Set(names.map(\.name))
        guard closing.isDisjoint(with: all) else {
            return caller.refuse(ErrorReply(.refused(.busy), "a household of these is being removed or merged already"))
        }
        if let reason = stage.kept.refusal(ofActionsOf: piece.declaration) {
            return caller.refuse(ErrorReply(.refused(.notKept), reason))
        }
        keepOut(all)
        Later(caller).ask(store, orRefuse: Self.lack, on: stage) { store throws(ErrorReply) in
            do throws(StateStore.NotClosed) {
                try await work(store)
                return Receipt(frame: nil)
            } catch {
                throw ErrorReply(error, names)
            }
        } then: { $0.desks.households.closing.subtract(all) }
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

import Conductor
import class Experience.Declaration
import enum Experience.Household
import Fields
import Files
import JSON
import Publishing
import StateStore

// What a piece remembers of its household.
extension Kept {
    /// As it was kept last of a household; nil when nothing was. What is no JSON is a text, which no piece takes for its memory.
    func memory(of piece: String, household: String = Household.home) -> JSONValue? {
        store?.memory(piece: piece, household: household).map { Self.value($0) }
    }

    /// What is no JSON is a text.
    static func value(_ text: String) -> JSONValue { (try? JSONValue(parsing: Array(text.utf8))) ?? .text(text) }

    /// The hash of a household's secret; nil where it has none. What is no hash is a secret that nobody knows.
    func secret(of piece: String, household: String) -> SlowHash? {
        store?.secret(piece: piece, household: household).map { SlowHash(text: $0) ?? .ofNothing }
    }

    /// `then` is told when it is on the disk, or why it is not, on any thread; at once where nothing can be kept.
    func keep(_ keeping: Conductor.Keeping, of piece: String, then: (@Sendable (Result<Commit, NotKept>) -> Void)? = nil) {
        guard let store else {
            then?(.failure(Self.nowhere))
            return
        }
        var changes: [Change] = []
        if let unreadable = keeping.unreadable, let body = store.memory(piece: piece, household: keeping.household) {
            changes.append(.setAside(piece: piece, household: keeping.household, body: body, reason: "\(unreadable)"))
        }
        if let memory = keeping.memory {
            changes.append(.remember(piece: piece, household: keeping.household, body: Self.text(memory)))
        }
        changes += keeping.ledger.map { .append(LedgerRow(piece: piece, household: keeping.household, $0)) }
        store.commit(changes, then: then)
    }

    /// The documents of the piece of this declaration.
    func documents(of piece: Declaration) -> DocumentBook {
        let refusal: String? = if store == nil {
            "there is no state directory to keep a document in"
        } else if !isKnown {
            "what was published could not be read at the start: nothing is published before the next one"
        } else {
            nil
        }
        return DocumentBook(Publications(piece, versions.filter { $0.piece == piece.name }.map(\.version)), refusal: refusal)
    }

    /// Why no receipt of a purchase is to be taken; nil where they may.
    var refusalOfReceipts: String? {
        isKnown ? store?.refusal : "what is kept of households could not be read at the start: no receipt is taken before the next one"
    }

    /// Why no action of the piece of this declaration is to be done here; nil where it may.
    func refusal(ofActionsOf piece: Declaration) -> String? {
        guard case .household = piece.policy else { return nil }
        return store?.refusal
    }

    static func text(_ value: JSONValue) -> String { value.written }
}

import Fields
import Signals

extension Declaration {
    /// `event` with its action as the piece's own reader understands it. Throws what can be said against it without a piece: an action that
    /// is not declared, a field that its reader refuses, a knob's value that is out of range, a document of a kind that is not declared.
    public func read(_ event: Event) throws(Fault) -> Event {
        switch event.kind {
        case .action(let action): return Event(client: event.client, .action(try read(action)))
        case .knob(let change): try change.check(knobs)
        case .configuration(let document): _ = try read(document)
        default: break
        }
        return event
    }

    /// `document` as the piece's own type. Throws for a kind that it does not declare, and what is wrong with the body, by the path of the
    /// field from the kind on.
    public func read(_ document: PublishedDocument) throws(Fault) -> any PieceDocument {
        try configuration(document.kind).read(document.body)
    }

    private func read(_ action: Action) throws(Fault) -> Action {
        guard let own = self.action(action.name) else {
            let names = actions.map(\.name)
            let expected = names.isEmpty ? "none" : "only " + names.joined(separator: ", ")
            throw Fault(field: "method", expected: "\(expected) of the pieces' own, because the experience is \(name)", found: action.name)
        }
        guard let unchecked = action.body as? UncheckedAction else { return action }
        do {
            return try JSONValue.object(unchecked.fields).read { try own.action($0) }
        } catch let fault as Fault {
            throw fault
        } catch {
            throw Fault(field: "", expected: "the fields of \(action.name)")
        }
    }
}

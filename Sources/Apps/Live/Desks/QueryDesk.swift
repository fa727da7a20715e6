import CLinux
import Experience
import Fields
import Signals
import Units
import Wire

/// Answers clients' questions about the piece: its queries, its knobs and its counters. Each client gets as much as it may know. A plain
/// value. Thread: the event loop.
struct QueryDesk {
    /// Returns the piece's answer, without what the client may not know about the present household.
    func answer(_ query: PieceQuery, _ client: Int, on stage: isolated Stage) throws(ErrorReply) -> any Encodable & Sendable {
        let visibility = stage.outputs.guests.visibility(of: client)
        let declared = stage.conductor.piece.declaration.queries.first { $0.name == query.name }
        if declared?.isAboutMoney == true, !visibility.has(.money) {
            throw ErrorReply(.refused(.notAllowed), "only operators, and who came in the household's name, are told of its money")
        }
        do throws(Fault) {
            return visibility.part(of: clocked(try answerOfPiece(query, on: stage), stage), declared?.inConfidence ?? [:])
        } catch {
            throw ErrorReply(.invalidParams, fault: error)
        }
    }

    /// Returns the piece's complete answer. Its times are seconds since the run's start.
    func answerOfPiece(_ query: PieceQuery, on stage: isolated Stage) throws(Fault) -> any Encodable & Sendable {
        try stage.conductor.current.answer(query, at: Self.runTime(of: stage))
    }

    /// Returns the piece's answer for a household, which need not be present. `name` is the name of a query without parameters.
    func answer(_ name: String, of household: String, on stage: isolated Stage) throws(ErrorReply) -> any Encodable {
        let declaration = stage.conductor.piece.declaration
        do throws(Fault) {
            guard let query = declaration.query(name) else {
                let queries = declaration.queries.map { $0.name }.filter { declaration.query($0) != nil }.joined(separator: ", ")
                let expected = queries.isEmpty ? "nothing, because the experience \(declaration.name) answers nothing" : "one of \(queries)"
                throw Fault(field: "query", expected: expected, found: "\"\(name)\"")
            }
            if household == stage.conductor.household { return clocked(try answerOfPiece(query, on: stage), stage) }
            return try stage.conductor.preview(of: household).answer(query, at: .zero)
        } catch {
            throw ErrorReply(.invalidParams, fault: error)
        }
    }

    /// Returns a copy of `answer` in which times since the run's start are replaced by times of the machine's clock.
    private func clocked(_ answer: any Encodable & Sendable, _ stage: isolated Stage) -> any Encodable & Sendable {
        guard let moments = stage.conductor.moments, let answer = answer as? any Clocked & Encodable else { return answer }
        return answer.clocked(moments)
    }

    /// Returns the debug panel: the knobs, and the counters that `client` may see.
    func knobs(for client: Int, on stage: isolated Stage) -> [KnobReport] {
        let (run, visibility) = (stage.conductor.current, stage.outputs.guests.visibility(of: client))
        let counters = run.counters(at: Self.runTime(of: stage)).filter { counter in counter.confidence.map { visibility.has($0) } ?? true }
        return run.declaration.knobs.map { KnobReport($0, run.knobs) } + counters.map { KnobReport($0) }
    }

    /// Returns the knob or counter called `name`. Throws where there is none, or where `client` may not see it.
    func knob(_ name: String, for client: Int, on stage: isolated Stage) throws(ErrorReply) -> KnobReport {
        let knobs = knobs(for: client, on: stage)
        if let knob = knobs.first(where: { $0.name == name }) { return knob }
        guard !stage.conductor.current.counters(at: Self.runTime(of: stage)).contains(where: { $0.name == name }) else {
            throw ErrorReply(.refused(.notAllowed), "only operators, and who came in the household's name, are told of its \(name)")
        }
        let names = knobs.map(\.name)
        throw ErrorReply(.invalidParams, fault: Fault(field: "name", expected: "one of " + names.joined(separator: ", "),
                                                      found: "\"\(name)\"" + Spelling.hint(for: name, among: names)))
    }

    /// Returns the piece's snapshot, without what the client may not know; nil for a piece that declares no snapshot.
    func snapshot(for client: Int, on stage: isolated Stage) -> PieceSnapshot? {
        let declaration = stage.conductor.piece.declaration
        guard let snapshot = declaration.snapshot, let query = declaration.query(snapshot.query),
              let answer = try? answer(query, client, on: stage) else { return nil }
        return PieceSnapshot(field: snapshot.field, answer: answer)
    }

    /// Returns the present time in frames since the run's start; 0 where there is no run.
    private static func runTime(of stage: isolated Stage) -> Frame {
        stage.conductor.run?.time(of: stage.due(monotonicNanoseconds()).frame) ?? .zero
    }
}

import Experience
import Fields
import Units
import Wire

extension Question {
    /// What `run` has to say to it, at a frame of it. Throws when it has nothing of the kind; whom that error answers is still to be said.
    func answer(by run: Run, at time: Frame) throws(ErrorReply) -> any Encodable {
        switch self {
        case .piece(let query):
            do throws(Fault) {
                return try run.answer(query, at: time)
            } catch {
                throw ErrorReply(.refused, fault: error)
            }
        case .knobs: return KnobList(parameters: run.panel(at: time))
        case .knob(let name):
            let panel = run.panel(at: time)
            guard let report = panel.first(where: { $0.name == name }) else {
                let expected = panel.isEmpty ? "none, because the experience has no knobs"
                    : "one of " + panel.map(\.name).joined(separator: ", ")
                throw ErrorReply(.invalidParams, fault: Fault(field: "name", expected: expected, found: "\"\(name)\""))
            }
            return report
        }
    }
}

extension Run {
    /// The knobs, and the counters.
    fileprivate func panel(at time: Frame) -> [KnobReport] {
        declaration.knobs.map { KnobReport($0, knobs) } + piece.counters(at: time).map { KnobReport($0) }
    }
}

extension PieceSnapshot {
    /// What the piece declares to be its snapshot; nil for one that declares none.
    init?(of run: Run, at time: Frame) {
        guard let snapshot = run.declaration.snapshot, let query = run.declaration.query(snapshot.query),
              let answer = try? run.answer(query, at: time) else { return nil }
        self.init(field: snapshot.field, answer: answer)
    }
}

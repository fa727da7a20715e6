import CLinux
import Experience
import Fields
import Wire

/// Sends front ends rehearsals: announcements of things that have not happened. The piece, its journal and its ledger are not affected. A
/// plain value. Thread: the event loop.
struct RehearsalDesk {
    private let declaration: Declaration

    init(_ declaration: Declaration) { self.declaration = declaration }

    /// The scenes that can be rehearsed, in the order in which they are shown.
    var list: RehearsalList {
        RehearsalList(scenes: (declaration.rehearsal?.scenes ?? []).map { RehearsalList.Scene(topic: $0.topic, name: $0.name) })
    }

    /// Sends subscribers a scene that the piece declares. It is marked as a rehearsal, and its times count from now.
    func show(_ wanted: RehearsalList.Scene, on stage: isolated Stage) throws(ErrorReply) {
        guard let scenes = declaration.rehearsal?.scenes else {
            throw ErrorReply(.refused(.notHere), "the experience \(declaration.name) announces nothing that could be rehearsed")
        }
        guard let scene = scenes.first(where: { $0.topic == wanted.topic && $0.name == wanted.name }) else {
            let names = scenes.filter { $0.topic == wanted.topic }.map(\.name)
            let topics = names.isEmpty ? scenes.map(\.topic).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } } : []
            let (field, found, known) = names.isEmpty ? ("topic", wanted.topic, topics) : ("name", wanted.name, names)
            throw ErrorReply(.invalidParams, fault: Fault(
                field: field, expected: "one of " + known.joined(separator: ", "),
                found: "\"\(found)\"" + Spelling.hint(for: found, among: known)))
        }
        let now = monotonicNanoseconds()
        let announcement = scene.announcement.clocked { now + Int64($0 * 1e9) }
        stage.outputs.subscribers.tell(Topic(scene.topic)) { Notification(rehearsing: announcement) }
    }

    /// Sends subscribers the piece's real state, so that they no longer show the rehearsal.
    func showTruth(on stage: isolated Stage) {
        guard let rehearsal = declaration.rehearsal, let query = declaration.query(rehearsal.query),
              let answer = try? stage.desks.queries.answerOfPiece(query, on: stage),
              let truth = rehearsal.correction(by: answer) else { return }
        stage.outputs.tell(stage.conductor.moments.map { truth.clocked($0) } ?? truth)
    }
}

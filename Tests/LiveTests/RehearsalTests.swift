import ColorScroller
import Direct
import Experience
import Foundation
import Registry
import Testing

@testable import Live
@testable import Wire

/// What front ends are shown of a piece without its having happened.
@Suite struct RehearsalTests {
    /// Fields of `shape` that `whole` lacks, and those that it must have and `shape` has not, by their paths.
    private func strange(_ shape: Shape, in whole: Shape, at path: String) -> [String] {
        switch (shape, whole) {
        case (.object(let fields), .object(let known)):
            let missing = known.filter { $0.value.isRequired && fields[$0.key] == nil }.keys.map { "\(path).\($0) is missing" }
            return missing + fields.flatMap { name, field in
                known[name].map { strange(field.shape, in: $0.shape, at: "\(path).\(name)") } ?? ["\(path).\(name)"]
            }
        case (.list(let element?), .list(let known?)): return strange(element, in: known, at: path + "[]")
        default: return []
        }
    }

    @Test(arguments: Registry.pieces.declarations.filter { $0.rehearsal != nil }.map(\.name))
    func `every scene has the fields that OpenRPC has for its topic`(name: String) throws {
        let declaration = try #require(Registry.pieces.declarations.first { $0.name == name })
        let topics = TopicTable([declaration]).topics
        for scene in declaration.rehearsal?.scenes ?? [] {
            let topic = try #require(topics.first { $0.topic.name == scene.topic })
            // Told beside the announcement's own.
            guard case .object(var fields) = topic.shape else { preconditionFailure("parameters are an object") }
            #expect(fields["rehearsal"] == Shape.Field(shape: .scalar("boolean"), isRequired: false))
            fields["number"] = nil
            #expect(strange(Shape(of: scene.announcement.body), in: .object(fields), at: "\(scene.topic)/\(scene.name)") == [])
        }
    }

    private func told(_ lines: Lines) throws -> [[String: Any]] {
        try lines.all.compactMap { try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] }
    }

    @Test func `subscribers are told a scene, marked, by the machine's clock, and the piece knows nothing of it`() async throws {
        let rig = try StageRig(ColorScroller.self)
        let page = try await rig.connect(1)
        _ = try await rig.ask(1, "subscribe", #"{"topics":["unlock","reset","toast"]}"#)
        _ = try await rig.connect(2, as: .operator)
        #expect(try await rig.ask(2, "rehearse", #"{"topic":"unlock","name":"rare"}"#) == #"{"id":1,"jsonrpc":"2.0","result":{}}"#)
        #expect(try await rig.ask(2, "rehearse", "{}") == #"{"id":1,"jsonrpc":"2.0","result":{}}"#)
        let lines = try told(page)
        #expect(lines.compactMap { $0["method"] as? String } == ["unlock", "reset"])
        let unlock = try #require(lines[0]["params"] as? [String: Any])
        #expect(unlock["rehearsal"] as? Bool == true && unlock["pausedFor"] as? Double == 0.8)
        #expect((unlock["skin"] as? [String: Any])?["name"] as? String == "Sunrise")
        #expect(unlock["pausedUntilMonotonic"] as? Int64 ?? 0 > 0)
        // How it really is: at the first card.
        let reset = try #require(lines[1]["params"] as? [String: Any])
        #expect(reset["rehearsal"] == nil && reset["index"] as? Int == 0)
        #expect(await !rig.stage.hasRun)
        try await rig.stop()
    }

    @Test func `a scene that there is not is refused by its topic or its name, with the nearest that there is`() async throws {
        let rig = try StageRig(ColorScroller.self)
        _ = try await rig.connect(1, as: .operator)
        let topic = try #require(try await rig.ask(1, "rehearse", #"{"topic":"unlok","name":"rare"}"#))
        #expect(topic.contains(#""field":"topic""#) && topic.contains("(did you mean unlock?)"))
        let name = try #require(try await rig.ask(1, "rehearse", #"{"topic":"unlock","name":"rar"}"#))
        #expect(name.contains(#""field":"name""#) && name.contains("(did you mean rare?)"))
        try await rig.stop()
        let direct = try StageRig(Direct.self)
        _ = try await direct.connect(1, as: .operator)
        #expect(try await direct.ask(1, "rehearse", #"{"topic":"unlock","name":"rare"}"#)?.contains("announces nothing") == true)
        #expect(try await direct.ask(1, "rehearsal.list", "{}") == #"{"id":1,"jsonrpc":"2.0","result":{"scenes":[]}}"#)
        try await direct.stop()
    }
}

extension Stage {
    fileprivate var hasRun: Bool { conductor.run != nil }
}

import Foundation
import Registry
import Testing
import TestSupport
import Wire

@testable import Live

/// Texts that have a fixed set of values name them in the OpenRPC document.
@Suite struct OpenRPCWordsTests {
    private let document: [String: Any]

    init() throws {
        document = try Self.document("colorscroller")
    }

    private static func document(_ name: String) throws -> [String: Any] {
        let piece = try #require(Registry.pieces.declarations.first { $0.name == name })
        let methods = EngineMethods.table(piece, among: Registry.pieces.declarations).descriptions
        let json = try JSONEncoder().encode(OpenRPC(version: "0", methods, TopicTable([piece]), of: [piece]))
        return inlined(try #require(try JSONSerialization.jsonObject(with: json) as? [String: Any]))
    }

    @Test(arguments: Registry.pieces.declarations.map(\.name))
    func `every text says what it holds: by its values, or in words`(piece: String) throws {
        let document = try Self.document(piece)
        var texts = 0
        var bare: [String] = []
        func look(at schema: [String: Any], _ path: String, isDescribed: Bool = false) {
            let isDescribed = isDescribed || ["enum", "description", "format", "pattern"].contains { schema[$0] != nil }
            if schema["type"] as? String == "string" {
                texts += 1
                if !isDescribed { bare.append(path) }
            }
            for (name, part) in schema["properties"] as? [String: [String: Any]] ?? [:] { look(at: part, "\(path).\(name)") }
            if let items = schema["items"] as? [String: Any] { look(at: items, path + "[]", isDescribed: isDescribed) }
            for part in schema["oneOf"] as? [[String: Any]] ?? [] { look(at: part, path, isDescribed: isDescribed) }
        }
        for method in try #require(document["methods"] as? [[String: Any]]) {
            let name = method["name"] as? String ?? ""
            for parameter in method["params"] as? [[String: Any]] ?? [] {
                look(at: try #require(parameter["schema"] as? [String: Any]), "\(name)(\(parameter["name"] ?? ""))",
                     isDescribed: parameter["description"] != nil)
            }
            look(at: try #require((method["result"] as? [String: Any])?["schema"] as? [String: Any]), name)
        }
        for topic in try #require(document["x-notifications"] as? [[String: Any]]) {
            look(at: try #require(topic["schema"] as? [String: Any]), topic["name"] as? String ?? "")
        }
        let schemas = (document["components"] as? [String: Any])?["schemas"] as? [String: [String: Any]]
        look(at: try #require(schemas?["ErrorData"]), "error")
        #expect(texts > 150)
        #expect(bare == [])
    }

    @Test func `every notification that the sources can send is in the document of a piece`() throws {
        var named: Set<String> = []
        for piece in Registry.pieces.declarations {
            let document = try Self.document(piece.name)
            named.formUnion(try #require(document["x-notifications"] as? [[String: Any]]).compactMap { $0["name"] as? String })
        }
        // Topics of the server are named in its sources, those of a piece in its declaration; one notification is of no topic.
        let sources = try #require(FileManager.default.enumerator(atPath: repository + "/Sources"))
        var sent = Set(Registry.pieces.declarations.flatMap { $0.topics.map(\.name) })
        for case let file as String in sources where file.hasSuffix(".swift") {
            let text = try String(contentsOfFile: repository + "/Sources/" + file, encoding: .utf8)
            sent.formUnion(text.matches(of: /\bTopic\("([a-z.-]+)"\)/).map { String($0.1) })
            sent.formUnion(text.matches(of: /\bmissedName = "([a-z]+)"/).map { String($0.1) })
            if !file.hasSuffix("/Notifications.swift") { #expect(!text.contains(/\bNotification\(method:/), "\(file)") }
        }
        #expect(sent.isSuperset(of: ["session", "cue", "meters", "missed", "scroll"]))
        #expect(named == sent)
    }

    @Test(arguments: ["swipe", "feed.scroll"])
    func `what a piece answers to an event has a schema`(event: String) throws {
        let methods = try #require(document["methods"] as? [[String: Any]])
        let method = try #require(methods.first { $0["name"] as? String == event })
        let receipt = try #require((method["result"] as? [String: Any])?["schema"] as? [String: Any])
        let result = try #require((receipt["properties"] as? [String: [String: Any]])?["result"])
        #expect((receipt["required"] as? [String] ?? []).contains("result") == false, "only while the feed stands still")
        let types = (result["properties"] as? [String: [String: Any]])?.mapValues { $0["type"] as? String }
        #expect(result["type"] as? String == "object")
        #expect(types == ["held": "boolean", "index": "integer", "pausedUntil": "number", "pausedFor": "number"])
        #expect((result["required"] as? [String])?.sorted() == ["held", "index", "pausedFor", "pausedUntil"])
    }

    /// The values of a field by its path, in which `[]` stands for a list's elements.
    private func words(_ name: String, _ path: String) throws -> [String]? {
        let methods = document["methods"] as? [[String: Any]] ?? []
        let notifications = document["x-notifications"] as? [[String: Any]] ?? []
        var schema: [String: Any]
        if let method = methods.first(where: { $0["name"] as? String == name }) {
            schema = try #require((method["result"] as? [String: Any])?["schema"] as? [String: Any])
        } else {
            let notification = try #require(notifications.first { $0["name"] as? String == name }, "\(name)")
            schema = try #require(notification["schema"] as? [String: Any])
        }
        for step in path.split(separator: ".").map(String.init) {
            let field = step.replacing("[]", with: "")
            schema = try #require((schema["properties"] as? [String: Any])?[field] as? [String: Any], "\(name) \(path)")
            if step.hasSuffix("[]") { schema = try #require(schema["items"] as? [String: Any], "\(name) \(path)") }
        }
        return schema["enum"] as? [String]
    }

    /// As docs/protocol.md and docs/journal.md have them.
    @Test(arguments: [
        ("status", "output.kind", ["pulse", "alsa", "null"]),
        ("status", "output.state", ["connected", "waiting", "null"]),
        ("status", "devices.motors[].drive", ["sine", "rumble", "constant"]),
        ("device.list", "motors[].drive", ["sine", "rumble", "constant"]),
        ("hello", "role", ["visitor", "player", "watch", "volume", "operator"]),
        ("client.list", "clients[].role", ["visitor", "player", "watch", "volume", "operator"]),
        ("setting.list", "settings[].source", ["default", "file", "variable", "flag", "hand", "card", "last-good"]),
        ("log.list", "records[].level", ["trace", "debug", "info", "notice", "warning", "error", "critical"]),
        ("fault.list", "faults[].kind", ["issue", "late", "gap", "lost"]),
        ("session", "phase", ["began", "leaving", "stayed", "ended"]),
        ("hello", "capabilities[]", ["http", "osc", "touchscreens", "transducer"]),
        ("fault", "released", ["held", "silent", "unread"]),
        ("fault", "discontinuity", ["late", "gap", "lost"]),
        ("state", "output", ["connected", "waiting", "null"]),
        ("touches", "contacts[].phase", ["began", "moved", "ended"]),
        ("touch.owner", "owner", ["engine", "page", "anyone"]),
        ("scroll", "card.face", ["leaderboard", "gray", "skin"]),
        ("unlock", "skin.kind", ["solid", "gradient", "stripes", "dots", "symbols", "emoji"]),
        ("toast", "rarity", ["common", "special", "rare"]),
    ])
    func `a text with a fixed set of values names them`(name: String, path: String, values: [String]) throws {
        #expect(try words(name, path).map { Set($0) } == Set(values))
    }

    @Test func `events and cues are named, those of the piece among them`() throws {
        let cues = try #require(try words("cue", "cue"))
        #expect(Set(cues) == ["ceiling", "chime", "haptic", "mute", "noise", "stop", "texture", "theme", "tone.gate", "tone.level", "tone.pitch", "volume"])
        let events = try #require(try words("event", "event"))
        #expect(Set(events).isSuperset(of: ["touch", "swipe", "feed.scroll", "left", "visit"]) && !events.contains("kitty.bypass"))
    }
}

/// Returns an OpenRPC document in which each reference is replaced with the schema that it names.
private func inlined(_ document: [String: Any]) -> [String: Any] {
    let schemas = (document["components"] as? [String: Any])?["schemas"] as? [String: Any] ?? [:]
    func whole(_ part: Any) -> Any {
        switch part {
        case let list as [Any]: return list.map(whole)
        case let object as [String: Any]:
            if let name = (object["$ref"] as? String)?.split(separator: "/").last, let schema = schemas[String(name)] { return whole(schema) }
            return object.mapValues(whole)
        default: return part
        }
    }
    return document.mapValues(whole)
}

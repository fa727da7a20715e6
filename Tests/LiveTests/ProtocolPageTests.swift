import Experience
import Fields
import Registry
import Testing
import TestSupport

@testable import Live
@testable import Wire

/// The tables of docs/protocol.md. Those of methods, parameters, topics and reasons are made out of the sources; `make docs` writes them.
@Suite(.serialized) struct ProtocolPageTests {
    private static let page = "docs/protocol.md"
    private let guide = ProtocolGuide(Registry.pieces.declarations)

    @Test(arguments: ["methods", "parameters", "topics", "fields", "reasons"])
    func `the page's tables are those of the sources`(name: String) throws {
        let rows = switch name {
        case "methods": methods
        case "parameters": parameters
        case "fields": fields
        case "reasons": ["| `reason` | |", "|---|---|"] + ErrorReply.Reason.allCases.map { "| `\($0.rawValue)` | \($0.about) |" }
        default: topics
        }
        #expect(try GeneratedText.isWritten(rows.joined(separator: "\n") + "\n", in: Self.page, at: name), "make docs writes it anew")
    }

    @Test(arguments: ["feed.state", "hello", "status", "telemetry.export"])
    func `the table of an answer explains every field of it, and no other`(name: String) throws {
        let method = try #require(guide.methods.first { $0.name == name })
        let page = try String(contentsOfFile: repository + "/" + Self.page, encoding: .utf8)
        let section = try #require(page.components(separatedBy: "\n#### `\(name)`\n").last?.components(separatedBy: "\n#").first)
        let table = try #require(section.components(separatedBy: "\n| result | type | |\n|---|---|---|\n").dropFirst().first)
        let named = table.split(separator: "\n").prefix { $0.hasPrefix("|") }.flatMap { row in
            row.split(separator: "|")[0].matches(of: /`([A-Za-z0-9.]+)`/).map { String($0.1) }
        }
        let (leaves, objects) = paths(method.shape)
        #expect(Set(named).count == named.count)
        #expect(Set(leaves).subtracting(named) == [], "not explained")
        #expect(Set(named).subtracting(leaves + objects) == [], "not answered")
    }

    /// The names of a shape's fields and of the fields of objects in it, but not of those in lists.
    private func paths(_ shape: Shape, in parent: String = "") -> (leaves: [String], objects: [String]) {
        guard case .object(let fields) = shape else { return ([], []) }
        return fields.reduce(into: ([], [])) { result, field in
            let path = parent + field.key
            guard case .object = field.value.shape else { return result.leaves.append(path) }
            let inner = paths(field.value.shape, in: path + ".")
            result.objects += [path] + inner.objects
            result.leaves += inner.leaves
        }
    }

    private var methods: [String] {
        ["| method | who may | |", "|---|---|---|"] + guide.methods.map { method in
            let roles = Role.allCases.filter { $0.admits(method.access) }
            let who = roles == Role.allCases ? "everybody" : code(roles.map(\.rawValue))
            return "| `\(method.name)` | \(who) | \(method.summary) |"
        }
    }

    private var parameters: [String] {
        let moment = ["at", "delay"]
        let rows = guide.methods.flatMap { method in
            method.parameters.filter { !moment.contains($0.name) || method.result != "receipt" }.map { row("`\(method.name)`", $0) }
        }
        let anyEvent = guide.parameters(of: "stop").filter { moment.contains($0.name) }.map { row("every event", $0) }
        return ["| method | parameter | type | | |", "|---|---|---|---|---|"] + rows + anyEvent
    }

    private func row(_ method: String, _ parameter: FieldDescription) -> String {
        "| \(method) | `\(parameter.name)` | \(words(parameter.kind)) | \(parameter.isRequired ? "required" : "") | \(parameter.about) |"
    }

    private var topics: [String] {
        ["| topic | when |", "|---|---|"] + guide.topics.notifications.map {
            "| `\($0.topic.name)` | \($0.summary)\($0.isAboutMoney ? " Told \(Self.confidence)." : "") |"
        }
    }

    @Test func `every field of every announcement says what it holds`() {
        for field in announced { #expect(!field.meaning.isEmpty, "\(field.topic) \(field.path)") }
        #expect(announced.count > 200)
    }

    private static let confidence = "[in confidence](authority.md#in-confidence)"

    private var fields: [String] {
        ["| topic | field | type | |", "|---|---|---|---|"] + announced.map { field in
            "| `\(field.topic)` | `\(field.path)` | \(field.type)\(field.isRequired ? "" : ", may be left out") | \(field.meaning) |"
        }
    }

    private struct Announced {
        var topic: String
        /// With `[]` after a list.
        var path: String
        var type: String
        var isRequired: Bool
        var meaning: String
    }

    /// The fields of all topics that hold no others. Those that every notification has are explained above the table.
    private var announced: [Announced] {
        guide.topics.notifications.flatMap { entry in
            let pieces = Registry.pieces.declarations.filter { $0.topics.contains { $0.name == entry.topic.name } }
            let guide = FieldGuide(pieces)
            return leaves(entry.shape).filter { $0.path != ["number"] && $0.path != ["rehearsal"] }.map { leaf in
                let (type, isText) = words(leaf.shape)
                let plain = [entry.topic.name] + leaf.path.map { $0.replacing("[]", with: "") }
                let meaning = guide.meaning(of: plain, isText: isText)
                let choices: [String]? = if case .words(let words, _)? = meaning { words } else { nil }
                let isConfident = plain.indices.contains { entry.inConfidence[plain[1...max(1, $0)].joined(separator: ".")] != nil }
                let about = (meaning?.about ?? "") + (isConfident ? (meaning == nil ? "" : "; ") + "told \(Self.confidence)" : "")
                return Announced(topic: entry.topic.name, path: leaf.path.joined(separator: "."), type: choices.map(code) ?? type,
                                 isRequired: leaf.isRequired, meaning: about)
            }
        }
    }

    private func leaves(_ shape: Shape) -> [(path: [String], shape: Shape, isRequired: Bool)] {
        guard case .object(let fields) = shape else { return [] }
        return fields.sorted { $0.key < $1.key }.flatMap { name, field -> [(path: [String], shape: Shape, isRequired: Bool)] in
            let (step, inner) = if case .list(let element?) = field.shape { (name + "[]", element) } else { (name, field.shape) }
            let within = leaves(inner)
            guard !within.isEmpty else { return [([name], field.shape, field.isRequired)] }
            return within.map { ([step] + $0.path, $0.shape, $0.isRequired && field.isRequired) }
        }
    }

    /// The type in words, and whether it may be any text.
    private func words(_ shape: Shape) -> (type: String, isText: Bool) {
        switch shape {
        case .scalar("string"): ("text", true)
        case .scalar("integer"): ("whole number", false)
        case .scalar("boolean"): ("true or false", false)
        case .scalar(let type): (type, false)
        case .word(let choices): (code(choices), false)
        case .list(let element?): ("list of " + words(element).type, words(element).isText)
        case .list(nil): ("list", false)
        case .object, .any: ("object", false)
        }
    }

    private func code(_ names: [String]) -> String { names.map { "`\($0)`" }.joined(separator: ", ") }

    private func words(_ kind: FieldDescription.Kind) -> String {
        func choices(_ names: [String]) -> String { names.map { "`\($0)`" }.joined(separator: ", ") }
        func range(_ from: String, _ to: String, _ unit: String?) -> String { "\(from) to \(to)" + (unit.map { " \($0)" } ?? "") }
        return switch kind {
        case .number(let bounds, let unit):
            "number, " + range(Fault.plain(bounds.lowerBound), Fault.plain(bounds.upperBound), unit)
        case .integer(let bounds, let unit): "whole number, " + range("\(bounds.lowerBound)", "\(bounds.upperBound)", unit)
        case .flag: "true or false"
        case .text(let limit): "text of 1 to \(limit) characters"
        case .choice(let names): names.isEmpty ? "text" : choices(names)
        case .choices(let names): "list of " + choices(names)
        case .structure(let orList): orList ? "object or list" : "object"
        case .either(let kinds): kinds.map(words).joined(separator: "; or ")
        }
    }
}

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

    @Test(arguments: ["methods", "parameters", "topics", "reasons"])
    func `the page's tables are those of the sources`(name: String) throws {
        let rows = switch name {
        case "methods": methods
        case "parameters": parameters
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
            let who = switch method.access {
            case .look, .release: "everybody"
            case .act(by: .operator), .hold(by: .operator): "`operator`"
            case .act(let role), .hold(let role): "`\(role.rawValue)`, `operator`"
            }
            return "| `\(method.name)` | \(who) | \(method.summary) |"
        }
    }

    private var parameters: [String] {
        let moment = ["at", "in"]
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
        ["| topic | when | `params` |", "|---|---|---|"] + guide.topics.topics.map { entry in
            "| `\(entry.topic.name)` | \(entry.summary) | \(fields(entry.shape).filter { !["`number`", "[`rehearsal`]"].contains($0) }.joined(separator: ", ")) |"
        }
    }

    /// Names of fields, with those of an inner object after it; in brackets where a field may be left out.
    private func fields(_ shape: Shape) -> [String] {
        switch shape {
        case .object(let all):
            all.sorted { $0.key < $1.key }.map { name, field in
                let inner = fields(field.shape)
                let words = "`\(name)`" + (inner.isEmpty ? "" : ": {" + inner.joined(separator: ", ") + "}")
                return field.isRequired ? words : "[" + words + "]"
            }
        case .list(let element?): fields(element)
        default: []
        }
    }

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

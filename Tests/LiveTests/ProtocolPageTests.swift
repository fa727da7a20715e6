import Experience
import Fields
import Foundation
import Registry
import Testing
import Wire

@testable import Live

/// The tables of docs/protocol.md that say which methods, parameters and topics there are. `THRUM_DOCS=write` has them written anew.
@Suite(.serialized) struct ProtocolPageTests {
    private let page = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs/protocol.md").standardized
    private let guide = ProtocolGuide(Registry.pieces.declarations)

    @Test(arguments: ["methods", "parameters", "topics"])
    func `the page's tables are those of the table of methods`(name: String) throws {
        let rows = switch name {
        case "methods": methods
        case "parameters": parameters
        default: topics
        }
        let text = try String(contentsOf: page, encoding: .utf8)
        let (start, end) = ("<!-- \(name): written by ProtocolPageTests -->\n", "<!-- end of \(name) -->")
        let opening = try #require(text.range(of: start), "no table of \(name)")
        let closing = try #require(text.range(of: end, range: opening.upperBound..<text.endIndex), "the table of \(name) has no end")
        let table = rows.joined(separator: "\n") + "\n"
        if ProcessInfo.processInfo.environment["THRUM_DOCS"] == "write" {
            var text = text
            text.replaceSubrange(opening.upperBound..<closing.lowerBound, with: table)
            try text.write(to: page, atomically: true, encoding: .utf8)
        } else {
            #expect(text[opening.upperBound..<closing.lowerBound] == table, "THRUM_DOCS=write writes it anew")
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
        ["| method | parameter | type | | |", "|---|---|---|---|---|"] + guide.methods.flatMap { method in
            method.parameters.filter { !["at", "in"].contains($0.name) || method.result != "receipt" }.map { parameter in
                "| `\(method.name)` | `\(parameter.name)` | \(words(parameter.kind)) | \(parameter.isRequired ? "required" : "") | \(parameter.about) |"
            }
        }
    }

    private var topics: [String] {
        ["| topic | |", "|---|---|"] + guide.topics.topics.map { "| `\($0.topic.name)` | \($0.summary) |" }
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

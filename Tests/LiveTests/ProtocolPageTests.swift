import Experience
import Fields
import Registry
import Testing
import TestSupport

@testable import Live
@testable import Wire

/// The guide docs/protocol.md, and the pages of docs/reference, as far as no daemon is needed. `ReferencePagesTests` compares all of them.
@Suite(.serialized) struct ProtocolPageTests {
    private let guide = ProtocolGuide(Registry.pieces.declarations)
    /// What there is whatever the piece.
    private let engine = ProtocolGuide([])

    @Test func `the guide's table of reasons is that of the sources`() throws {
        let rows = ["| `reason` | |", "|---|---|"] + ErrorReply.Reason.allCases.map { "| `\($0.rawValue)` | \($0.about) |" }
        let isWritten = try GeneratedText.isWritten(rows.joined(separator: "\n") + "\n", in: "docs/protocol.md", at: "reasons")
        #expect(isWritten, "make docs writes it anew")
    }

    @Test func `the guide is short enough to be read from front to back`() throws {
        #expect(try String(contentsOfFile: repository + "/docs/protocol.md", encoding: .utf8).utf8.count < 60_000)
    }

    @Test func `every method has a section with its roles and parameters, on the page of the engine or of its piece`() throws {
        for method in guide.methods {
            let section = try #require(try section(of: "`\(method.name)`", on: page(of: method.name)), "\(method.name)")
            let roles = Role.allCases.filter { $0.admits(method.access) }
            let who = roles == Role.allCases ? "everybody" : roles.map { "`\($0.rawValue)`" }.joined(separator: ", ")
            #expect(section.contains("\n**Who may call it**: \(who).\n"), "\(method.name)")
            for parameter in method.parameters where !["at", "delay"].contains(parameter.name) || method.result != "receipt" {
                #expect(section.contains("\n| `\(parameter.name)` | "), "\(method.name): \(parameter.name)")
            }
        }
        #expect(guide.methods.count > 100)
    }

    @Test func `every topic has a section, on the page of the engine or of its piece`() throws {
        for topic in guide.topics.notifications.map(\.topic.name) {
            let piece = Registry.pieces.declarations.first { $0.topics.contains { $0.name == topic } }?.name
            #expect(try section(of: "Topic `\(topic)`", on: piece ?? "engine") != nil, "\(topic)")
        }
    }

    @Test(arguments: Registry.pieces.declarations.map(\.name))
    func `a topic names the methods that cause it, which are the engine's or its piece's`(piece: String) {
        let guide = ProtocolGuide(Registry.pieces.declarations.filter { $0.name == piece })
        let names = Set(guide.methods.map(\.name))
        for topic in guide.topics.notifications {
            #expect(Set(topic.causes).count == topic.causes.count && names.isSuperset(of: topic.causes), "\(topic.topic.name)")
        }
    }

    @Test func `every method's section says what it may be refused for`() throws {
        for method in guide.methods {
            let section = try #require(try section(of: "`\(method.name)`", on: page(of: method.name)), "\(method.name)")
            let line = try #require(section.split(separator: "\n").first { $0.hasPrefix("**Errors**: ") }, "\(method.name)")
            #expect(line.matches(of: /`([a-z-]+)`/).map { String($0.1) } == method.reasons.map(\.rawValue), "\(method.name)")
        }
    }

    /// The page of docs/reference that has a method.
    private func page(of method: String) -> String {
        guard !engine.methods.contains(where: { $0.name == method }) else { return "engine" }
        return Registry.pieces.declarations.first { ($0.actions.map(\.name) + $0.queries.map(\.name)).contains(method) }?.name ?? "engine"
    }

    /// What stands under a heading; nil where there is none.
    private func section(of heading: String, on page: String) throws -> String? {
        let text = try String(contentsOfFile: "\(repository)/docs/reference/\(page).md", encoding: .utf8)
        let parts = text.components(separatedBy: "\n### \(heading)\n")
        return parts.count == 2 ? "\n" + (parts[1].components(separatedBy: "\n## ").first ?? "").components(separatedBy: "\n### ")[0] : nil
    }

    @Test(arguments: ["feed.state", "hello", "telemetry.export"])
    func `the table of an answer explains every field of it, and no other`(name: String) throws {
        let method = try #require(guide.methods.first { $0.name == name })
        let section = try #require(try section(of: "`\(name)`", on: page(of: name)))
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

    @Test func `every field of every announcement says what it holds`() {
        var count = 0
        for entry in guide.topics.notifications {
            let guide = FieldGuide(Registry.pieces.declarations.filter { $0.topics.contains { $0.name == entry.topic.name } })
            for leaf in leaves(entry.shape) where leaf.path != ["number"] && leaf.path != ["rehearsal"] {
                #expect(guide.meaning(of: [entry.topic.name] + leaf.path, isText: leaf.isText)?.about.isEmpty == false,
                        "\(entry.topic.name) \(leaf.path)")
                count += 1
            }
        }
        #expect(count > 200)
    }

    /// The fields that hold no others.
    private func leaves(_ shape: Shape) -> [(path: [String], isText: Bool)] {
        guard case .object(let fields) = shape else { return [] }
        return fields.sorted { $0.key < $1.key }.flatMap { name, field -> [(path: [String], isText: Bool)] in
            let inner = if case .list(let element?) = field.shape { element } else { field.shape }
            let within = leaves(inner)
            return within.isEmpty ? [([name], inner == .scalar("string"))] : within.map { ([name] + $0.path, $0.isText) }
        }
    }
}

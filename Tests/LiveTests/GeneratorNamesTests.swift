import Experience
import Foundation
import Registry
import Testing
import Wire

@testable import Live

/// Generators of clients make functions of methods, in objects of the first parts of their names, arguments of parameters, and fields of
/// types of what is answered and told.
@Suite struct GeneratorNamesTests {
    private let methods = ProtocolGuide(Registry.pieces.declarations).methods

    @Test func `no method is also the first part of another's name`() {
        let names = Set(methods.map(\.name))
        let parts = names.flatMap { name in name.indices.filter { name[$0] == "." }.map { String(name[..<$0]) } }
        #expect(names.intersection(parts) == [])
    }

    @Test func `no part of a method's name, and no parameter, is a word of Python or TypeScript`() {
        for method in methods {
            // TypeScript takes its words as names of functions of an object.
            let parts = method.name.split(separator: ".").map(String.init)
            #expect(Self.pythonWords.intersection(parts) == [], "\(method.name)")
            let parameters = method.parameters.map(\.name)
            #expect(Self.pythonWords.union(Self.typeScriptWords).intersection(parameters) == [], "\(method.name)")
        }
    }

    @Test func `parameters that must be there come before those that need not`() {
        for method in methods {
            let required = method.parameters.map(\.isRequired)
            #expect(!zip(required, required.dropFirst()).contains { !$0 && $1 }, "\(method.name)")
        }
    }

    @Test(arguments: Registry.pieces.declarations.map(\.name))
    func `no field of what is answered or told is a word of Python`(piece: String) throws {
        let declaration = try #require(Registry.pieces.declarations.first { $0.name == piece })
        let methods = EngineMethods.table(declaration, among: Registry.pieces.declarations).descriptions
        let json = try JSONEncoder().encode(OpenRPC(version: "0", methods, TopicTable([declaration]), of: [declaration]))
        let document = try #require(try JSONSerialization.jsonObject(with: json) as? [String: Any])
        let schemas = try #require((document["components"] as? [String: Any])?["schemas"] as? [String: [String: Any]])
        for (name, schema) in schemas {
            let fields = (schema["properties"] as? [String: Any] ?? [:]).keys
            #expect(Self.pythonWords.intersection(fields) == [], "\(name)")
            #expect(!Self.pythonWords.contains(name) && !Self.typeScriptTypes.contains(name), "\(name)")
        }
    }

    /// `keyword.kwlist` of Python 3.13.
    private static let pythonWords: Set = [
        "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del", "elif", "else",
        "except", "finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try",
        "while", "with", "yield",
    ]

    /// Reserved by ECMAScript, also in strict code only.
    private static let typeScriptWords: Set = [
        "arguments", "await", "break", "case", "catch", "class", "const", "continue", "debugger", "default", "delete", "do", "else", "enum",
        "eval", "export", "extends", "false", "finally", "for", "function", "if", "implements", "import", "in", "instanceof", "interface",
        "let", "new", "null", "package", "private", "protected", "public", "return", "static", "super", "switch", "this", "throw", "true", "try",
        "typeof", "var", "void", "while", "with", "yield",
    ]

    /// Types that generated TypeScript is written with: another of the same name would hide them.
    private static let typeScriptTypes: Set = [
        "Array", "Boolean", "Date", "Error", "Map", "Number", "Object", "Promise", "Record", "Set", "String",
    ]
}

import Experience
import Fields
import Foundation
import Registry
import SystemPackage
import Testing
import Wire

@testable import Live
@testable import Tool

/// Lines are read again by Foundation's JSON reader.
@Suite struct MessageTests {
    private func parameters(_ method: String, _ pairs: String...) throws -> NSDictionary {
        let line = try Message(method: method, pairs: pairs).line(id: 7)
        let object = try #require(try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any])
        #expect(object["jsonrpc"] as? String == "2.0" && object["id"] as? Int == 7 && object["method"] as? String == method)
        return object["params"] as? NSDictionary ?? [:]
    }

    @Test func `words are what their parameter wants, and JSON where nobody knows it`() throws {
        #expect(try parameters("tone", "on=true", "level=-12.5") == ["on": true, "level": -12.5])
        // A chime may have a number for its name.
        #expect(try parameters("chime.play", "name=440") == ["name": "440"])
        #expect(try parameters("chime.play", #"name="440""#) == ["name": "440"])
        #expect(try parameters("subscribe", "topics=state,meters") == ["topics": ["state", "meters"]])
        #expect(try parameters("unheard.of", "a=1", "b=word", "c=[1,null]", "d=x=y") == ["a": 1, "b": "word", "c": [1, NSNull()], "d": "x=y"])
        #expect(try parameters("stop") == [:])
        for name in [#""ana""#, "12", "null", "a\\b=c"] {
            #expect(try parameters("household.remove", Message.pair("household", name)) == ["household": name])
        }
    }

    @Test func `a parameter that is given twice is refused by its name`() throws {
        let fault = try #require(throws: Fault.self) { try Message(method: "tone", pairs: ["level=-12", "frequency=440", "level=-12"]) }
        #expect(fault.description == "level: expected the parameter once, found it twice")
    }
}

@Suite struct ConversationTests {
    private func line(_ text: String, _ number: Int = 7) throws -> Conversation.Line? { try Conversation.Line(text, number: number) }

    @Test func `words are a request whose id is their line's number`() throws {
        let line = try #require(try line("  journal.mark text='two words' delay=1500 # a comment"))
        let request = try #require(try JSONSerialization.jsonObject(with: Data(line.bytes)) as? [String: Any])
        #expect(request["id"] as? Int == 7 && request["method"] as? String == "journal.mark" && request["jsonrpc"] as? String == "2.0")
        #expect(request["params"] as? NSDictionary == ["text": "two words", "delay": 1500])
        #expect(line.isAnswered && line.delay == .milliseconds(1500))
    }

    @Test func `JSON is sent as it stands, and answered if it has an id`() throws {
        let text = #" {"jsonrpc":"2.0","id":null,"method":"chime.play","params":{"name":"ding","delay":2000}}"#
        let request = try #require(try line(text))
        #expect(request.bytes == Array(text.utf8) && request.isAnswered && request.delay == .seconds(2))
        let told = try #require(try line(#"{"jsonrpc":"2.0","method":"touch","params":[1]}"#))
        #expect(!told.isAnswered && told.delay == .zero)
    }

    @Test(arguments: [
        // JSON-RPC 2.0, sections 4.1, 5 and 6: what is malformed is answered, and a batch of notifications is not.
        ("{nonsense", true), (#"{"id":1}"#, true), ("[]", true), ("[1]", true), (#"{"method":"ping"}"#, true),
        (#"[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"ping"}]"#, true),
        (#"[{"jsonrpc":"2.0","method":"ping"}]"#, false), (#"{"jsonrpc":"2.0","method":"pin"}"#, false),
    ])
    func `what begins as JSON is sent as it stands, and answered unless it is notifications alone`(text: String, isAnswered: Bool) throws {
        let line = try #require(try line(text))
        #expect(line.bytes == Array(text.utf8) && line.isAnswered == isAnswered)
    }

    @Test(arguments: ["", "   ", "# nothing", "\t# nothing"])
    func `a line of nothing but a comment is none`(text: String) throws { #expect(try line(text) == nil) }

    @Test(arguments: [
        ("chime.play ding", "ding: expected key=value"), ("chime.play name='d", "name=d: expected a ' that closes this one, found none"),
    ])
    func `what can only be a slip is refused before it is sent`(text: String, expected: String) throws {
        let fault = try #require(throws: Fault.self) { try line(text) }
        #expect("\(fault)" == expected)
    }

    @Test func `lines come as soon as they are whole, and the last needs no newline`() throws {
        let (reading, writing) = try FileDescriptor.pipe()
        defer { try? reading.close() }
        var lines = IncomingLines(reading)
        #expect(try lines.next() == [], "nothing is there, and nothing is waited for")
        try writing.writeAll("one\n\ntw".utf8)
        #expect(try lines.next() == ["one", ""])
        try writing.writeAll("o\nthree".utf8)
        #expect(try lines.next() == ["two"])
        try writing.close()
        #expect(try lines.next() == ["three"])
        #expect(try lines.next() == nil)
    }

    @Test func `what ends with a newline has no line after it`() throws {
        let (reading, writing) = try FileDescriptor.pipe()
        defer { try? reading.close() }
        try writing.writeAll("one\n".utf8)
        try writing.close()
        var lines = IncomingLines(reading)
        #expect(try lines.next() == ["one"] && lines.next() == [] && lines.next() == nil)
    }
}

/// Expected names and parameters are those of the daemon's own table.
@Suite struct KnownMethodsTests {
    @Test(arguments: [[], Registry.pieces.declarations])
    func `the command line knows each method of the daemon with its parameters, and no other`(_ pieces: [Declaration]) {
        let known = KnownMethods(pieces)
        let methods = MethodTable(EngineMethods.all(pieces)).descriptions
        #expect(known.names == methods.map(\.name))
        for method in methods {
            let parameters = known.parameters(of: method.name)
            #expect(parameters.map(\.name) == method.parameters.map(\.name), "\(method.name)")
            #expect(parameters.map(\.kind) == method.parameters.map { ParameterKind($0.kind) }, "\(method.name)")
        }
        #expect(known.parameters(of: "fly").isEmpty)
    }
}

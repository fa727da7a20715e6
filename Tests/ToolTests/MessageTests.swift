import Fields
import Foundation
import Testing
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

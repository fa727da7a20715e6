import Fields
import Foundation
@testable import ScrollKitty
import Testing
import TestSupport
import YAML

@Suite struct MessageCheckTests {
    private let check: MessageCheck
    private let en: [String: String]
    private let de: [String: String]

    init() throws {
        func read<Value: Decodable>(_ path: String, as type: Value.Type) throws -> Value {
            let file = repository + "/messages/scrollkitty/" + path
            return try YAMLTree([UInt8](Data(contentsOf: URL(fileURLWithPath: file))), file: path).decode(type)
        }
        func texts(_ language: String) throws -> [String: String] {
            try ["bands", "terminal", "nightly"].reduce(into: [:]) { texts, name in
                texts.merge(try read("\(language)/\(name).yaml", as: [String: String].self)) { first, _ in first }
            }
        }
        check = MessageCheck(rules: try read("rules.yaml", as: MessageRules.self))
        en = try texts("en")
        de = try texts("de")
    }

    @Test func `the texts that are shipped keep all rules`() {
        #expect(check.faults(en: en, de: de) == [])
    }

    @Test(arguments: [
        ("band-80-01", "It is your fault, they say.", "nothing that blames"),
        ("band-80-01", "A phone lies on the sill.", "no word of a device"),
        ("band-80-01", "At {{firstUseTime}} I slept.", "no placeholder in band-80"),
        ("nightly-good-01", "{{underByHour}} hours left over.", "a known placeholder"),
        ("nightly-good-01", "Ours is the sill. Nothing is missing.", "the placeholders of en: "),
        ("nightly-good-01", "{{underByHours} hours left over.", "placeholders as in {{goalHours}}"),
        ("terminal-01", "The cat sleeps on a branch.", "we"),
        ("welcome-01", String(repeating: "purr ", count: 32) + "p", "at most 160 characters"),
        ("terminal-01", String(repeating: "our ", count: 50) + "🐾", "at most 200 characters"),
        ("welcome-01", "Purr.", "an emoji at the end"),
        ("welcome-01", " Purr. 🐾", "one line without spaces around it"),
    ])
    func `each slip is found, and named`(_ id: String, _ text: String, _ expected: String) {
        var texts = en
        texts[id] = text
        let found = check.faults(en: texts, de: de)
        #expect(found.contains { $0.field.hasSuffix(id) && $0.expected.hasPrefix(expected) }, "\(found)")
    }

    @Test func `a group that tells few figures is found`() {
        var texts = en
        texts["nightly-mixed-01"] = "Slow evening. 🐾"
        #expect(check.faults(en: texts, de: de).contains {
            $0 == Fault(field: "en.nightly-mixed", expected: "32 texts with 4 placeholders or more", found: "31")
        })
    }

    @Test func `a missing text, a stranger and the same words twice are found`() {
        var texts = en
        texts["welcome-20"] = nil
        texts["welcome-21"] = "Purr. 🐾"
        texts["summary-02"] = texts["summary-01"]
        #expect(check.faults(en: texts, de: de).map(\.field) == ["en.welcome-20", "en.welcome-21", "en.summary-02"])
    }
}

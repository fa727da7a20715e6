import Foundation
import Testing
import TestSupport

@Suite struct CompareCommandTests {
    @Test func `sessions that are the same end with 0, others with 1 and the first difference, broken ones with 65`() throws {
        let scratch = try Scratch()
        let lines = try String(contentsOfFile: repository + "/Tests/Fixtures/locked.jsonl", encoding: .utf8).split(separator: "\n").map(String.init)
        let first = try scratch.write(lines.joined(separator: "\n") + "\n", to: "a.jsonl")
        let same = try thrum("compare", first, first)
        #expect(same.status == 0 && same.text.hasSuffix("events: the same\ncues: the same\nsound: the same samples\n"), "\(same.text)")
        let changed = lines.map { $0.replacing("777.7", with: "778.7") }
        let second = try scratch.write(changed.joined(separator: "\n") + "\n", to: "b.jsonl")
        let different = try thrum("compare", first, second)
        #expect(different.status == 1 && different.errors.isEmpty, "\(different.errors)")
        #expect(different.text.contains("events: first different at ") && different.text.contains("777.7") && different.text.contains("778.7"))
        #expect(different.text.contains("sound: first different at "))
        struct Comparison: Decodable { struct Sound: Decodable { var seconds: Double }; var sound: Sound }
        let json = try thrum("compare", first, second, "--json")
        let comparison = try JSONDecoder().decode(Comparison.self, from: json.output)
        #expect(json.status == 1 && comparison.sound.seconds < 2)
        let broken = try scratch.write(lines[0] + "\n{\"frame\":0}\n", to: "c.jsonl")
        let refused = try thrum("compare", first, broken)
        #expect(refused.status == 65 && refused.errors.hasPrefix("thrum: \(broken):2: "), "\(refused.errors)")
        #expect(try thrum("compare", first, scratch.file("none.jsonl")).status == 66)
    }
}

import Experience
import Fields
import Foundation
@testable import ScrollKitty
import Testing
import TestSupport
import YAML

@Suite struct MessageFilesTests {
    private func file(_ path: String, _ change: (String) -> String = { $0 }) throws -> FileCheck.File {
        let text = try String(contentsOfFile: repository + "/messages/scrollkitty/" + path, encoding: .utf8)
        return FileCheck.File(path: "/tmp/" + path, bytes: Array(change(text).utf8))
    }

    private func faults(_ files: [FileCheck.File]) throws -> [FileFault] {
        do {
            try MessageFiles(with: files).check()
            return []
        } catch let fault as FileFault { return fault.all }
    }

    @Test func `the shipped files are good, one by one and all`() throws {
        let paths = ["en/bands.yaml", "de/terminal.yaml", "rules.yaml"]
        #expect(try faults([]) == [] && faults(try paths.map { try file($0) }) == [])
    }

    @Test func `what is wrong is told with its file and line`() throws {
        let bands = try file("en/bands.yaml") {
            $0.replacing("One whisker is slightly bent.", with: "It is your fault.").replacing("welcome-20:", with: "welcome-99:")
        }
        let nightly = try file("de/nightly.yaml") { $0.replacing("{{underByHours}}", with: "viele") }
        let found = try faults([bands, nightly])
        #expect(found.contains { $0.file == "/tmp/en/bands.yaml" && $0.line == 5 && $0.fault.field == "band-80-01"
                                 && $0.fault.expected == "nothing that blames" }, "\(found)")
        #expect(found.contains { $0.fault.field == "welcome-99" && $0.file == "/tmp/en/bands.yaml" && $0.line ?? 0 > 100 })
        #expect(found.contains { $0.fault == Fault(field: "welcome-20", expected: "a text") && $0.file == "/tmp/en/bands.yaml" })
        #expect(found.contains { $0.file == "/tmp/de/nightly.yaml" && $0.fault.field == "nightly-good-01"
                                 && $0.fault.expected.hasPrefix("the placeholders of en") })
    }

    @Test func `a path that is none of the files' is refused, and so is what is no YAML`() throws {
        #expect(try faults([FileCheck.File(path: "a/b.yaml", bytes: [])]).first?.fault.expected.contains("en/bands.yaml") == true)
        #expect(try faults([FileCheck.File(path: "en/bands.yaml", bytes: Array("a: [".utf8))]).first?.file == "en/bands.yaml")
    }
}

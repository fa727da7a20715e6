import Foundation
import Settings
import Testing
import TestSupport

@testable import Daemon

/// What is written about settings comes out of the table. `make docs` writes it again.
@Suite struct SettingsDocumentTests {
    private func text(_ path: String) throws -> String { try String(contentsOfFile: repository + "/" + path, encoding: .utf8) }

    @Test func `the table of the documentation and the example file are what the settings make of them`() throws {
        let table = try SettingsTable.ofDaemon()
        #expect(try GeneratedText.isWritten(table.documentation, in: "docs/configuration.md", at: "settings"), "make docs")
        #expect(try GeneratedText.isWritten(table.example, in: "examples/thrum.yaml"), "make docs")
    }

    /// Who begins with it has nothing but comments. With all of them taken out, every line is a good one.
    @Test func `the example file is good as it is, and with every key of it`() throws {
        let scratch = try Scratch()
        let example = try SettingsTable.ofDaemon().example.replacing("/etc/thrum/patterns", with: scratch.path)
        let lines = example.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            line.wholeMatch(of: #/#((?:  +)?[a-z0-9][a-z0-9-]*:.*)/#).map { String($0.1) } ?? String(line)
        }
        #expect(try settings(example).live.values.isGiven(\.idle) == false)
        // Receipts are verified by a root or by a key, not by both, and either is a file that is to be there.
        let all = try settings(lines.filter { !$0.contains(#/^receipt-(root|key):/#) }.joined(separator: "\n")).live
        #expect(all.values.isGiven(\.idle) && all.values.seed == 20_260_101 && all.venue != .standard)
        for entry in try SettingsTable.ofDaemon().entries {
            #expect(lines.contains { $0.hasPrefix(entry.name + ":") }, "\(entry.name)")
        }
        #expect(lines.allSatisfy { $0.count <= 120 })
    }

    @Test func `a package's settings are the example's in an exhibition, and a program's own are not`() throws {
        let example = try SettingsTable.ofDaemon().example
        let off = "\n#exhibition: no\n"
        #expect(try text("scripts/build-deb").contains("sed 's/^#exhibition: no$/exhibition: yes/' examples/thrum.yaml"))
        #expect(example.components(separatedBy: off).count == 2)
        #expect(try settings(example.replacing(off, with: "\nexhibition: yes\n")).live.values.exhibition)
        #expect(try !settings(example).live.values.exhibition)
    }

    /// A variable of a script's or a test's own would stop a thrumd that is started with it. Theirs begin with `THRUMDEV_`.
    @Test func `scripts and tests have no variable of their own that begins as those of settings do`() throws {
        let folders = ["scripts", "Tests/VM/Machine", "Tests/VM/Package", "Tests/VM/Package/inside", "Fuzz", "Tests/TestSupport"]
        let files = try folders.flatMap { folder in
            try FileManager.default.contentsOfDirectory(atPath: repository + "/" + folder).map { folder + "/" + $0 }
        }
        let texts = (files + ["Makefile"]).compactMap { try? text($0) }
        let names = Set(texts.flatMap { $0.matches(of: #/THRUM_[A-Z][A-Z_]*/#).map { String($0.0) } })
        let variables = try SettingsTable.ofDaemon().entries.compactMap(\.variable)
        #expect(names.contains("THRUM_RATE") && names.subtracting(variables) == [])
        let tests = FileManager.default.enumerator(atPath: repository + "/Tests")?.allObjects as? [String] ?? []
        let read = tests.filter { $0.hasSuffix(".swift") }.compactMap { try? text("Tests/" + $0) }.flatMap {
            $0.matches(of: #/environment\["(THRUM[A-Z_]*)"\]/#).map { String($0.1) }
        }
        #expect(Set(read).isSuperset(of: ["THRUMDEV_BIN", "THRUMDEV_VISITORS"]))
        #expect(read.filter { !$0.hasPrefix("THRUMDEV_") } == [])
    }
}

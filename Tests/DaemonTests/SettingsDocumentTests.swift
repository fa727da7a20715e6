import Foundation
import Testing
import TestSupport
@testable import Daemon

/// What is written about settings, against the settings there are.
@Suite struct SettingsDocumentTests {
    private func text(_ path: String) throws -> String { try String(contentsOfFile: repository + "/" + path, encoding: .utf8) }

    /// As a table has it: a minus sign, marks for what is to be typed.
    private func plain(_ cell: String) -> String { cell.replacing("`", with: "").replacing("−", with: "-").trimmingCharacters(in: .whitespaces) }

    private func range(_ key: Key) -> String {
        switch key.kind {
        case .choice(let choices): choices.joined(separator: ", ")
        case .number(let range): "\(number(range.lowerBound)) to \(number(range.upperBound))"
        case .integer(let range): "\(range.lowerBound) to \(range.upperBound), whole"
        case .text(let words), .path(let words): words
        }
    }

    private func number(_ value: Double) -> String { Int(exactly: value).map(String.init) ?? "\(value)" }

    @Test func `the documentation has every key with its unit, range, default and when it changes, and no other`() throws {
        let table = try text("docs/configuration.md").split(separator: "\n").map { $0.split(separator: "|", omittingEmptySubsequences: false) }
            .filter { $0.count == 7 && $0[1].hasPrefix(" `") }
        let rows = Dictionary(table.map { row in (plain(String(row[1])), row.dropFirst(2).map { plain(String($0)) }) }) { first, _ in first }
        for key in Key.all {
            let row = try #require(rows[key.name], "\(key.name) is not there")
            #expect(row[0] == key.unit ?? "", "\(key.name)")
            #expect(row[1].hasPrefix(String(range(key).prefix(24))), "\(key.name): \(row[1])")
            #expect(row[2] == key.standard, "\(key.name)")
            #expect(row[3] == (key.isLive ? "a reload" : "a start"), "\(key.name)")
        }
        let sections = Set(["touchscreens, motors", "presets, schedule, hearing"])
        #expect(Set(rows.keys).subtracting(Key.all.map(\.name)).isSubset(of: sections))
        #expect(sections.isSubset(of: rows.keys))
    }

    @Test func `every key but a knob has a flag, whose help names its default, and every flag a key`() throws {
        let help = try run(Programs.thrumd, ["--help"]).text
        let words = help.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        for key in Key.all where key.name.wholeMatch(of: #/force-unlock-all|toast-cooldown|chance-.*/#) == nil {
            #expect(help.contains("--\(key.name) "), "\(key.name)")
            let own = words.components(separatedBy: "--\(key.name) <").last?.components(separatedBy: " --").first ?? ""
            #expect(own.contains("(default: \(key.standard))"), "\(key.name): \(own)")
        }
        let flags = Set(words.matches(of: #/ --([a-z-]+) </#).map { String($0.1) })
        #expect(flags.subtracting(Key.all.map(\.name)) == ["config"])
    }

    /// A variable of a script's own would stop a thrumd that the script starts.
    @Test func `every variable that scripts and tests have of their own is none that thrumd complains about`() throws {
        let folders = ["scripts", "Tests/VM/Machine", "Tests/VM/Package", "Tests/VM/Package/inside", "Fuzz"]
        let files = try folders.flatMap { folder in
            try FileManager.default.contentsOfDirectory(atPath: repository + "/" + folder).map { folder + "/" + $0 }
        }
        let texts = (files + ["Makefile"]).compactMap { try? text($0) }
        let names = Set(texts.flatMap { $0.matches(of: #/THRUM_[A-Z][A-Z_]*/#).map { String($0.0) } })
        #expect(names.isSuperset(of: ["THRUM_BIN", "THRUM_VM"]))
        #expect(names.subtracting(Key.all.map(\.variable)) == Key.otherVariables)
        #expect(Key.otherVariables.isDisjoint(with: Key.all.map(\.variable)))
    }

    /// Those of a fresh installation: nothing but comments. With all of them taken out, every line is a good one.
    @Test func `the example file is good as it is, and with every key of it`() throws {
        let example = try text("examples/thrum.yaml")
        let scratch = try Scratch()
        try FileManager.default.createDirectory(atPath: scratch.file("patterns"), withIntermediateDirectories: false)
        let keys = example.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            line.wholeMatch(of: #/#((?:  +)?[a-z][a-z0-9-]*:.*)/#).map { String($0.1) } ?? String(line)
        }
        let all = keys.joined(separator: "\n").replacing("/etc/thrum/patterns", with: scratch.file("patterns"))
        for (name, contents) in [("plain.yaml", example), ("all.yaml", all)] {
            let file = try scratch.write(contents, to: name)
            let checked = try run(Programs.thrumd, ["--check-config", "--config", file, "--socket", scratch.file("s")])
            #expect(checked.status == 0, "\(checked.errors)")
        }
        for key in Key.all {
            let line = try #require(keys.first { $0.hasPrefix("\(key.name):") }, "\(key.name) is not there")
            let value = line.dropFirst(key.name.count + 2)
            // Where the default is a number or a word, the example is the default.
            switch key.kind {
            case .text, .path: break
            default:
                let isTold = Double(key.standard) != nil || ["yes", "no", "pulse", "direct", "info"].contains(key.standard)
                #expect(!isTold || value == key.standard, "\(line)")
            }
        }
        for section in Key.deviceSections + Key.venueSections {
            let isThere = keys.contains { $0.hasPrefix(section + ":") }
            #expect(isThere, "\(section)")
        }
    }
}

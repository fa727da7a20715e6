import Foundation
import Testing
import TestSupport

private func imports(_ file: String) throws -> [String] {
    try String(contentsOfFile: file, encoding: .utf8).matches(of: /(?m)^(?:@testable |public |internal )?import (\w+)/)
        .map { String($0.1) }
}

@Suite struct FloorPlanTests {
    @Test func `every folder of Sources is a room, or a group of rooms`() throws {
        let rooms = try rooms()
        #expect(rooms.count > 25)
        let files = swiftFiles(repository + "/Sources")
        for file in files {
            #expect(rooms.filter { file.hasPrefix($0.folder + "/") }.count == 1, "\(file)")
        }
        for room in rooms { #expect(files.contains { $0.hasPrefix(room.folder + "/") }, "\(room.name)") }
    }

    /// A second escaper is one more that goes by characters, or lacks a rule.
    @Test func `text is escaped for CSV, XML and terminals in one room`() throws {
        let signs = ["&amp;", "&lt;", #"with: "\"\"""#, #"? "·" :"#]
        for file in swiftFiles(repository + "/Sources") where !file.contains("/Base/Escaping/") {
            let text = try String(contentsOfFile: file, encoding: .utf8)
            #expect(signs.filter { text.contains($0) } == [], "\(file)")
        }
    }

    @Test func `an import only ever points to a room that is listed before`() throws {
        let rooms = try rooms()
        for (index, room) in rooms.enumerated() {
            for file in swiftFiles(room.folder) {
                for imported in try imports(file) {
                    guard let other = rooms.firstIndex(where: { $0.name == imported }) else { continue }
                    #expect(other < index, "\(file) imports \(imported)")
                    // What all edges do with files is one room.
                    let isEdgeToEdge = room.group == "Edges" && rooms[other].group == "Edges" && imported != "Files"
                    #expect(!isEdgeToEdge, "\(file) imports \(imported)")
                }
            }
        }
    }

    /// But for the programs, which are a line each.
    @Test func `every room has tests of its own name`() throws {
        let manifest = try String(contentsOfFile: repository + "/Package.swift", encoding: .utf8)
        let tested = Set(manifest.matches(of: /(?m)^    tests\("(\w+)"/).map { String($0.1) })
        for room in try rooms() where !["thrum", "thrumd", "thrum-fleet"].contains(room.name) {
            #expect(tested.contains(room.name), "\(room.name)")
            let tests = try swiftFiles(repository + "/Tests/\(room.name)Tests").map { try String(contentsOfFile: $0, encoding: .utf8) }
            #expect(tests.contains { $0.contains("@Test") }, "\(room.name)")
            #expect(tests.contains { $0.contains("import \(room.name)\n") }, "\(room.name)")
        }
    }

    @Test func `below the edges there is no I/O, no clock and no Foundation`() throws {
        let allowed = ["Haptics": ["FoundationEssentials"], "Wire": ["FoundationEssentials"], "Journal": ["FoundationEssentials"],
                       "PatternWaveforms": ["Synchronization"], "Realtime": ["Synchronization"], "YAML": ["Yams"]]
        let rooms = try rooms()
        let names = Set(rooms.map(\.name))
        for room in rooms where room.group != "Edges" && room.group != "Apps" {
            for file in swiftFiles(room.folder) {
                for imported in try imports(file) where !names.contains(imported) {
                    #expect(allowed[room.name, default: []].contains(imported), "\(file) imports \(imported)")
                }
                // A day of the calendar is no clock's.
                let text = try String(contentsOfFile: file, encoding: .utf8).replacingOccurrences(of: "CalendarDate(", with: "")
                for word in ["ContinuousClock", "Date(", "Task.sleep", "random(in:", "print("] {
                    #expect(!text.contains(word), "\(file) uses \(word)")
                }
            }
        }
    }

    @Test func `files stay small, lines short, and names say what is in them`() throws {
        // But for what protoc writes.
        let files = (swiftFiles(repository + "/Sources") + swiftFiles(repository + "/Tests")).filter { !$0.hasSuffix(".pb.swift") }
        #expect(files.count > 50)
        for file in files {
            let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false)
            #expect(lines.count <= 400, "\(file) has \(lines.count) lines")
            if file.contains("/Sources/") {
                for (index, line) in lines.enumerated() {
                    #expect(line.count <= 140, "\(file):\(index + 1) has \(line.count) columns")
                }
            }
            for word in ["Utils", "Helper", "Manager", "Misc"] { #expect(!file.contains(word), "\(file)") }
        }
    }

    /// Foundation's Process keeps the signals blocked that the thread which starts it blocks, so that nothing but SIGKILL ends the program.
    @Test func `programs are started by posix_spawn alone`() throws {
        for file in swiftFiles(repository + "/Sources") + swiftFiles(repository + "/Tests") where !file.hasSuffix("/FloorPlanTests.swift") {
            #expect(try !String(contentsOfFile: file, encoding: .utf8).contains("Process()"), "\(file) starts a program by Foundation")
        }
    }

    /// OpenSSL keeps the pointer. An array that is passed for it may be gone before it is read: its lifetime ends with its last use.
    @Test func `what OpenSSL reads from memory stays there while it reads`() throws {
        for file in swiftFiles(repository + "/Sources") {
            for line in try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n") where line.contains("BIO_new_mem_buf(") {
                #expect(line.contains(".baseAddress"), "\(file): \(line)")
            }
        }
    }

    /// In code quotes: rooms, folders, types and members.
    @Test func `the page on the architecture names only what is there`() throws {
        let page = try String(contentsOfFile: repository + "/docs/architecture.md", encoding: .utf8)
        let tests = swiftFiles(repository + "/Tests")
        var known: Set<String> = ["Package", "swift"]
        for room in try rooms() { known.formUnion([room.name, room.group]) }
        for file in tests { known.formUnion(file.split { "/.".contains($0) }.map(String.init)) }
        for file in swiftFiles(repository + "/Sources") {
            known.formUnion(file.split { "/.".contains($0) }.map(String.init))
            let text = try String(contentsOfFile: file, encoding: .utf8)
            for word in text.utf8.split(whereSeparator: { !isOfAName($0) }) { known.insert(String(decoding: word, as: UTF8.self)) }
        }
        let quoted = page.matches(of: /`([^`\n]+)`/).map { String($0.1) }
        #expect(quoted.count > 200)
        let names = quoted.filter { $0.wholeMatch(of: /[A-Z][A-Za-z]+(\.[A-Za-z]+)*/) != nil }
        #expect(names.filter { !known.isSuperset(of: $0.split(separator: ".").map(String.init)) } == [])
    }
}

private func isOfAName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
    default: false
    }
}

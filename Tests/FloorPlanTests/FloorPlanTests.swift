import Foundation
import Testing
import TestSupport

/// The package's floors, read from its manifest.
private func floors() throws -> [[String]] {
    let manifest = try String(contentsOfFile: repository + "/Package.swift", encoding: .utf8)
    return (0...5).map { floor in
        let start = manifest.range(of: "let floor\(floor): [Target] = [")!.upperBound
        let body = manifest[start..<manifest.range(of: "\n]\n", range: start..<manifest.endIndex)!.lowerBound]
        return body.matches(of: /(?:room\(|program\(|systemLibrary\(name: )"(\w+)"/).map { String($0.1) }
    }
}

private func swiftFiles(_ folder: String) -> [String] {
    let names = FileManager.default.enumerator(atPath: folder)?.allObjects as? [String] ?? []
    return names.filter { $0.hasSuffix(".swift") }.map { folder + "/" + $0 }.sorted()
}

private func imports(_ file: String) throws -> [String] {
    try String(contentsOfFile: file, encoding: .utf8).matches(of: /(?m)^(?:@testable |public |internal )?import (\w+)/)
        .map { String($0.1) }
}

@Suite struct FloorPlanTests {
    @Test func `every folder of Sources is a room on one floor`() throws {
        let rooms = try floors().flatMap { $0 }
        let folders = try FileManager.default.contentsOfDirectory(atPath: repository + "/Sources").sorted()
        #expect(folders.allSatisfy { folder in rooms.filter { $0 == folder }.count == 1 }, "\(folders) against \(rooms)")
    }

    @Test func `an import only ever points down`() throws {
        let floors = try floors()
        func floor(of room: String) -> Int? { floors.firstIndex { $0.contains(room) } }
        for (level, rooms) in floors.enumerated() {
            for room in rooms {
                for file in swiftFiles(repository + "/Sources/" + room) {
                    for imported in try imports(file) {
                        // A C library is on floor 3 beside the edge that owns it.
                        if imported.hasPrefix("C"), level == 3, imported != "Conductor", imported != "ControlSocket" { continue }
                        // What all edges do with files is one room, under which there is no other of its floor.
                        if imported == "Files", level == 3, room != "Files" { continue }
                        guard let below = floor(of: imported) else { continue }
                        #expect(below < level, "\(file) imports \(imported)")
                    }
                }
            }
        }
    }

    @Test func `the core has no I/O, no clock and no Foundation`() throws {
        let allowed = ["Haptics": ["FoundationEssentials"], "Wire": ["FoundationEssentials"],
                       "Journal": ["FoundationEssentials"], "Realtime": ["Synchronization"], "YAML": ["Yams"]]
        let floors = try floors()
        let rooms = Set(floors.flatMap { $0 })
        for room in floors[0...2].joined() {
            for file in swiftFiles(repository + "/Sources/" + room) {
                for imported in try imports(file) where !rooms.contains(imported) {
                    #expect(allowed[room, default: []].contains(imported), "\(file) imports \(imported)")
                }
                let text = try String(contentsOfFile: file, encoding: .utf8)
                for word in ["ContinuousClock", "Date(", "Task.sleep", "random(in:", "print("] {
                    #expect(!text.contains(word), "\(file) uses \(word)")
                }
            }
        }
    }

    @Test func `files stay small, lines short, and names say what is in them`() throws {
        let files = swiftFiles(repository + "/Sources") + swiftFiles(repository + "/Tests")
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
}

import Foundation
import TestSupport

/// A room of `Sources`, as the package's manifest lists it.
struct Room {
    var name: String
    /// The folder of `Sources` that it is in; its own where it is not in a group.
    var group: String

    var folder: String { repository + "/Sources/" + (group == name ? name : group + "/" + name) }
}

/// In the order of the manifest.
func rooms() throws -> [Room] {
    let manifest = try String(contentsOfFile: repository + "/Package.swift", encoding: .utf8)
    let plan = manifest[manifest.range(of: "let base: [Target] = [")!.lowerBound..<manifest.range(of: "let benchmarks: [Target]")!.lowerBound]
    return plan.matches(of: /(?m)^    (?:room\("(\w+)", in: "(\w+)"|program\("([\w-]+)"|\.target\(name: "(\w+)")/).map { match in
        if let program = match.3 { return Room(name: String(program), group: "Apps") }
        if let target = match.4 { return Room(name: String(target), group: String(target)) }
        return Room(name: String(match.1 ?? ""), group: String(match.2 ?? ""))
    }
}

func swiftFiles(_ folder: String) -> [String] {
    let names = FileManager.default.enumerator(atPath: folder)?.allObjects as? [String] ?? []
    return names.filter { $0.hasSuffix(".swift") }.map { folder + "/" + $0 }.sorted()
}

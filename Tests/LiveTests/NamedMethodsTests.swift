import Experience
import Foundation
import Registry
import Testing
import TestSupport
import Wire

@testable import Live

/// Methods that scripts, examples and pages call by their names.
@Suite struct NamedMethodsTests {
    private let names: Set<String> = {
        let pieces = Registry.pieces.declarations
        return Set(pieces.flatMap { EngineMethods.table($0, among: pieces).names })
    }()

    private static let files: [String] = ["scripts", "examples", "www"].flatMap { folder in
        let found = FileManager.default.enumerator(atPath: repository + "/" + folder)?.allObjects as? [String] ?? []
        return found.sorted().map { "\(folder)/\($0)" }
    }

    @Test func `every method that is called by a script, an example or a page is there`() {
        var count = 0
        for file in Self.files {
            guard let text = try? String(contentsOfFile: repository + "/" + file, encoding: .utf8) else { continue }
            let called = text.matches(of: /(?:engine|line|stage)\.(?:ask|tell|request)\(["']([A-Za-z.]+)["']/).map(\.1)
                + text.matches(of: /thrum send ([a-z][A-Za-z.]*)/).map(\.1)
            for name in called { #expect(names.contains(String(name)), "\(file): \(name)") }
            count += called.count
        }
        #expect(count > 40)
    }
}

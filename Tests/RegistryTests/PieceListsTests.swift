import Experience
import Foundation
import Registry
import Testing
import TestSupport

/// What a piece has outside of its folder: pages, tests of its page, and lines of lists that nothing makes out of the registry.
@Suite struct PieceListsTests {
    private func text(_ path: String) throws -> String { try String(contentsOfFile: repository + "/" + path, encoding: .utf8) }
    private func isThere(_ path: String) -> Bool { FileManager.default.fileExists(atPath: repository + "/" + path) }

    @Test func `every piece has a page of the reference, and the site leads to it and to its guide`() throws {
        let navigation = try text("mkdocs.yml")
        for name in Registry.pieces.declarations.map(\.name) {
            #expect(isThere("docs/reference/\(name).md"), "docs/reference/\(name).md is missing: make docs writes it")
            #expect(navigation.contains(": reference/\(name).md\n"), "the navigation in mkdocs.yml lacks reference/\(name).md")
            if isThere("docs/\(name).md") { #expect(navigation.contains("- \(name).md\n"), "the navigation in mkdocs.yml lacks \(name).md") }
        }
    }

    @Test func `every piece with a page has a guide, tests of the page's logic, and tests in a browser that run alone`() throws {
        let alone = try #require(try text("scripts/test").split(separator: "\n").first { $0.hasPrefix("alone=") })
        for piece in Registry.pieces {
            guard let page = piece.declaration.page else { continue }
            let suite = "\(piece)PageTests"
            for path in ["docs/\(piece.declaration.name).md", "www/\(page)/index.html", "Tests/AcceptanceTests/pages/\(page).test.mjs",
                         "Tests/AcceptanceTests/\(suite).swift"] {
                #expect(isThere(path), "\(path) is missing: \(piece) has a page")
            }
            #expect(alone.contains(suite), "alone in scripts/test lacks \(suite)")
        }
    }
}

import Foundation
import Testing
import TestSupport

/// What the documentation names of the repository.
@Suite struct PagesTests {
    /// Paths of pages in the repository, and their text.
    private static let pages: [(path: String, text: String)] = {
        let docs = FileManager.default.enumerator(atPath: repository + "/docs")?.allObjects as? [String] ?? []
        let paths = ["README.md", "CONTRIBUTING.md"] + docs.filter { $0.hasSuffix(".md") }.sorted().map { "docs/" + $0 }
        return paths.map { ($0, (try? String(contentsOfFile: repository + "/" + $0, encoding: .utf8)) ?? "") }
    }()

    private func isThere(_ path: String) -> Bool { FileManager.default.fileExists(atPath: repository + "/" + path) }

    @Test func `every link of a page leads to a file, and to a heading of it`() {
        var count = 0
        for page in Self.pages {
            for match in page.text.matches(of: /\]\(([^)\s]+)\)/) where !match.1.contains("://") {
                let parts = match.1.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
                let folder = URL(filePath: "/" + page.path).deletingLastPathComponent()
                let target = parts[0].isEmpty ? page.path : String(folder.appending(path: String(parts[0])).standardized.path.dropFirst())
                #expect(isThere(target), "\(page.path): \(match.1)")
                count += 1
                guard parts.count == 2 else { continue }
                let text = Self.pages.first { $0.path == target }?.text ?? ""
                let headings = text.split(separator: "\n").filter { $0.hasPrefix("#") }.map { slug($0.drop { $0 == "#" }) }
                #expect(headings.contains(String(parts[1])), "\(page.path): \(match.1)")
            }
        }
        #expect(count > 100)
    }

    /// As GitHub makes them.
    private func slug(_ heading: Substring) -> String {
        String(heading.drop { $0 == " " }.lowercased().compactMap { $0 == " " ? "-" : $0.isLetter || $0.isNumber || "-_".contains($0) ? $0 : nil })
    }

    @Test func `the README leads to every page but the decisions`() {
        let readme = Self.pages.first { $0.path == "README.md" }?.text ?? ""
        for page in Self.pages where page.path.hasPrefix("docs/") && !page.path.hasPrefix("docs/decisions/") {
            #expect(readme.contains("](\(page.path))"), "\(page.path)")
        }
    }

    @Test func `every decision's number has one page, or is named as one that was never used`() throws {
        let folder = "docs/decisions/"
        let numbers = Self.pages.compactMap { page in page.path.hasPrefix(folder) ? Int(page.path.dropFirst(folder.count).prefix(4)) : nil }
        let index = Self.pages.first { $0.path == folder + "README.md" }?.text ?? ""
        let unused = try #require(index.firstMatch(of: /never used: ([0-9, ]+)\./)).1.split(separator: ",").compactMap { Int($0.drop { $0 == " " }) }
        #expect((numbers + unused).sorted() == Array(1...(numbers.max() ?? 0)))
    }

    @Test func `every path of the repository that a page names is there`() {
        var count = 0
        for page in Self.pages {
            for match in page.text.matches(of: /(?:^|[\s`(])((?:Sources|Tests|Fuzz|Benchmarks|scripts|docs|examples|packaging|systemd|themes|www)\/[\w.+\/-]+)/) {
                let path = String(match.1.reversed().drop { $0 == "." }.reversed())
                #expect(isThere(path) || isThere(path + ".swift"), "\(page.path): \(path)")
                count += 1
            }
        }
        #expect(count > 50)
    }

    @Test func `every target of make that a page names is there`() throws {
        let makefile = try String(contentsOfFile: repository + "/Makefile", encoding: .utf8)
        let targets = Set(makefile.matches(of: /(?m)^([a-z-]+):/).map { $0.1 })
        for page in Self.pages {
            for match in page.text.matches(of: /(?m)(?:^ *|`)make ([a-z-]+)/) { #expect(targets.contains(match.1), "\(page.path): make \(match.1)") }
        }
    }
}

import Foundation
import Testing
import TestSupport

/// The manual pages of the package, which are made from the programs' own help.
@Suite struct ManualPageTests {
    private func pages(of program: String, section: String, in scratch: Scratch) throws -> [String] {
        let made = try run("sh", ["-c", """
            mkdir -p "$3" && "$0" --experimental-dump-help | python3 "$1" "$2" 9.9 ".BR thrum.yaml (5)" "$3"
            """, program, repository + "/packaging/man/help_page.py", section, scratch.file("man")])
        #expect(made.status == 0, "\(made.errors)")
        return try FileManager.default.contentsOfDirectory(atPath: scratch.file("man")).sorted()
    }

    @Test func `every command has a page of its own, which troff takes without a warning`() throws {
        let scratch = try Scratch()
        let pages = try pages(of: Programs.thrum, section: "1", in: scratch)
        let listed = try thrum("--help").text.components(separatedBy: "SUBCOMMANDS:\n")[1].split(separator: "\n").compactMap { line in
            line.wholeMatch(of: /\s\s([a-z]+)(\s\s.*)?/).map { "thrum-\($0.1).1" }
        }
        #expect(pages == (["thrum.1"] + listed).sorted() && pages.count > 20)
        for page in pages {
            let set = try run("groff", ["-man", "-Tutf8", "-ww", "-z", scratch.file("man/" + page)])
            #expect(set.status == 0 && set.errors.isEmpty, "\(page): \(set.errors)")
        }
        let overview = try String(contentsOfFile: scratch.file("man/thrum.1"), encoding: .utf8)
        for page in listed { #expect(overview.contains(".BR \(page.dropLast(2).replacing("-", with: "\\-")) (1)"), "\(page)") }
        let config = try String(contentsOfFile: scratch.file("man/thrum-config.1"), encoding: .utf8)
        #expect(config.contains("thrum config approve\\fR \\fIkind\\fR \\fIversion\\fR"), "\(config.prefix(2_000))")
    }

    @Test func `a program without commands has one page`() throws {
        let scratch = try Scratch()
        #expect(try pages(of: Programs.thrumd, section: "8", in: scratch) == ["thrumd.8"])
        let page = try String(contentsOfFile: scratch.file("man/thrumd.8"), encoding: .utf8)
        #expect(page.contains(".SH EXIT STATUS") && page.contains("check\\-config"))
    }
}

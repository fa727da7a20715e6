@testable import Database
import Testing

@Suite struct CopyTextTests {
    /// By the table in PostgreSQL's manual, COPY, "Text Format".
    @Test func `a row is a line, whatever its values have`() {
        let line = CopyText.line(["a\tb", "c\\d\n", nil, "", "\r", "ä"])
        #expect(String(decoding: line, as: UTF8.self) == #"a\tb"# + "\t" + #"c\\d\n"# + "\t" + #"\N"# + "\t\t" + #"\r"# + "\tä\n")
    }

    @Test func `a text that looks like NULL is none`() { #expect(CopyText.line([#"\N"#]) == Array(#"\\N"#.utf8) + [10]) }

    @Test func `the steps of the tables are whole statements`() {
        for step in Schema.migrations {
            for statement in step.split(separator: ";\n") { #expect(statement.hasPrefix("CREATE ") || statement.hasPrefix("ALTER "), "\(statement)") }
        }
    }

    @Test func `where there is no database the reason is told`() {
        let problem = #expect(throws: DatabaseProblem.self) { _ = try DatabaseConnection("host=127.0.0.1 port=1 dbname=none user=none") }
        #expect(problem?.description.contains("Connection refused") == true && problem?.state == nil && problem?.isOfServer == true)
    }
}

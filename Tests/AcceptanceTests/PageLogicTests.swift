import Testing
import TestSupport

/// What pages work out by themselves. Starts neither a daemon nor a browser.
@Suite struct PageLogicTests {
    @Test(arguments: ["kit", "colorscroller", "scrollkitty", "unhooked", "console", "touch"])
    func `the logic of pages holds in Node's own tests`(part: String) throws {
        let finished = try run("node", ["--test", repository + "/Tests/AcceptanceTests/pages/\(part).test.mjs"])
        #expect(finished.status == 0, "\(finished.text)\(finished.errors)")
        #expect(finished.text.contains("# fail 0") && !finished.text.contains("# pass 0"), "\(finished.text)")
    }
}

import Foundation
import Testing
import TestSupport

/// What pages work out by themselves. Starts neither a daemon nor a browser.
@Suite struct PageLogicTests {
    private static let folder = repository + "/Tests/AcceptanceTests/pages/"

    @Test(arguments: try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".test.mjs") }.sorted())
    func `the logic of pages holds in Node's own tests`(file: String) throws {
        let finished = try run("node", ["--test", Self.folder + file])
        #expect(finished.status == 0, "\(finished.text)\(finished.errors)")
        #expect(finished.text.contains("# fail 0") && !finished.text.contains("# pass 0"), "\(finished.text)")
    }
}

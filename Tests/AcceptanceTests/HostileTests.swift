import Foundation
import Testing
import TestSupport

/// The short version of `scripts/hostile`.
@Suite struct HostileTests {
    @Test func `a storm on every way in is answered rightly, and a tone held meanwhile stays one sine`() throws {
        let finished = try run(repository + "/scripts/hostile", ["--each", "1000"], environment: ["THRUM_BIN": Programs.directory])
        #expect(finished.status == 0, "\(finished.text)\(finished.errors)")
        #expect(finished.text.hasSuffix("\nPASS\n"))
    }
}

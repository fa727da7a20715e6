import Testing
import TestSupport

/// A short version of `scripts/try-visitors`. Its clock is its own, so the load of this machine changes nothing, and what `thrumd` draws
/// follows from the seed.
@Suite struct VisitorTrialTests {
    @Test func `who stays 90 s causes, meets and ends something in each piece of an exhibition`() throws {
        let finished = try run(repository + "/scripts/try-visitors", ["--seeds", "1", "--visitors", "10"],
                               environment: ["THRUMDEV_BIN": Programs.directory])
        #expect(finished.status == 0, "\(finished.text)\(finished.errors)")
        #expect(finished.text.hasSuffix("\nPASS\n"))
    }
}

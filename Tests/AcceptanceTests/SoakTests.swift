import Foundation
import Testing
import TestSupport

/// Short versions of `scripts/soak`.
@Suite struct SoakTests {
    @Test func `a crowd of visitors and a day in between leave memory and descriptors as they were`() throws {
        let finished = try run(repository + "/scripts/soak", [
            "--warm-up", "600", "--visitors", "600", "--day", "7200", "--day-speed", "240", "--space", "2",
        ], environment: ["THRUMDEV_BIN": Programs.directory])
        #expect(finished.status == 0, "\(finished.text)\(finished.errors)")
        #expect(finished.text.hasSuffix("\nPASS\n"))
    }

    @Test func `everything that a house has at once is served, and thrumd ends as it should`() throws {
        // How memory grows is seen in minutes only.
        let finished = try run(repository + "/scripts/soak", ["mixed", "--seconds", "15", "--slope", "1000"],
                               environment: ["THRUMDEV_BIN": Programs.directory])
        #expect(finished.status == 0, "\(finished.text)\(finished.errors)")
        #expect(finished.text.hasSuffix("\nPASS\n"))
    }
}

import Foundation
import Testing
import TestSupport

extension GuestTests {
    /// The guest's own clock, which nobody else goes by: another machine's is left alone.
    @Suite(.enabled(if: access("/run/job/orders", F_OK) == 0, "a machine that run-in-vm has not started keeps its clock")) struct ClockTests {
        private static let day = 86_400

        /// Sets the wall clock so many seconds on.
        private func jump(_ seconds: Int) {
            var time = timespec()
            clock_gettime(CLOCK_REALTIME, &time)
            time.tv_sec += seconds
            #expect(clock_settime(CLOCK_REALTIME, &time) == 0)
        }

        @Test func `no pet lives through the days of a clock that jumps and comes back, and each through those that are accepted`() async throws {
            let stage = try await Stage(["--experience", "unhooked"])
            let client = try LineSocket(stage.daemon.socket)
            func age() throws -> Int? {
                let answer = try JSONSerialization.jsonObject(with: Data(try client.call("unhooked.state").utf8)) as? [String: Any]
                return (answer?["result"] as? [String: Any])?["age"] as? Int
            }
            func clockIssue() throws -> String? {
                (try stage.daemon.status()["issues"] as? [String] ?? []).first { $0.contains("the machine's clock has jumped") }
            }
            #expect(try await eventually { try age() == 1 })
            for (seconds, words) in [(30 * Self.day, "30 days ahead"), (-3 * Self.day, "3 days back")] {
                jump(seconds)
                defer { jump(-seconds) }
                #expect(try await eventually { try clockIssue()?.contains(words) == true })
                #expect(try age() == 1)
            }
            #expect(try await eventually { try clockIssue() == nil })
            #expect(try age() == 1)
            jump(2 * Self.day)
            defer { jump(-2 * Self.day) }
            #expect(try await eventually { try clockIssue() != nil })
            let accepted = try thrum("clock", "accept", "--socket", stage.daemon.socket)
            #expect(accepted.status == 0 && accepted.text.hasSuffix(" later than before\n"), "\(accepted.text)\(accepted.errors)")
            #expect(try await eventually { try age() == 3 })
            #expect(try clockIssue() == nil)
            #expect(try thrum("clock", "accept", "--socket", stage.daemon.socket).status == 65)
            #expect(stage.daemon.terminate() == 0)
        }
    }
}

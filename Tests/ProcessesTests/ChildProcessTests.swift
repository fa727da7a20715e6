import Foundation
import Processes
import Testing
import TestSupport

@Suite struct ChildProcessTests {
    private let environment = ["PATH": "/usr/bin:/bin"]

    @Test func `killing a process ends all that came from it, also what is stopped, and returns when it has ended`() async throws {
        let shell = try ChildProcess("sh", ["-c", "sh -c 'kill -STOP $$; sleep 1000' & sleep 1000 & wait"], environment: environment)
        #expect(try await eventually { ProcessFamily(of: shell.identifier).members.count >= 3 })
        let family = ProcessFamily(of: shell.identifier).members
        shell.kill()
        #expect(!shell.isRunning)
        #expect(try await eventually { family.allSatisfy { !isAlive($0) } })
    }

    @Test func `a process that ends is seen to`() async throws {
        let child = try ChildProcess("true", [], environment: environment)
        #expect(try await eventually { !child.isRunning })
        #expect(throws: (any Error).self) { _ = try ChildProcess("/no/such/program", [], environment: environment) }
    }

    @Test func `memory is that of the whole family`() async throws {
        // 60 MB each, written to: /dev/zero alone would be one shared page.
        let hog = "x = bytearray(b'x' * 60_000_000); import subprocess, sys, time\n"
            + "if len(sys.argv) > 1: subprocess.Popen([sys.executable, '-c', sys.argv[1], *sys.argv[2:]])\ntime.sleep(1000)"
        let alone = try ChildProcess("/usr/bin/python3", ["-c", hog], environment: environment)
        let parent = try ChildProcess("/usr/bin/python3", ["-c", hog, hog], environment: environment)
        #expect(try await eventually { ProcessFamily(of: parent.identifier).memory > 120_000_000 })
        #expect(try await eventually { ProcessFamily(of: alone.identifier).memory > 60_000_000 })
        #expect(ProcessFamily(of: alone.identifier).memory < 110_000_000)
    }

    /// A zombie that nobody has waited for counts as ended.
    private func isAlive(_ process: pid_t) -> Bool {
        guard let stat = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else { return false }
        return !stat.contains(") Z ")
    }
}

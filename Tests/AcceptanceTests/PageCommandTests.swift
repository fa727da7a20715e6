import Foundation
import Testing
import TestSupport

/// The commands of a page: its blocks of `sh`, in order. One that cannot be run here has a comment above it that says why.
private struct PageCommands {
    var run: [String] = []
    /// Why the others are not.
    var reasons: [String] = []

    init(_ page: String) throws {
        let text = try String(contentsOfFile: repository + "/" + page, encoding: .utf8)
        for match in text.matches(of: /(?s)(?:<!-- not run by the test of this page: ([^\n]+) -->\n)?```sh\n(.*?)```/) {
            if let reason = match.1 { reasons.append(String(reason)) } else { run += match.2.split(separator: "\n").map(String.init) }
        }
    }

    /// A script for bash that stops at the first command that fails, and says which one it is. The programs under test are on the path in
    /// place of `.build/release`. People type slowly; here the script waits until a daemon listens, and until it is gone.
    func script(port: UInt16) -> String {
        let lines = run.flatMap { line in
            let command = line.replacing("$PWD/.build/release", with: Programs.directory).replacing("7400", with: "\(port)")
            return ["echo '\(line.replacing("'", with: "’"))' >\"$HOME/last\"", command]
                + (command.hasSuffix("&") ? ["until thrum status >\"$HOME/status\" 2>&1; do sleep 0.02; done"] : [])
                + (command == "kill %1" ? ["wait"] : [])
        }
        // Not every page says again where the programs are.
        return (["set -eum", "export PATH=\"\(Programs.directory):$PATH\"", "trap 'jobs -p | xargs -r kill 2>/dev/null || true' EXIT"] + lines).joined(separator: "\n")
    }
}

/// What people copy works.
@Suite struct PageCommandTests {
    @Test(arguments: [("README.md", 4, 1), ("docs/first-hour.md", 40, 2), ("docs/front-end.md", 8, 0), ("docs/themes.md", 5, 0)])
    func `every command on a page works, in the order of the page`(page: String, fewest: Int, marked: Int) throws {
        let commands = try PageCommands(page)
        #expect(commands.run.count >= fewest && commands.reasons.count == marked)
        let scratch = try Scratch()
        for name in ["examples", "Tests"] {
            try FileManager.default.createSymbolicLink(atPath: scratch.file(name), withDestinationPath: repository + "/" + name)
        }
        let script = "cd \(scratch.path)\n" + commands.script(port: UInt16(freePort()))
        let finished = try run("bash", ["-c", script], environment: [
            "HOME": scratch.path, "XDG_CONFIG_HOME": scratch.file("config"), "XDG_STATE_HOME": scratch.file("state"),
            "XDG_RUNTIME_DIR": scratch.path, "THRUM_OUTPUT": "null",
        ])
        let last = (try? String(contentsOfFile: scratch.file("last"), encoding: .utf8)) ?? ""
        #expect(finished.status == 0, "\(last)\(finished.errors)")
    }
}

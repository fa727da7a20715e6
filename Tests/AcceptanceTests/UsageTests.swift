import Testing
import TestSupport

/// What people are told who have called a program wrongly, or sent what nobody answers.
@Suite struct UsageTests {
    @Test func `both programs say what is wrong with a command line as they say all else`() throws {
        let unknown = try thrum("status", "--jsn")
        #expect(unknown.status == 64 && unknown.text.isEmpty && unknown.errors.hasPrefix("thrum: Unknown option '--jsn'"), "\(unknown.errors)")
        #expect(unknown.errors.hasSuffix("\nthrum: see thrum status --help\n"), "\(unknown.errors)")
        #expect(unknown.errors.split(separator: "\n").allSatisfy { $0.hasPrefix("thrum: ") }, "\(unknown.errors)")
        let missing = try thrum("send")
        #expect(missing.status == 64 && missing.errors.hasPrefix("thrum: Missing expected argument '<method>'\nthrum: usage: thrum send <method> "))
        let twice = try thrum("send", "tone", "level=-12", "level=-12", "--socket", "/nowhere")
        #expect(twice.status == 64 && twice.errors == "thrum: level: expected the parameter once, found it twice\n", "\(twice.errors)")
        let daemon = try run(Programs.thrumd, ["--fly"])
        #expect(daemon.status == 64 && daemon.errors.hasPrefix("thrumd: Unknown option '--fly'"), "\(daemon.errors)")
        #expect(daemon.errors.split(separator: "\n").allSatisfy { $0.hasPrefix("thrumd: ") }, "\(daemon.errors)")
        for (program, word) in [(Programs.thrum, "--help"), (Programs.thrumd, "--help"), (Programs.thrum, "--version"), (Programs.thrumd, "--version")] {
            let help = try run(program, [word])
            #expect(help.status == 0 && help.errors.isEmpty && !help.text.isEmpty)
        }
    }

    @Test func `status says of whom notifications were refused, and why the last one was`() async throws {
        let daemon = try await Daemon(["--output", "null", "--devices", "no"])
        let page = try LineSocket(daemon.socket)
        let greeting = try page.call("hello", #"{"client":"page"}"#)
        let client = try #require(greeting.firstMatch(of: /"client":(\d+)/)?.1)
        try page.send(#"{"jsonrpc":"2.0","method":"tuch","params":{"phase":"began"}}"#)
        try page.send(#"{"jsonrpc":"2.0","method":"tone","params":{"frequency":6000}}"#)
        // Requests of one client keep their order.
        _ = try page.call("ping")
        let told = "2, the last because frequency: expected a number from 20 to 5000 (Hz), found 6000\n"
        let status = try thrum("status", "--socket", daemon.socket).text
        #expect(status.contains("\nrefused  notifications of page (client \(client)): \(told)"), "\(status)")
        #expect(status.contains("\noutput   null: nothing is heard, 48000 Hz"), "\(status)")
        #expect(daemon.terminate() == 0)
    }
}

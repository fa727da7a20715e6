import Foundation
import Testing
import TestSupport

/// What page.html leaves.
private struct Told: Decodable {
    struct Answer: Decodable {
        struct Result: Decodable { var frame: Int? }

        var result: Result?
    }

    struct Event: Decodable {
        var event: String
        var phase: String?
        var frame: Int
    }

    struct Meter: Decodable {
        var peak: Double
        var rms: Double
    }

    var outcome: String
    var answers: [Answer]
    var events: [Event]
    var meters: [Meter]
    /// Where the kit says that the engine is; empty for a page that does not get it.
    var kit: String
}

/// Serves page.html, and keeps what it posts.
private struct PageServer {
    let port: Int
    private let process: Running

    init() async throws {
        let process = try Running("python3", [repository + "/Tests/AcceptanceTests/page_server.py"])
        guard try await eventually({ !Self.lines(process).isEmpty }), let port = Int(Self.lines(process)[0]) else {
            throw LineSocket.Failed(description: "no page is served: \(process.errors)")
        }
        self.port = port
        self.process = process
    }

    var posted: Substring? { Self.lines(process).dropFirst().first }

    /// What follows the last newline is not there as a whole yet.
    private static func lines(_ process: Running) -> [Substring] {
        Array(process.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast())
    }
}

/// A Chromium without a window, on one page, with a profile of its own. It calls nobody but this machine.
private final class Browser {
    private let scratch: Scratch
    private let process: Running

    init(_ address: String) throws {
        scratch = try Scratch()
        // `timeout` makes a group of all its processes, which is over after a minute whatever becomes of the test. There is no sandbox
        // for root, and the page is our own.
        process = try Running("timeout", [
            "--signal=KILL", "60", "chromium", "--headless", "--no-sandbox", "--disable-gpu", "--user-data-dir=" + scratch.file("profile"),
            "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost", address,
        ], environment: ["HOME": scratch.path, "TMPDIR": scratch.path, "DBUS_SESSION_BUS_ADDRESS": "disabled:"])
    }

    var errors: String { process.errors }

    /// The whole group goes, and is waited for: what is left of it would write into the profile while that is removed.
    deinit {
        kill(-process.identifier, SIGKILL)
        process.signal(SIGKILL)
        _ = process.finish()
        for _ in 0..<50 where kill(-process.identifier, 0) == 0 { usleep(10_000) }
    }
}

/// A real page in a real browser.
@Suite(.serialized) struct BrowserTests {
    private let port = freePort()

    /// Pages from 127.0.0.1 may come.
    private func daemon(_ server: PageServer) async throws -> Daemon {
        try await Daemon(["--output", "null", "--http", "\(port)", "--http-local-role", "operator", "--http-origins", "http://127.0.0.1:\(server.port)"])
    }

    /// Opens the page by this name of the machine. It has a minute, because a browser is slow to start beside other tests.
    private func visit(_ server: PageServer, as host: String) async throws -> Told {
        let browser = try Browser("http://\(host):\(server.port)/page.html?port=\(port)")
        var patience = 6
        while patience > 0, try await !eventually({ server.posted != nil }) { patience -= 1 }
        guard let posted = server.posted else { throw LineSocket.Failed(description: "the page posts nothing: \(browser.errors)") }
        return try JSONDecoder().decode(Told.self, from: Data(posted.utf8))
    }

    @Test func `a page in Chromium plays a touch, is told of it, and sees how loud it is`() async throws {
        let server = try await PageServer()
        let daemon = try await daemon(server)
        let told = try await visit(server, as: "127.0.0.1")
        #expect(told.outcome == "played")
        #expect(told.kit == "ws://127.0.0.1:\(port)/socket", "the kit comes from the daemon's address, and knows the way")
        #expect(told.answers.count == 4 && told.answers.allSatisfy { $0.result != nil }, "\(told.answers)")
        let touches = told.events.filter { $0.event == "touch" }
        #expect(touches.compactMap(\.phase) == ["began", "ended"])
        #expect(touches.map(\.frame) == told.answers.suffix(2).compactMap { $0.result?.frame }, "\(told.answers)")
        // A sine of −12 dBFS has its peak there, and its root mean square 3.01 dB below. The median, because the first meter has silence
        // in it, too.
        let audible = told.meters.filter { $0.peak > -90 }
        try #require(audible.count >= 15, "\(told.meters)")
        let peak = audible.map(\.peak).max() ?? 0
        let rms = audible.map(\.rms).sorted()[audible.count / 2]
        #expect(abs(peak + 12) < 0.2, "\(audible)")
        #expect(abs(rms + 12 + 10 * log10(2)) < 0.2, "\(audible)")
        #expect(daemon.terminate() == 0)
    }

    @Test func `a page from a foreign origin is refused, and plays nothing`() async throws {
        let server = try await PageServer()
        let daemon = try await daemon(server)
        // The same page from the same place, under another name.
        let told = try await visit(server, as: "localhost")
        #expect(told.outcome == "refused" && told.kit == "")
        #expect(told.answers.isEmpty && told.events.isEmpty && told.meters.isEmpty, "\(told)")
        // A page is not told why; whoever comes with its origin is.
        let stranger = try WebSocketClient(port: port, origin: "http://localhost:\(server.port)")
        #expect(stranger.answer.hasPrefix("HTTP/1.1 403 "), "\(stranger.answer)")
        #expect(try daemon.status()["sessions"] as? Int == 0)
        #expect(daemon.terminate() == 0)
        #expect(daemon.journals.isEmpty)
    }
}

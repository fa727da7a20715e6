import Foundation
import Testing
import TestSupport

/// What visitors take up, by real sockets, and what is left to others.
@Suite struct StrangersTests {
    private let port = freePort()

    private func token(_ name: String, _ daemon: Daemon) throws -> String {
        let finished = try run(Programs.thrum, ["token", "add", name, "--role", "visitor", "--socket", daemon.socket])
        #expect(finished.status == 0, "\(finished.errors)")
        return finished.text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// As if from elsewhere: through a proxy on this machine.
    private func guest(_ token: String) throws -> WebSocketClient {
        try WebSocketClient(port: port, headers: ["Sec-WebSocket-Protocol: thrum, thrum.token.\(token)", "X-Forwarded-For: 192.0.2.7"])
    }

    private func ask(_ page: WebSocketClient, _ method: String, _ parameters: String = "{}") throws -> String {
        try page.send(#"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":\#(parameters)}"#)
        return try page.receive().text
    }

    @Test func `one token that takes all places of visitors keeps neither the kiosk's page nor operators out`() async throws {
        let daemon = try await Daemon(["--output", "null", "--http", "\(port)", "--max-clients", "32"])
        let token = try token("hall", daemon)
        var guests = try (0..<22).map { _ in try guest(token) }
        for guest in guests { #expect(try ask(guest, "ping").contains(#""time""#)) }
        let refused = try guest(token)
        #expect(try refused.receive().text.contains("22 visitors and watchers are connected already"))
        let kiosk = try WebSocketClient(port: port)
        #expect(try ask(kiosk, "hello").contains(#""role":"visitor""#))
        let status = try daemon.status()
        #expect((status["refused"] as? [String: Int])?["clients"] == 1)
        #expect((status["issues"] as? [String])?.contains { $0.hasPrefix("clients are turned away") } == true)
        guests.removeLast()
        #expect(try await eventually { (try daemon.status()["issues"] as? [String]) == [] })
        #expect(daemon.terminate() == 0)
    }

    @Test func `visitors who move too fast are refused what is more, hold fewer fingers than there are, and let go always`() async throws {
        let daemon = try await Daemon(["--output", "null", "--http", "\(port)"])
        let token = try token("hall", daemon)
        let guests = try (0..<7).map { _ in try guest(token) }
        var held = 0
        for guest in guests {
            for finger in 0..<10 {
                if try ask(guest, "touch", #"{"phase":"began","id":\#(finger)}"#).contains(#""frame""#) { held += 1 }
            }
        }
        #expect(held == 32)
        let kiosk = try WebSocketClient(port: port)
        for finger in 0..<10 { #expect(try ask(kiosk, "touch", #"{"phase":"began","id":\#(finger)}"#).contains(#""frame""#)) }
        // Notifications, so that nobody waits: more than a person has at once, and what comes back in twenty seconds.
        let moves = (0..<64).map { #"{"jsonrpc":"2.0","method":"touch","params":{"phase":"moved","id":0,"y":0.\#($0 % 10)}}"# }
        for _ in 0..<800 { try guests[0].send("[" + moves.joined(separator: ",") + "]") }
        #expect(try ask(guests[0], "touch", #"{"phase":"ended","id":0}"#).contains(#""frame""#))
        #expect(((try daemon.status()["refused"] as? [String: Any])?["rates"] as? Int ?? 0) > 0)
        #expect(daemon.terminate() == 0)
    }
}

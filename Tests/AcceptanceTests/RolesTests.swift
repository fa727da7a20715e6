import Foundation
import Testing
import TestSupport

/// Who may do what over HTTP, with tokens of the tool.
@Suite struct RolesTests {
    private let port = freePort()

    private func daemon(_ arguments: String...) async throws -> Daemon {
        try await Daemon(["--output", "null", "--experience", "colorscroller", "--http", "\(port)"] + arguments)
    }

    private func token(_ arguments: String..., daemon: Daemon) throws -> String {
        let finished = try run(Programs.thrum, ["token"] + arguments + ["--socket", daemon.socket])
        #expect(finished.status == 0, "\(finished.errors)")
        return finished.text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private func page(_ token: String?) throws -> WebSocketClient {
        try WebSocketClient(port: port, headers: token.map { ["Sec-WebSocket-Protocol: thrum, thrum.token.\($0)"] } ?? [])
    }

    private func ask(_ page: WebSocketClient, _ method: String, _ parameters: String) throws -> String {
        try page.send(#"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":\#(parameters)}"#)
        return try page.receive().text
    }

    private static let house = [("preset.set", #"{"name":"silent"}"#), ("theme.set", #"{"name":"standard"}"#), ("output.ceiling", #"{"level":-20}"#),
                                ("output.mute", #"{"on":true}"#), ("param.set", #"{"name":"toast-cooldown","value":5}"#),
                                ("token.add", #"{"name":"x","role":"operator"}"#), ("token.list", "{}"), ("token.revoke", #"{"name":"x"}"#)]

    @Test func `a visitor's token cannot change preset, theme, ceiling or knobs, and an operator's can`() async throws {
        let daemon = try await daemon("--http-local-role", "none")
        let visitor = try page(token("add", "guest", "--role", "visitor", daemon: daemon))
        #expect(visitor.isOpen && visitor.answer.contains("Sec-WebSocket-Protocol: thrum\r\n"), "\(visitor.answer)")
        let greeting = try ask(visitor, "hello", "{}")
        #expect(greeting.contains(#""role":"visitor""#) && greeting.contains(#""feed.scroll""#) && !greeting.contains(#""status""#))
        #expect(!greeting.contains(#""param.set""#), "what it may not call is not listed")
        for (method, parameters) in Self.house {
            let answer = try ask(visitor, method, parameters)
            #expect(answer.contains("this client is a visitor, and only an operator may do this"), "\(method): \(answer)")
        }
        #expect(try daemon.status()["sessions"] as? Int == 0, "nothing has happened")
        #expect(try ask(visitor, "touch", #"{"phase":"began"}"#).contains(#""frame":"#))
        #expect(try ask(visitor, "feed.scroll", #"{"index":1}"#).contains(#""result""#))
        let watcher = try page(token("add", "wall", "--role", "watch", daemon: daemon))
        #expect(try ask(watcher, "touch", #"{"phase":"began"}"#).contains("this client may only watch"))
        #expect(try ask(watcher, "status", "{}").contains(#""clients":"#))
        let shop = try page(token("add", "shop", "--role", "volume", daemon: daemon))
        for (method, parameters) in Self.house {
            let answer = try ask(shop, method, parameters)
            #expect(answer.contains("this client may only watch, and set the volume and the mute") == (method != "output.mute"), "\(method): \(answer)")
        }
        #expect(try ask(shop, "volume.set", "[-6]").contains(#""result""#))
        let turned = try #require(try daemon.status()["house"] as? [String: Any])
        #expect(turned["volume"] as? Double == -6 && turned["isMuted"] as? Bool == true)
        #expect(((turned["volumeByHand"] as? [String: Any])?["by"] as? String)?.hasSuffix(", with the token shop") == true)
        let console = try page(token("add", "console", "--role", "operator", daemon: daemon))
        for (method, parameters) in Self.house.dropLast(3) {
            let answer = try ask(console, method, parameters)
            #expect(answer.contains(#""result""#), "\(method): \(answer)")
        }
        #expect(daemon.terminate() == 0)
    }

    @Test func `a device that comes in by a code gets a token once, and the code is worthless then`() async throws {
        let daemon = try await daemon("--http-local-role", "none")
        let invited = try run(Programs.thrum, ["send", "token.invite", "name=phone", "role=volume", "--socket", daemon.socket]).text
        let code = try #require(invited.firstMatch(of: /"code": ?"([0-9a-z]+)"/).map { String($0.1) }, "\(invited)")
        let (device, other) = (try page(code), try page(code))
        // Who has the code, and has claimed nothing, has not the role.
        #expect(try ask(other, "volume.set", #"{"level":-6}"#).contains("not-allowed"))
        let claimed = try ask(device, "token.claim", "{}")
        let secret = try #require(claimed.firstMatch(of: /"token":"([0-9a-f]+)"/).map { String($0.1) }, "\(claimed)")
        #expect(claimed.contains(#""role":"volume""#) && secret.count == 64)
        #expect(try ask(other, "token.claim", "{}").contains("not-now"))
        // A moment later the code lets nobody in, and whoever came by it is gone.
        #expect(throws: WebSocketClient.Failed.self) { while true { _ = try device.receive() } }
        #expect(throws: WebSocketClient.Failed.self) { while true { _ = try other.receive() } }
        #expect(try !page(code).isOpen)
        #expect(try ask(page(secret), "volume.set", #"{"level":-6}"#).contains(#""result""#))
        #expect(try token("list", daemon: daemon).hasPrefix("phone  volume  20"))
        #expect(daemon.terminate() == 0)
    }

    @Test func `a token that is revoked ends its connections at once, and one that is not outlasts a restart`() async throws {
        let scratch = try Scratch()
        let first = try await Daemon(["--output", "null", "--http", "\(port)"], scratch: scratch)
        let secret = try token("add", "console", "--role", "operator", daemon: first)
        let kept = try token("add", "wall", "--role", "watch", daemon: first)
        #expect(secret.count == 64)
        let list = try token("list", daemon: first)
        #expect(list.hasPrefix("console  operator  20") && list.contains("\nwall  watch  20") && !list.contains(secret))
        let again = try run(Programs.thrum, ["token", "add", "console", "--role", "watch", "--socket", first.socket])
        #expect(again.status != 0 && again.errors.contains("a name that no token has"), "\(again.errors)")
        let console = try page(secret)
        #expect(try ask(console, "touch", #"{"phase":"began"}"#).contains("frame"))
        #expect(try token("revoke", "console", daemon: first) == "console is revoked")
        #expect(throws: WebSocketClient.Failed.self) { while true { _ = try console.receive() } }
        #expect(try await eventually { try !first.isHeld }, "what it held is let go of")
        let refused = try page(secret).answer
        #expect(refused.hasPrefix("HTTP/1.1 401 "), "\(refused)")
        #expect(first.terminate() == 0)
        let database = try Data(contentsOf: URL(filePath: scratch.file("state/state.sqlite")))
        #expect(database.range(of: Data(kept.utf8)) == nil, "the token itself is nowhere")
        let second = try await Daemon(["--output", "null", "--http", "\(port)"], scratch: scratch)
        #expect(try ask(page(kept), "hello", "{}").contains(#""role":"watch""#))
        #expect(try page(secret).answer.hasPrefix("HTTP/1.1 401 "))
        #expect(second.terminate() == 0)
    }

    @Test func `a page on this machine is a visitor without a token, and pages are served to it`() async throws {
        let scratch = try Scratch()
        try FileManager.default.createDirectory(atPath: scratch.file("www/colorscroller"), withIntermediateDirectories: true)
        try FileManager.default.createDirectory(atPath: scratch.file("www/kit"), withIntermediateDirectories: true)
        _ = try scratch.write("<!doctype html>", to: "www/colorscroller/index.html")
        let daemon = try await daemon("--www", scratch.file("www"))
        #expect(try ask(page(nil), "hello", "{}").contains(#""role":"visitor""#))
        func get(_ path: String, _ headers: String = "Host: localhost\r\n") throws -> String {
            let connection = try TCPSocket(port: port)
            connection.send("GET \(path) HTTP/1.1\r\n\(headers)Connection: close\r\n\r\n")
            return try connection.rest()
        }
        #expect(try get("/").contains("Location: /colorscroller/\r\n"))
        let page = try get("/colorscroller/")
        #expect(page.hasPrefix("HTTP/1.1 200 OK") && page.hasSuffix("<!doctype html>"))
        #expect(page.contains("Content-Security-Policy: default-src 'none'") && !page.contains("unsafe-"))
        _ = try scratch.write("nothing of ours", to: "www/kit/touch.js")
        let kit = try get("/kit/touch.js")
        #expect(try kit.hasPrefix("HTTP/1.1 200 OK") && kit.hasSuffix(String(contentsOfFile: repository + "/www/kit/touch.js", encoding: .utf8)))
        #expect(try get("/metrics").contains("\nthrum_up 1\n"))
        #expect(try get("/health").hasSuffix("{\"issues\":[],\"ok\":true}\n"))
        for path in ["/", "/colorscroller/", "/kit/touch.js", "/metrics", "/health", "/socket"] {
            for headers in ["Host: evil.example\r\n", "Host: localhost\r\nOrigin: http://evil.example\r\n"] {
                #expect(try get(path, headers).hasPrefix("HTTP/1.1 403 "), "\(path) \(headers)")
            }
        }
        #expect(daemon.terminate() == 0)
    }
}

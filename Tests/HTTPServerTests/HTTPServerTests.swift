import Foundation
import NIOCore
import NIOPosix
import Synchronization
import Testing
import TestSupport

@testable import HTTPServer
@testable import Wire

/// A server in this process, asked over the loopback interface.
@Suite(.serialized) struct HTTPServerTests {
    private let issues = Shared<[String]>([])
    private let rejections = Shared<[HTTPRejection]>([])
    private let scratch: Scratch

    private final class Shared<Value: Sendable>: Sendable {
        let value: Mutex<Value>
        init(_ value: Value) { self.value = Mutex(value) }
    }

    init() throws {
        scratch = try Scratch()
        try FileManager.default.createDirectory(atPath: scratch.file("www/piece"), withIntermediateDirectories: true)
        try Data("<!doctype html>\n".utf8).write(to: URL(filePath: scratch.file("www/piece/index.html")))
    }

    private func withServer(page: String? = "piece", _ body: (Int) async throws -> Void) async throws {
        try await withServer(page: page, serving: { server in try await body(server.port) })
    }

    private func withServer(page: String? = "piece", serving body: (HTTPServer) async throws -> Void) async throws {
        // Threads of its own: those that all share may be held up by another test.
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
        let (loop, home) = (group.next(), group.next())
        let settings = HTTPServer.Settings(address: "127.0.0.1", port: 0, access: HTTPAccess(), pages: Pages(in: scratch.file("www")),
                                           page: page, longestFrame: 65_536)
        let server = try await HTTPServer.listen(settings, on: loop, report: { [issues] in
            loop.preconditionInEventLoop()
            var report = Example.status
            report.clients = 3
            report.house = Self.house(mute: nil)
            report.issues = issues.value.withLock { $0 }
            return home.makeSucceededFuture(report)
        }, rejected: { [rejections] rejection in rejections.value.withLock { $0.append(rejection) } }, open: { channel, _, _, _ in channel.close(promise: nil) })
        do {
            try await body(server)
        } catch {
            try await group.shutdownGracefully()
            throw error
        }
        await server.close()
        try await group.shutdownGracefully()
    }

    private func ask(_ question: String, _ port: Int) throws -> String {
        let connection = try TCPSocket(port: port)
        connection.send(question)
        return try connection.rest()
    }

    /// Head and body.
    private func get(_ path: String, _ port: Int, method: String = "GET", _ more: String = "") throws -> (head: [String], body: String) {
        let answer = try ask("\(method) \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\(more)\r\n", port)
        let parts = answer.components(separatedBy: "\r\n\r\n")
        return (parts[0].components(separatedBy: "\r\n"), parts.dropFirst().joined(separator: "\r\n\r\n"))
    }

    @Test func `a file comes with its type and its tag, and not again to whoever has it`() async throws {
        try await withServer { port in
            let (head, body) = try get("/piece/", port)
            #expect(head.first == "HTTP/1.1 200 OK" && body == "<!doctype html>\n")
            #expect(head.contains("Content-Type: text/html; charset=utf-8") && head.contains("Content-Length: 16"))
            let tag = try #require(head.first { $0.hasPrefix("ETag: ") }).dropFirst(6)
            let known = try get("/piece/index.html?v=2", port, "If-None-Match: \"x\", \(tag)\r\n")
            #expect(known.head.first == "HTTP/1.1 304 Not Modified" && known.body == "" && known.head.contains("ETag: \(tag)"))
            #expect(!known.head.contains { $0.hasPrefix("Content-Length") })
            try Data("<!doctype html><p>\n".utf8).write(to: URL(filePath: scratch.file("www/piece/index.html")))
            #expect(try get("/piece/", port, "If-None-Match: \(tag)\r\n").head.first == "HTTP/1.1 200 OK")
        }
    }

    /// The ranges are those of RFC 9110, section 14.1.2, for the 16 bytes of the page.
    @Test(arguments: [("0-4", "0-4", "<!doc"), ("10-", "10-15", "html>\n"), ("-3", "13-15", "l>\n"), ("5-99", "5-15", "type html>\n"),
                      ("-99", "0-15", "<!doctype html>\n")])
    func `a part of a file is sent alone`(wanted: String, sent: String, text: Substring) async throws {
        try await withServer { port in
            let (head, body) = try get("/piece/", port, "Range: bytes=\(wanted)\r\n")
            #expect(head.first == "HTTP/1.1 206 Partial Content" && head.contains("Content-Range: bytes \(sent)/16"))
            #expect(body == text && head.contains("Content-Length: \(text.utf8.count)"))
        }
    }

    @Test func `a part beyond a file is refused with its size, and what is no single part is passed over`() async throws {
        try await withServer { port in
            for wanted in ["16-", "99-100", "-0"] {
                let head = try get("/piece/", port, "Range: bytes=\(wanted)\r\n").head
                #expect(head.first == "HTTP/1.1 416 Range Not Satisfiable" && head.contains("Content-Range: bytes */16"), "\(wanted)")
            }
            for more in ["Range: bytes=5-4", "Range: bytes=-", "Range: bytes=0-1,3-4", "Range: lines=0-1", "Range: bytes=0-1\r\nIf-Range: \"old\""] {
                let (head, body) = try get("/piece/", port, more + "\r\n")
                #expect(head.first == "HTTP/1.1 200 OK" && head.contains("Accept-Ranges: bytes") && body.utf8.count == 16, "\(more)")
            }
        }
    }

    @Test func `a head is that of its answer, without a body`() async throws {
        try await withServer { port in
            for path in ["/piece/", "/metrics", "/health", "/none"] {
                let (whole, head) = (try get(path, port), try get(path, port, method: "HEAD"))
                #expect(head.head == whole.head && head.body == "", "\(path)")
                #expect(head.head.contains("Content-Length: \(whole.body.utf8.count)"), "\(path)")
            }
        }
    }

    @Test func `every answer forbids what no page of ours needs, and nothing is unsafe`() async throws {
        try await withServer { port in
            for path in ["/piece/", "/", "/none", "/metrics", "/health", "/socket"] {
                let head = try get(path, port).head
                let policy = try #require(head.first { $0.hasPrefix("Content-Security-Policy: ") }, "\(path)")
                #expect(policy.contains("default-src 'none'; script-src 'self';") && !policy.contains("unsafe") && !policy.contains("*"))
                #expect(head.contains("X-Content-Type-Options: nosniff") && head.contains("Referrer-Policy: no-referrer"), "\(path)")
            }
        }
    }

    @Test func `the root leads to the page of the piece, and a folder to its page`() async throws {
        try await withServer { port in
            for path in ["/", "/?kiosk"] {
                let head = try get(path, port).head
                #expect(head.first == "HTTP/1.1 307 Temporary Redirect" && head.contains("Location: /piece/"), "\(path)")
            }
            #expect(try get("/piece", port).head.contains("Location: /piece/"))
        }
        try await withServer(page: nil) { port in
            let body = try get("/", port).body
            #expect(body == "this piece has no page; here are /health, /metrics and the WebSocket /socket\n")
        }
    }

    @Test func `metrics come as Prometheus reads them`() async throws {
        try await withServer { port in
            let (head, body) = try get("/metrics", port)
            #expect(head.first == "HTTP/1.1 200 OK" && head.contains("Content-Type: text/plain; version=0.0.4; charset=utf-8"))
            #expect(body.contains("\nthrum_clients 3\n") && body.hasSuffix("\n"))
            #expect(try get("/metrics?collect=all", port).body == body)
        }
    }

    private static func house(mute: HouseReport.ByHand?) -> HouseReport {
        HouseReport(theme: "", preset: "", isByHand: false, entry: nil, nextChange: nil, volume: 0, mute: mute,
                    ceiling: HouseReport.Ceiling(level: -1, setting: -1), hearing: nil)
    }

    @Test func `health says that the house is muted and not by whom, and all is well all the same`() {
        var report = Example.status
        report.issues = []
        report.house = Self.house(mute: HouseReport.ByHand(by: "client 3, root", since: 1_782_568_800))
        let answer = HTTPAnswer(health: report)
        #expect(answer.status == .ok)
        guard case .bytes(let body) = answer.body else {
            Issue.record("no text")
            return
        }
        #expect(String(buffer: body) == "{\"issues\":[],\"notices\":[\"muted by a front end since 2026-06-27T14:00:00Z: "
            + "nothing is heard until output.mute is sent with on=false\"],\"ok\":true}\n")
    }

    @Test func `health is 200 while all is well, else 503 and what is wrong`() async throws {
        try await withServer { port in
            let healthy = try get("/health", port)
            #expect(healthy.head.first == "HTTP/1.1 200 OK" && healthy.body == "{\"issues\":[],\"ok\":true}\n")
            #expect(healthy.head.contains("Content-Type: application/json"))
            issues.value.withLock { $0 = ["no sound: waiting for a sound server", "two\nlines"] }
            let troubled = try get("/health", port)
            #expect(troubled.head.first == "HTTP/1.1 503 Service Unavailable")
            #expect(troubled.body == #"{"issues":["no sound: waiting for a sound server","two\nlines"],"ok":false}"# + "\n")
        }
    }

    @Test func `whatever else is asked is refused in plain words`() async throws {
        try await withServer { port in
            for path in ["/metric", "/metrics/", "/piece/none.js", "/../../etc/passwd", "/.git/config", "/%6detrics"] {
                let (head, body) = try get(path, port)
                #expect(head.first == "HTTP/1.1 404 Not Found" && body == "there is no such file\n", "\(path)")
                #expect(head.contains("Content-Type: text/plain; charset=utf-8"))
            }
            for path in ["*", "http://localhost/metrics", "/%"] { #expect(try get(path, port).head.first == "HTTP/1.1 400 Bad Request", "\(path)") }
            for method in ["POST", "PUT", "DELETE", "OPTIONS"] {
                let (head, _) = try get("/piece/", port, method: method)
                #expect(head.first == "HTTP/1.1 405 Method Not Allowed" && head.contains("Allow: GET, HEAD"), "\(method)")
            }
            #expect(try get("/socket", port).head.first == "HTTP/1.1 426 Upgrade Required")
            #expect(try ask("\u{16}\u{03}\u{01} hello\r\n\r\n", port).hasPrefix("HTTP/1.1 400"))
        }
    }

    @Test(arguments: ["Host: evil.example", "Host: localhost\r\nOrigin: http://evil.example"])
    func `a foreign host and a foreign origin get nothing, whatever they ask for`(headers: String) async throws {
        try await withServer { port in
            let upgrade = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
            for path in ["/", "/piece/", "/none", "/metrics", "/health", "/socket"] {
                for more in ["", upgrade] {
                    let answer = try ask("GET \(path) HTTP/1.1\r\n\(headers)\r\n\(more)\r\n", port)
                    #expect(answer.hasPrefix("HTTP/1.1 403 "), "\(path): \(answer)")
                }
            }
        }
    }

    @Test func `a WebSocket's target may have the server's own address before its path, and no other`() async throws {
        try await withServer { port in
            let upgrade = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
            func head(_ target: String, host: String) throws -> String {
                try TCPSocket(port: port).ask("GET \(target) HTTP/1.1\r\nHost: \(host)\r\n\(upgrade)\r\n")
            }
            for scheme in ["ws", "http", "WS"] {
                let answer = try head("\(scheme)://localhost:\(port)/socket?x=1", host: "localhost:\(port)")
                #expect(answer.hasPrefix("HTTP/1.1 101 "), "\(scheme): \(answer)")
            }
            for target in ["ws://evil.example/socket", "ws://localhost:\(port)/other", "ftp://localhost:\(port)/socket"] {
                let answer = try head(target, host: "localhost:\(port)")
                #expect(answer.hasPrefix("HTTP/1.1 400 "), "\(target): \(answer)")
            }
            #expect(try head("ws://evil.example/socket", host: "evil.example").hasPrefix("HTTP/1.1 403 "))
        }
    }

    @Test func `requests on one connection are answered in their order`() async throws {
        try await withServer { port in
            let question = "GET /piece/ HTTP/1.1\r\nHost: localhost\r\n\r\n"
            let last = "GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
            let answers = try ask(question + "HEAD /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n" + last, port)
            let types = answers.components(separatedBy: "\r\n").filter { $0.hasPrefix("Content-Type") }
            #expect(types == ["Content-Type: text/html; charset=utf-8", "Content-Type: text/plain; version=0.0.4; charset=utf-8",
                              "Content-Type: application/json"])
            // What a connection may send is counted anew for each request.
            let connection = try TCPSocket(port: port)
            for _ in 0..<10 { #expect(try connection.ask("GET /piece/ HTTP/1.1\r\nHost: localhost\r\nX: \(String(repeating: "x", count: 4_000))\r\n\r\n").hasPrefix("HTTP/1.1 200")) }
        }
    }

    private func write(_ count: Int, bytesTo path: String) throws -> String {
        let text = String(decoding: (0..<count).map { UInt8(ascii: "a") + UInt8($0 / 7 % 26) }, as: UTF8.self)
        try Data(text.utf8).write(to: URL(filePath: scratch.file(path)))
        return text
    }

    /// Asks for so much on other connections that whatever the server would do without being read, it has done.
    private func settle(_ port: Int) throws {
        for _ in 0..<100 { #expect(try get("/piece/", port).head.first == "HTTP/1.1 200 OK") }
    }

    @Test func `300 answers that nobody reads take one piece of memory, and the others are served`() async throws {
        _ = try write(8 << 20, bytesTo: "www/piece/large.bin")
        try await withServer(serving: { server in
            let connection = try TCPSocket(port: server.port)
            connection.send(String(repeating: "GET /piece/large.bin HTTP/1.1\r\nHost: localhost\r\n\r\n", count: 300))
            while try await server.unsentBytes() == 0 { try settle(server.port) }
            try settle(server.port)
            let unsent = try await server.unsentBytes()
            #expect(0 < unsent && unsent <= PageFile.piece + 4_096)
        })
    }

    /// As large as the largest file of the package's pages, and a small one.
    @Test(arguments: [70_000, 2_000])
    func `60 connections that read nothing take no more than all may together`(size: Int) async throws {
        _ = try write(size, bytesTo: "www/piece/page.js")
        try await withServer(serving: { server in
            let connections = try (0..<60).map { _ in try TCPSocket(port: server.port) }
            for connection in connections {
                connection.send(String(repeating: "GET /piece/page.js HTTP/1.1\r\nHost: localhost\r\n\r\n", count: 300))
            }
            try settle(server.port)
            #expect(try await server.unsentBytes() <= HTTPServer.mostUnsent)
        })
    }

    @Test func `a large file, its head, its tag and parts of it come whole and in order on one connection`() async throws {
        let text = try write(700_001, bytesTo: "www/piece/large.txt")
        try await withServer { port in
            let tag = try #require(try get("/piece/large.txt", port, method: "HEAD").head.first { $0.hasPrefix("ETag: ") }).dropFirst(6)
            let more = ["GET": "", "HEAD": "", "part": "Range: bytes=65000-400000\r\n", "known": "If-None-Match: \(tag)\r\n"]
            let order = ["GET", "HEAD", "part", "known", "GET", "part"]
            let questions = order.map { name in
                "\(name == "HEAD" ? "HEAD" : "GET") /piece/large.txt HTTP/1.1\r\nHost: localhost\r\n\(more[name] ?? "")\r\n"
            }
            let last = "GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
            var rest = try ask(questions.joined() + last, port)[...]
            let (start, end) = (text.index(text.startIndex, offsetBy: 65_000), text.index(text.startIndex, offsetBy: 400_001))
            for name in order {
                let head = try #require(rest.range(of: "\r\n\r\n"))
                let status = rest.prefix { $0 != "\r\n" }
                rest = rest[head.upperBound...]
                let (expected, body): (Substring, Substring) = switch name {
                case "GET": ("HTTP/1.1 200 OK", text[...])
                case "HEAD": ("HTTP/1.1 200 OK", "")
                case "part": ("HTTP/1.1 206 Partial Content", text[start..<end])
                default: ("HTTP/1.1 304 Not Modified", "")
                }
                #expect(status == expected && rest.hasPrefix(body), "\(name)")
                rest = rest.dropFirst(body.count)
            }
            #expect(rest.hasPrefix("HTTP/1.1 200 OK") && rest.hasSuffix("{\"issues\":[],\"ok\":true}\n"))
        }
    }

    @Test(arguments: ["GET /", "GET / HTTP/1.1\r\nX: ", "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999\r\n\r\n"])
    func `who never stops talking is cut off`(beginning: String) async throws {
        try await withServer { port in
            let connection = try TCPSocket(port: port)
            connection.send(beginning)
            var sent = 0
            while sent < 64 << 20, connection.send(String(repeating: "x", count: 65_536)) { sent += 65_536 }
            #expect(sent < 64 << 20)
            #expect(try get("/health", port).head.first == "HTTP/1.1 200 OK")
        }
    }

    @Test func `who says nothing, or half a request, keeps nobody out, and is cut off`() async throws {
        try await withServer { port in
            let silent = try (0..<100).map { _ in try TCPSocket(port: port) }
            let half = try TCPSocket(port: port)
            half.send("GET /metrics HTTP/1.1\r\nHost:")
            for _ in 0..<20 { #expect(try get("/health", port).head.first == "HTTP/1.1 200 OK") }
            for connection in silent { #expect(try connection.rest() == "") }
            #expect(try !half.rest().contains("200 OK"))
        }
    }

    @Test func `who is refused because of who they are is told, with what they showed but no token`() async throws {
        try await withServer { port in
            _ = try ask("GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n", port)
            _ = try get("/metrics", port, "Origin: http://evil.example\r\n")
            _ = try get("/socket", port, "Authorization: Bearer secret\r\n")
            // These are refused for what they ask, not for who asks.
            _ = try get("/nothing", port)
            _ = try get("/", port, method: "POST")
            _ = try get("/socket", port)
            let told = rejections.value.withLock { $0 }
            #expect(told.map(\.stranger) == [.host, .origin, .token])
            #expect(told.map(\.shown) == ["evil.example", "http://evil.example", nil])
            #expect(told.allSatisfy { $0.peer == "127.0.0.1" && !"\($0)".contains("secret") })
        }
    }

    @Test func `a port that is taken is told`() async throws {
        try await withServer { port in
            let settings = HTTPServer.Settings(address: "127.0.0.1", port: port, access: HTTPAccess(), pages: nil, longestFrame: 65_536)
            await #expect(throws: HTTPServer.CannotListen(description: "127.0.0.1:\(port): Address already in use")) {
                _ = try await HTTPServer.listen(settings, on: MultiThreadedEventLoopGroup.singleton.next(), report: { fatalError("not asked") },
                                                rejected: { _ in }, open: { _, _, _, _ in })
            }
        }
    }
}

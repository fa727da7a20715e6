import ControlSocket
import Foundation
import NIOPosix
import Synchronization
import Testing
import TestSupport
@testable import Wire

@Suite(.serialized) struct MetricsServerTests {
    /// What the status report is to have.
    private final class Issues: Sendable { let list = Mutex<[String]>([]) }

    private let issues = Issues()

    private func withServer(_ body: (Int) async throws -> Void) async throws {
        // A thread of its own: the one that all share may be held up by another test.
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let loop = group.next()
        let issues = issues
        let server = try await MetricsServer.listen(port: 0, loop: loop) {
            loop.preconditionInEventLoop()
            var report = Example.status
            report.clients = 3
            report.issues = issues.list.withLock { $0 }
            return report
        }
        do {
            try await body(server.port)
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
    private func get(_ path: String, _ port: Int, method: String = "GET") throws -> (head: [String], body: String) {
        let answer = try ask("\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", port)
        let parts = answer.split(separator: "\r\n\r\n", maxSplits: 1, omittingEmptySubsequences: false)
        return (parts[0].split(separator: "\r\n").map(String.init), parts.count > 1 ? String(parts[1]) : "")
    }

    @Test func `metrics come as Prometheus reads them`() async throws {
        try await withServer { port in
            let (head, body) = try get("/metrics", port)
            #expect(head.first == "HTTP/1.1 200 OK")
            #expect(head.contains("Content-Type: text/plain; version=0.0.4; charset=utf-8"))
            #expect(head.contains("Content-Length: \(body.utf8.count)"))
            #expect(body.contains("\nthrum_clients 3\n") && body.hasSuffix("\n"))
            #expect(try get("/metrics?collect=all", port).body == body)
            let headers = try get("/metrics", port, method: "HEAD")
            #expect(headers.head == head && headers.body == "")
        }
    }

    @Test func `health is 200 while all is well, else 503 and what is wrong, a line each`() async throws {
        try await withServer { port in
            let healthy = try get("/healthz", port)
            #expect(healthy.head.first == "HTTP/1.1 200 OK" && healthy.body == "ok\n")
            issues.list.withLock { $0 = ["no sound: waiting for a sound server", "two\nlines"] }
            let troubled = try get("/healthz", port)
            #expect(troubled.head.first == "HTTP/1.1 503 Service Unavailable")
            #expect(troubled.body == "no sound: waiting for a sound server\ntwo lines\n")
        }
    }

    @Test func `whatever else is asked is told what there is`() async throws {
        try await withServer { port in
            for path in ["/", "/metric", "/metrics/", "/%6detrics", "*", "http://x/metrics"] {
                #expect(try get(path, port).head.first == "HTTP/1.1 404 Not Found", "\(path)")
            }
            for method in ["POST", "PUT", "DELETE", "OPTIONS"] {
                let (head, _) = try get("/metrics", port, method: method)
                #expect(head.first == "HTTP/1.1 405 Method Not Allowed" && head.contains("Allow: GET, HEAD"), "\(method)")
            }
        }
    }

    @Test func `two questions on one connection are one answer, garbage is a bad request`() async throws {
        try await withServer { port in
            let question = "GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
            let answers = try ask(question + question, port)
            #expect(answers.components(separatedBy: "HTTP/1.1").count == 2)
            let complaint = try ask("\u{16}\u{03}\u{01} hello\r\n\r\n", port)
            #expect(complaint.hasPrefix("HTTP/1.1 400"))
        }
    }

    @Test(arguments: ["GET /", "GET / HTTP/1.1\r\nX: ", "POST / HTTP/1.1\r\nContent-Length: 99999999\r\n\r\n"])
    func `who never stops talking is cut off`(beginning: String) async throws {
        try await withServer { port in
            let connection = try TCPSocket(port: port)
            connection.send(beginning)
            var sent = 0
            while sent < 64 << 20, connection.send(String(repeating: "x", count: 65_536)) { sent += 65_536 }
            #expect(sent < 64 << 20)
            #expect(try get("/healthz", port).body == "ok\n")
        }
    }

    @Test func `who says nothing, or half a question, keeps nobody out, and is cut off`() async throws {
        try await withServer { port in
            let silent = try (0..<40).map { _ in try TCPSocket(port: port) }
            let half = try TCPSocket(port: port)
            half.send("GET /metrics HTTP/1.1\r\nHost:")
            for _ in 0..<20 { #expect(try get("/healthz", port).body == "ok\n") }
            for connection in silent { #expect(try connection.rest() == "") }
            #expect(try !half.rest().contains("200 OK"))
        }
    }

    /// A page of anybody's site may have its name lead here (DNS rebinding); then it says that name.
    @Test(arguments: [
        ("HTTP/1.1\r\nHost: localhost:9", "200"), ("HTTP/1.1\r\nHost: LOCALHOST", "200"), ("HTTP/1.1\r\nHost: 192.0.2.7:80", "200"),
        ("HTTP/1.1\r\nHost: [::1]:9", "200"), ("HTTP/1.0", "200"), ("HTTP/1.0\r\nHost: 127.0.0.1", "200"),
        ("HTTP/1.1\r\nHost: evil.example", "421"), ("HTTP/1.1\r\nHost: localhost.evil.example", "421"),
        ("HTTP/1.1\r\nHost: 127.0.0.1.evil.example", "421"), ("HTTP/1.1\r\nHost: localhost:port", "421"), ("HTTP/1.1\r\nHost: ", "421"),
        ("HTTP/1.0\r\nHost: evil.example", "421"), ("HTTP/1.1\r\nHost: [::1", "421"),
        ("HTTP/1.1", "400"), ("HTTP/1.1\r\nHost: localhost\r\nHost: localhost", "400"),
    ])
    func `only who asks this machine by a name that is its own is answered`(head: String, status: String) async throws {
        try await withServer { port in
            for path in ["/metrics", "/healthz"] {
                let answer = try ask("GET \(path) \(head)\r\n\r\n", port)
                #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(answer.prefix(200))")
            }
        }
    }

    @Test func `a port that is taken is told`() async throws {
        try await withServer { port in
            await #expect(throws: ControlSocketError.refused("127.0.0.1:\(port)", errno: EADDRINUSE)) {
                _ = try await MetricsServer.listen(port: port, loop: MultiThreadedEventLoopGroup.singleton.next()) { fatalError("not asked") }
            }
        }
    }
}

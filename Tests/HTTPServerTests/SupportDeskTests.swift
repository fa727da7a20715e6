import Files
import Foundation
import NIOCore
import NIOPosix
import Synchronization
import Testing
import TestSupport
import Wire

@testable import HTTPServer

/// `/support` of a server in this process.
@Suite(.serialized) struct SupportDeskTests {
    private struct Missing: Error, CustomStringConvertible { var description: String }

    private let scratch: Scratch
    private let grants = Grants()

    init() throws {
        scratch = try Scratch()
        let roles: [(String, Role?)] = [("operator", .operator), ("watch", .watch), ("volume", .volume), ("visitor", .visitor),
                                        ("player", .player), ("invitation", nil)]
        grants.replace(with: roles.map { Grant(name: "the " + $0, role: $1, digest: Digest.of(Array($0.utf8))) })
    }

    /// Serves what `make` makes, on threads of its own.
    private func withServer(local: Role? = .visitor, _ make: (@Sendable (Identity) throws -> CInt)?, _ body: (Int) async throws -> Void) async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let loop = group.next()
        let settings = HTTPServer.Settings(address: "127.0.0.1", port: 0, access: HTTPAccess(localRole: local, grants: grants), pages: nil,
                                           support: make, longestFrame: 65_536)
        let server = try await HTTPServer.listen(settings, on: loop, report: { loop.makeSucceededFuture(Example.status) },
                                                 rejected: { _ in }, open: { channel, _, _, _ in channel.close(promise: nil) })
        let result: Result<Void, any Error>
        do {
            result = .success(try await body(server.port))
        } catch {
            result = .failure(error)
        }
        await server.close()
        try await group.shutdownGracefully()
        try result.get()
    }

    private func get(_ port: Int, token: String?, method: String = "GET") throws -> String {
        let connection = try TCPSocket(port: port)
        let header = token.map { "Authorization: Bearer \($0)\r\n" } ?? ""
        connection.send("\(method) /support HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\(header)\r\n")
        return try connection.rest()
    }

    @Test func `an operator's token is given the whole file, as one to save, and the maker learns who asks`() async throws {
        let text = String(repeating: "0123456789abcdef", count: 20_000)
        let path = try scratch.write(text, to: "file")
        let asked = Mutex<[Identity]>([])
        try await withServer({ identity in
            asked.withLock { $0.append(identity) }
            return open(path, O_RDONLY | O_CLOEXEC)
        }) { port in
            let answer = try get(port, token: "operator").components(separatedBy: "\r\n\r\n")
            let head = answer[0].components(separatedBy: "\r\n")
            #expect(head[0] == "HTTP/1.1 200 OK" && head.contains("Content-Type: application/gzip") && head.contains("Cache-Control: no-store"))
            #expect(head.contains(#"Content-Disposition: attachment; filename="thrum-support.tar.gz""#))
            #expect(head.contains("Content-Length: 320000") && answer[1] == text)
        }
        #expect(asked.withLock { $0 } == [.token("the operator")])
    }

    @Test func `while the file is made nobody else has it made, but is told when to try again`() async throws {
        let path = try scratch.write("a file", to: "file")
        let asked = Mutex(0)
        let (begun, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        try await withServer({ _ in
            if asked.withLock({ $0 += 1; return $0 }) == 1 {
                begun.signal()
                mayEnd.wait()
            }
            return open(path, O_RDONLY | O_CLOEXEC)
        }) { port in
            let first = try TCPSocket(port: port)
            first.send("GET /support HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer operator\r\n\r\n")
            await withCheckedContinuation { going in
                DispatchQueue.global().async {
                    begun.wait()
                    going.resume()
                }
            }
            let answer = Result { try get(port, token: "operator") }
            mayEnd.signal()
            let refused = try answer.get()
            #expect(refused.hasPrefix("HTTP/1.1 503 ") && refused.contains("\r\nRetry-After: 60\r\n"), "\(refused)")
            let made = try first.rest()
            #expect(made.hasSuffix("\r\n\r\na file") && asked.withLock { $0 } == 1)
            let next = try get(port, token: "operator")
            #expect(next.hasSuffix("\r\n\r\na file"))
        }
    }

    @Test(arguments: [("watch", 403), ("volume", 403), ("visitor", 403), ("player", 403), ("invitation", 403), ("wrong", 401), (nil, 403)])
    func `nobody else is given it, and nothing is made for them`(token: String?, status: Int) async throws {
        let asked = Mutex(0)
        try await withServer({ _ in
            asked.withLock { $0 += 1 }
            return -1
        }) { port in
            let answer = try get(port, token: token)
            #expect(answer.hasPrefix("HTTP/1.1 \(status) "))
        }
        #expect(asked.withLock { $0 } == 0)
    }

    @Test func `a page on this machine needs no token where such pages are operators, and one where they are nobody`() async throws {
        let path = try scratch.write("a file", to: "file")
        let make: @Sendable (Identity) throws -> CInt = { identity in
            #expect(identity == .unknown)
            return open(path, O_RDONLY | O_CLOEXEC)
        }
        try await withServer(local: .operator, make) { port in
            let answer = try get(port, token: nil)
            #expect(answer.hasSuffix("\r\n\r\na file"))
        }
        try await withServer(local: nil, make) { port in
            let answer = try get(port, token: nil)
            #expect(answer.hasPrefix("HTTP/1.1 401 "))
        }
    }

    @Test func `another site's page is given nothing for being on this machine, and nothing is made`() async throws {
        let path = try scratch.write("a file", to: "file")
        let asked = Mutex(0)
        try await withServer(local: .operator, { _ in
            asked.withLock { $0 += 1 }
            return open(path, O_RDONLY | O_CLOEXEC)
        }) { port in
            func answer(_ site: String, _ more: String = "") throws -> String {
                let connection = try TCPSocket(port: port)
                connection.send("GET /support HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nSec-Fetch-Site: \(site)\r\n\(more)\r\n")
                return try connection.rest()
            }
            for site in ["cross-site", "same-site"] {
                let refusal = try answer(site)
                #expect(refusal.hasPrefix("HTTP/1.1 403 "), "\(site)")
            }
            #expect(asked.withLock { $0 } == 0)
            let answers = [try answer("cross-site", "Authorization: Bearer operator\r\n"), try answer("same-origin"), try answer("none")]
            #expect(answers.allSatisfy { $0.hasSuffix("a file") })
        }
    }

    /// More than the buffers of both sides take, so that the answer is under way when the token is revoked.
    @Test func `the file is sent no further once its token is revoked`() async throws {
        let path = try scratch.write("", to: "file")
        #expect(truncate(path, 64 << 20) == 0)
        try await withServer({ _ in open(path, O_RDONLY | O_CLOEXEC) }) { port in
            let connection = try TCPSocket(port: port)
            let head = try connection.ask("GET /support HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer operator\r\nConnection: close\r\n\r\n")
            #expect(head.hasPrefix("HTTP/1.1 200 OK"))
            grants.replace(with: [])
            let rest = try connection.restOfBytes()
            #expect(rest.count < 60 << 20)
        }
    }

    /// Half of it is more than the buffers of both sides take, so that pieces are sent after the others have come.
    @Test func `an answer that somebody takes goes on, however many others come and say little`() async throws {
        let path = try scratch.write("", to: "file"), size = 64 << 20
        #expect(truncate(path, off_t(size)) == 0)
        try await withServer(local: .operator, { _ in open(path, O_RDONLY | O_CLOEXEC) }) { port in
            let reader = try TCPSocket(port: port)
            var received = try reader.ask("GET /support HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").utf8.count
            var others: [TCPSocket] = []
            func come(_ count: Int) throws {
                for _ in 0..<count {
                    let other = try TCPSocket(port: port)
                    let answer = try other.ask("GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n")
                    #expect(answer.hasPrefix("HTTP/1.1 200 OK"))
                    others.append(other)
                }
            }
            // With these there are as many as there may be, and the reader has asked first.
            try come(HTTPServer.pendingLimit - 1)
            while received < size / 2 {
                let count = try reader.ask("").utf8.count
                try #require(count > 0)
                received += count
            }
            try come(10)
            received += try reader.restOfBytes().count
            #expect(received > size)
        }
    }

    @Test func `what cannot be made is said, and so is what there is not, and another method`() async throws {
        try await withServer({ _ in throw Missing(description: "thrum support: exit status 73") }) { port in
            let answer = try get(port, token: "operator")
            #expect(answer.hasPrefix("HTTP/1.1 503 ") && answer.hasSuffix("\r\n\r\nthrum support: exit status 73\n"))
            let other = try get(port, token: "operator", method: "HEAD")
            #expect(other.hasPrefix("HTTP/1.1 405 "))
        }
        try await withServer(nil) { port in
            let answer = try get(port, token: "operator")
            #expect(answer.hasPrefix("HTTP/1.1 404 "))
        }
    }
}

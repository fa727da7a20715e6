import Files
import Foundation
import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOPosix
import Synchronization
import Testing
import TestSupport

@testable import HTTPServer
@testable import Wire

/// Recordings over HTTP: who gets them, which parts, and how many at once.
@Suite(.serialized) struct RecordingsTests {
    /// Recordings whose byte at each place is known: the place times 7, of which 251 counts. A part is there at every third request.
    private final class Numbers: Recordings, ServedBytes {
        static func byte(_ index: Int) -> UInt8 { UInt8(index * 7 % 251) }

        let size = 200_000
        let type = "audio/wav"
        let tag = EntityTag(digest: Array(repeating: 0xAB, count: 32))
        private let asked = Atomic(0)
        /// Whether nobody gets a part.
        let isHeld = Atomic(false)

        func find(_ recording: Recording) throws(HTTPRefusal) -> any ServedBytes {
            guard recording.session == "visit" else { throw HTTPRefusal(.notFound, "there is no such session") }
            return self
        }

        func part(_ range: Range<Int>) throws -> ByteBuffer? {
            guard !isHeld.load(ordering: .relaxed), asked.add(1, ordering: .relaxed).newValue % 3 == 0 else { return nil }
            return ByteBuffer(bytes: range.map(Self.byte))
        }
    }

    private let numbers = Numbers()
    private let grants = Grants()
    private let tokens: [Role: String] = [.operator: "operators", .watch: "watchers", .visitor: "visitors", .player: "players"]

    private func withServer(localRole: Role?, _ body: (Int) async throws -> Void) async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
        let (loop, home) = (group.next(), group.next())
        grants.replace(with: tokens.map { Grant(name: "\($0.key)", role: $0.key, digest: Digest.of(Array($0.value.utf8))) })
        let settings = HTTPServer.Settings(address: "127.0.0.1", port: 0, access: HTTPAccess(localRole: localRole, grants: grants), pages: nil,
                                           recordings: numbers, longestFrame: 65_536)
        let server = try await HTTPServer.listen(settings, on: loop, report: { home.makeSucceededFuture(Example.status) }, rejected: { _ in },
                                                 open: { channel, _, _, _ in channel.close(promise: nil) })
        do {
            try await body(server.port)
        } catch {
            try await group.shutdownGracefully()
            throw error
        }
        await server.close()
        try await group.shutdownGracefully()
    }

    /// Head and body.
    private func get(_ path: String, _ port: Int, method: String = "GET", _ more: String = "") throws -> (head: [String], body: [UInt8]) {
        let connection = try TCPSocket(port: port)
        connection.send("\(method) \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\(more)\r\n")
        let answer = try connection.restOfBytes()
        let end = try #require(answer.firstRange(of: Array("\r\n\r\n".utf8)))
        return (String(decoding: answer[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n"), Array(answer[end.upperBound...]))
    }

    private func status(_ path: String, _ port: Int, _ more: String = "") throws -> String {
        try get(path, port, more).head[0].components(separatedBy: " ")[1]
    }

    private func bearer(_ role: Role) -> String { "Authorization: Bearer \(tokens[role, default: ""])\r\n" }

    @Test(arguments: [(nil, 0..<200_000), ("0-4", 0..<5), ("65530-65541", 65_530..<65_542), ("131072-", 131_072..<200_000),
                      ("-3", 199_997..<200_000), ("199999-300000", 199_999..<200_000)])
    func `the parts of a recording are those that are asked for, in however many pieces`(wanted: String?, sent: Range<Int>) async throws {
        try await withServer(localRole: .operator) { port async throws in
            let (head, body) = try get("/sessions/visit.wav", port, wanted.map { "Range: bytes=\($0)\r\n" } ?? "")
            #expect(head[0] == (wanted == nil ? "HTTP/1.1 200 OK" : "HTTP/1.1 206 Partial Content"))
            #expect(body == sent.map(Numbers.byte))
            #expect(head.contains("Content-Length: \(sent.count)") && head.contains("Accept-Ranges: bytes") && head.contains("Content-Type: audio/wav"))
            if wanted != nil { #expect(head.contains("Content-Range: bytes \(sent.lowerBound)-\(sent.upperBound - 1)/200000")) }
        }
    }

    @Test func `a head tells the length beforehand, and a part beyond the end is refused with it`() async throws {
        try await withServer(localRole: .operator) { port async throws in
            let head = try get("/sessions/visit.wav", port, method: "HEAD")
            #expect(head.head.contains("Content-Length: 200000") && head.body.isEmpty)
            let beyond = try get("/sessions/visit.wav", port, "Range: bytes=200000-\r\n").head
            #expect(beyond[0] == "HTTP/1.1 416 Range Not Satisfiable" && beyond.contains("Content-Range: bytes */200000"))
            let tag = "\"" + String(repeating: "ab", count: 16) + "\""
            #expect(try status("/sessions/visit.wav", port, "If-None-Match: \(tag)\r\n") == "304")
        }
    }

    @Test(arguments: ["other.wav", "visit.flac", "visit", "visit.wav/", "..%2Fvisit.wav", ".visit.wav", "a/visit.wav"])
    func `nothing but the names of sessions is there`(name: String) async throws {
        try await withServer(localRole: .operator) { port async throws in #expect(try status("/sessions/\(name)", port) == "404") }
    }

    @Test func `sound is for who inspects, and a journal, which names households, for operators`() async throws {
        try await withServer(localRole: nil) { port async throws in
            for path in ["/sessions/", "/sessions/visit.wav", "/sessions/visit.jsonl"] {
                #expect(try status(path, port) == "401", "\(path)")
                #expect(try status(path, port, "Authorization: Bearer wrong\r\n") == "401", "\(path)")
                #expect(try status(path, port, bearer(.visitor)) == "403" && status(path, port, bearer(.player)) == "403", "\(path)")
                #expect(try status(path, port, bearer(.operator)) == "200", "\(path)")
                #expect(try status(path, port, bearer(.watch)) == (path.hasSuffix("jsonl") ? "403" : "200"), "\(path)")
            }
        }
        try await withServer(localRole: .visitor) { port async throws in #expect(try status("/sessions/visit.wav", port) == "403") }
        try await withServer(localRole: .watch) { port async throws in #expect(try status("/sessions/visit.wav", port) == "200") }
    }

    @Test func `a cookie stands for the pass that it was lent for, and no longer than that is valid`() async throws {
        try await withServer(localRole: .visitor) { port async throws in
            let head = try get("/sessions/", port, bearer(.watch)).head
            let cookie = try #require(head.first { $0.hasPrefix("Set-Cookie: ") }).dropFirst(12)
            #expect(cookie.hasPrefix("thrum-\(port)=") && cookie.hasSuffix("; Path=/sessions/; Max-Age=3600; HttpOnly; SameSite=Strict"))
            #expect(!cookie.contains("watchers"))
            let held = "Cookie: a=b; \(cookie.prefix { $0 != ";" })\r\n"
            #expect(try status("/sessions/visit.wav", port, held) == "200" && status("/sessions/visit.jsonl", port, held) == "403")
            #expect(try status("/sessions/visit.wav", port, "Cookie: thrum-\(port)=\(String(repeating: "0", count: 64))\r\n") == "403")
            #expect(try !get("/sessions/visit.wav", port, bearer(.watch)).head.contains { $0.hasPrefix("Set-Cookie") })
            grants.replace(with: [])
            #expect(try status("/sessions/visit.wav", port, held) == "403")
        }
    }

    @Test func `a cookie lends no further, is for sound alone, and takes nothing from what pages of this machine may do`() async throws {
        func lent(_ role: Role, _ port: Int) throws -> String {
            let head = try get("/sessions/", port, bearer(role)).head
            let cookie = try #require(head.first { $0.hasPrefix("Set-Cookie: ") }).dropFirst(12)
            return "Cookie: \(cookie.prefix { $0 != ";" })\r\n"
        }
        try await withServer(localRole: nil) { port async throws in
            let operators = try lent(.operator, port)
            let again = try get("/sessions/", port, operators).head
            #expect(again[0] == "HTTP/1.1 200 OK" && !again.contains { $0.hasPrefix("Set-Cookie") })
            #expect(try status("/sessions/visit.wav", port, operators) == "200" && status("/sessions/visit.jsonl", port, operators) == "401")
        }
        try await withServer(localRole: .operator) { port async throws in
            let watchers = try lent(.watch, port)
            #expect(try status("/sessions/visit.jsonl", port, watchers) == "200")
            grants.replace(with: [])
            #expect(try status("/sessions/visit.wav", port, watchers) == "200")
        }
    }

    @Test(arguments: ["cross-site", "same-site", "Same-Origin"])
    func `another site's page gets no recording by a cookie or by being on this machine, and one with a token does`(site: String) async throws {
        let sent = "Sec-Fetch-Site: \(site)\r\n"
        try await withServer(localRole: .operator) { port async throws in
            for path in ["/sessions/", "/sessions/visit.wav", "/sessions/visit.jsonl"] {
                #expect(try status(path, port, sent) == "403", "\(path)")
                #expect(try status(path, port, sent + bearer(.operator)) == "200", "\(path)")
                for own in ["same-origin", "none"] { #expect(try status(path, port, "Sec-Fetch-Site: \(own)\r\n") == "200", "\(path), \(own)") }
            }
        }
        try await withServer(localRole: nil) { port async throws in
            let head = try get("/sessions/", port, bearer(.watch)).head
            let cookie = try #require(head.first { $0.hasPrefix("Set-Cookie: ") }).dropFirst(12).prefix { $0 != ";" }
            #expect(try status("/sessions/visit.wav", port, "Cookie: \(cookie)\r\n") == "200")
            #expect(try status("/sessions/visit.wav", port, "Cookie: \(cookie)\r\n\(sent)") == "403")
        }
    }

    @Test func `nobody on the way keeps a recording, and no browser a journal`() async throws {
        try await withServer(localRole: .operator) { port async throws in
            #expect(try get("/sessions/visit.wav", port).head.contains("Cache-Control: private, no-cache"))
            #expect(try get("/sessions/visit.wav", port, "Range: bytes=0-4\r\n").head.contains("Cache-Control: private, no-cache"))
            #expect(try get("/sessions/visit.jsonl", port).head.contains("Cache-Control: no-store"))
        }
    }

    @Test func `whoever finds no room among those who wait is told when to come again`() throws {
        let loop = EmbeddedEventLoop()
        let desk = RecordingDesk(numbers, by: Workers(threads: 1, room: 0, share: 2), on: loop)
        let recording = try Recording(try PagePath("/visit.wav"))
        let answer = try desk.answer(recording, for: HTTPRequestHead(version: .http1_1, method: .GET, uri: "/sessions/visit.wav"), on: 1).wait()
        #expect(answer.status == .serviceUnavailable && answer.headers["Retry-After"] == ["5"])
    }

    @Test func `a pass is lent eight times at once, and its own oldest loan gives way`() {
        let all = ["wall", "desk"].map { Grant(name: $0, role: .watch, digest: Array($0.utf8)) }
        grants.replace(with: all)
        let now = NIODeadline.uptimeNanoseconds(1_000_000_000)
        let other = grants.lend(all[1], at: now)
        let texts = (0..<9).map { grants.lend(all[0], at: now + .seconds(Int64($0))) }
        #expect(texts.map { grants.grant(lentAs: $0, at: now) != nil } == [false] + Array(repeating: true, count: 8))
        #expect(grants.grant(lentAs: other, at: now) == all[1])
    }

    @Test func `a loan is over after an hour`() {
        let grant = Grant(name: "wall", role: .watch, digest: [1])
        grants.replace(with: [grant])
        let now = NIODeadline.uptimeNanoseconds(1_000_000_000)
        let text = grants.lend(grant, at: now)
        #expect(grants.grant(lentAs: text, at: now + .minutes(59)) == grant)
        #expect(grants.grant(lentAs: text, at: now + .minutes(60)) == nil)
        #expect(grants.grant(lentAs: text + "0", at: now) == nil)
    }

    @Test func `the thirteenth recording at once is put off, and comes when another is over`() async throws {
        try await withServer(localRole: .operator) { port async throws in
            numbers.isHeld.store(true, ordering: .relaxed)
            var waiting: [TCPSocket] = []
            for _ in 0..<12 {
                let connection = try TCPSocket(port: port)
                connection.send("GET /sessions/visit.wav HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                waiting.append(connection)
            }
            // Requests on other connections arrive when they like.
            let isFull = try await eventually { try get("/sessions/none.wav", port).head.contains("Retry-After: 5") }
            #expect(isFull)
            #expect(try get("/sessions/visit.wav", port).head[0] == "HTTP/1.1 503 Service Unavailable")
            waiting.removeLast(2)
            let hasRoom = try await eventually { try status("/sessions/none.wav", port) == "404" }
            #expect(hasRoom, "who has gone makes room")
            numbers.isHeld.store(false, ordering: .relaxed)
            for connection in waiting {
                let answer = try connection.restOfBytes()
                #expect(Array(answer.suffix(200_000)) == (0..<200_000).map(Numbers.byte), "who waits gets all of it")
            }
        }
    }
}

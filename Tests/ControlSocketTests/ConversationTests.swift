import ControlSocket
import Foundation
import NIOCore
import NIOPosix
import Synchronization
import Testing
import TestSupport
import Wire

/// Writes down what it is asked, and answers `status` with 40,000 bytes.
private final class LongAnswers: ControlService {
    let methods = testMethods
    let log = Mutex<[String]>([])

    func connected(_ client: Int, as role: Role, isLocal: Bool, identity: Identity, push: @escaping @Sendable ([UInt8]) -> Bool) {}
    func disconnected(_ client: Int, because departure: Departure) { log.withLock { $0.append("\(departure)") } }

    func answer(_ request: Request, from client: Int, reply: @escaping @Sendable ([UInt8]) -> Void) {
        let name = request.call.name
        log.withLock { $0.append(name) }
        if let id = request.id { reply(Reply.line(result: String(repeating: "x", count: name == "status" ? 40_000 : 2), id: id)) }
    }

    func count(_ name: String) -> Int { log.withLock { $0.count { $0 == name } } }
}

/// What a client leaves unread.
@Suite(.serialized) struct ConversationTests {
    private let status = #"{"jsonrpc":"2.0","id":1,"method":"status"}"#
    private let stop = #"{"jsonrpc":"2.0","id":2,"method":"stop"}"#

    private func withServer(timeout: TimeAmount = .seconds(60), _ body: (String, LongAnswers) async throws -> Void) async throws {
        let scratch = try Scratch()
        let service = LongAnswers()
        let server = try await ControlServer.listen(on: scratch.file("c.sock"), limits: Limits(for: timeout),
                                                    loop: MultiThreadedEventLoopGroup.singleton.next(), service: service)
        try await body(scratch.file("c.sock"), service)
        await server.close()
    }

    @Test func `the answers of a batch take up 128 KiB at most, and what has no room is not worked out`() async throws {
        try await withServer { path, service in
            let client = try LineSocket(path)
            let batch = "[" + Array(repeating: status, count: 62).joined(separator: ",") + ",\(stop)," + status + "]"
            let answer = try client.ask(batch)
            #expect(answer.utf8.count <= 131_072 + 64 * 512)
            let answers = try #require(try JSONSerialization.jsonObject(with: Data(answer.utf8)) as? [[String: Any]])
            #expect(answers.count == 64)
            #expect(answers.count { ($0["result"] as? String)?.count == 40_000 } == 3)
            let refused = answers.compactMap { ($0["error"] as? [String: Any])?["message"] as? String }
            #expect(refused.count == 60 && refused.allSatisfy { $0.contains("no room for the answer") })
            #expect(answers.contains { $0["id"] as? Int == 2 && $0["result"] as? String == "xx" }, "what happens is never called refused")
            #expect(service.count("status") <= 4 && service.count("stop") == 1)
            // It goes on as if nothing had been.
            #expect(try client.ask(status).utf8.count > 40_000)
        }
    }

    @Test func `a client that does not read can still stop, and gets every answer in order when it reads`() async throws {
        try await withServer { path, service in
            let client = try LineSocket(path)
            for _ in 0..<100 { try client.send(status) }
            try client.send(stop)
            #expect(try await eventually { service.count("stop") == 1 })
            // What the socket takes, and two answers more.
            #expect(service.count("status") < 20, "\(service.count("status")) answers to somebody who reads none")
            for _ in 0..<100 { #expect(try client.receive().utf8.count > 40_000) }
            #expect(try client.receive() == #"{"id":2,"jsonrpc":"2.0","result":{}}"#)
            // Others may have begun something since: it is answered, and not done again.
            #expect(service.count("stop") == 1)
        }
    }

    @Test func `a client that does not read, and closes its sending side, lets go at once`() async throws {
        try await withServer { path, service in
            let client = try LineSocket(path)
            for _ in 0..<100 { try client.send(status) }
            client.finishSending()
            #expect(try await eventually { service.count("left") == 2 || service.log.withLock { $0.contains("left") } })
            #expect(service.count("status") < 20)
            for _ in 0..<100 { #expect(try client.receive().utf8.count > 40_000) }
            #expect(throws: LineSocket.Failed.self) { try client.receive() }
        }
    }

    @Test func `a client that does not read for too long counts as gone, and its connection is closed`() async throws {
        try await withServer(timeout: .milliseconds(200)) { path, service in
            let client = try LineSocket(path)
            for _ in 0..<100 { try client.send(status) }
            #expect(try await eventually { service.log.withLock { $0.last == "unread" } })
            #expect(throws: LineSocket.Failed.self) { while true { _ = try client.receive() } }
            #expect(service.count("unread") == 1)
        }
    }

    @Test func `250 connect at once before anybody is let in, and all get in`() async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let scratch = try Scratch()
        let path = scratch.file("c.sock")
        let server = try await ControlServer.listen(on: path, limits: Limits(), loop: group.next(), service: LongAnswers())
        // Nobody is accepted while the loop waits.
        let isOver = DispatchSemaphore(value: 0)
        group.next().execute { isOver.wait() }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let sockets = (0..<250).map { _ in socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0) }
        let refused = sockets.count { descriptor in
            withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
            } != 0
        }
        #expect(refused == 0)
        isOver.signal()
        #expect(try LineSocket(path).ask(stop).contains("xx"))
        for descriptor in sockets { close(descriptor) }
        await server.close()
        try await group.shutdownGracefully()
    }
}

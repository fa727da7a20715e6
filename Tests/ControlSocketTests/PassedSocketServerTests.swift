import ControlSocket
import Foundation
import NIOCore
import NIOPosix
import Testing
import TestSupport
import Wire

/// Answers every request with "ok".
private struct Agreeable: ControlService {
    let methods = testMethods
    func connected(_ client: Int, as role: Role, isLocal: Bool, identity: Identity, push: @escaping @Sendable ([UInt8]) -> Bool) {}
    func disconnected(_ client: Int, because departure: Departure) {}
    func answer(_ request: Request, from client: Int, reply: @escaping @Sendable ([UInt8]) -> Void) {
        if let id = request.id { reply(Reply.line(result: "ok", id: id)) }
    }
}

@Suite struct PassedSocketServerTests {
    @Test func `a socket that somebody else listens on is served as it is, and left as it was`() async throws {
        let scratch = try Scratch()
        let path = scratch.file("c.sock")
        let theirs = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(theirs) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(theirs, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
        }
        #expect(status == 0 && chmod(path, 0o640) == 0 && listen(theirs, 8) == 0)
        // Nobody accepts yet, and two have something to say; one of them is gone already.
        let early = try LineSocket(path)
        try early.send(#"{"jsonrpc":"2.0","id":1,"method":"status"}"#)
        try LineSocket(path).send(#"{"jsonrpc":"2.0","id":1,"method":"status"}"#)

        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let server = try await ControlServer.listen(onPassed: dup(theirs), at: path, limits: Limits(line: 1024), loop: loop, service: Agreeable())
        #expect(try early.receive() == #"{"id":1,"jsonrpc":"2.0","result":"ok"}"#)
        #expect(try early.ask(String(repeating: "x", count: 2_000)).contains("a line has at most 1024 bytes"))
        #expect(try LineSocket(path).call("status").contains("ok"))
        await server.close()

        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o640)
        // Whoever comes now waits for the next server.
        let late = try LineSocket(path)
        try late.send(#"{"jsonrpc":"2.0","id":1,"method":"status"}"#)
        let next = try await ControlServer.listen(onPassed: dup(theirs), at: path, limits: Limits(), loop: loop, service: Agreeable())
        #expect(try late.receive().contains("ok"))
        await next.close()
    }
}

import ControlSocket
import Files
import Foundation
import NIOCore
import NIOPosix
import Signals
import Testing
import TestSupport
import Wire

/// Says how many clients it has, and that everything is fine.
private final class Doorman: ControlService {
    let methods = testMethods
    func connected(_ client: Int, as role: Role, isLocal: Bool, identity: Identity, push: @escaping @Sendable ([UInt8]) -> Bool) {}
    func disconnected(_ client: Int, because departure: Departure) {}

    func answer(_ request: Request, from client: Int, reply: @escaping @Sendable ([UInt8]) -> Void) {
        if let id = request.id { reply(Reply.line(result: "fine", id: id)) }
    }
}

/// A socket that is bound to a path, and that nobody listens on.
private func bound(_ path: String) -> CInt {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let status = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
    }
    #expect(status == 0)
    return descriptor
}

private let loop = MultiThreadedEventLoopGroup.singleton.next()

private func serve(_ path: String, makesDirectory: Bool = false, access: PeerAccess = PeerAccess()) async throws -> ControlServer {
    try await ControlServer.listen(on: path, makesDirectory: makesDirectory, access: access, limits: Limits(), loop: loop, service: Doorman())
}

private func mode(_ path: String) throws -> Int? { try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int }

@Suite(.serialized) struct SocketFileTests {
    @Test func `whoever has the lock has the socket, also before it listens; without the lock such a socket is left over`() async throws {
        let scratch = try Scratch()
        let path = scratch.file("c.sock")
        // Another daemon, between its bind and its listen.
        var lock = try FileLock.take(path + ".lock")
        #expect(lock != nil)
        let other = bound(path)
        defer { close(other) }
        await #expect(throws: ControlSocketError.inUse(path)) { _ = try await serve(path) }
        #expect(FileManager.default.fileExists(atPath: path))
        lock = nil
        let server = try await serve(path)
        #expect(try LineSocket(path).call("status").contains("fine"))
        await server.close()
        #expect(try scratch.contents == ["c.sock.lock"])
    }

    @Test func `a removed lock is made again, and the socket stays as it is`() async throws {
        let scratch = try Scratch()
        let path = scratch.file("c.sock")
        let server = try await serve(path)
        let client = try LineSocket(path)
        try FileManager.default.removeItem(atPath: path + ".lock")
        #expect(try await server.mend() == false)
        #expect(try FileLock.take(path + ".lock") == nil, "nobody else can have it")
        #expect(try client.call("status").contains("fine"))
        #expect(try LineSocket(path).call("status").contains("fine"))
        #expect(try await server.mend() == false)
        await server.close()
    }

    @Test func `a removed file is made again with its mode, and whoever was connected stays`() async throws {
        let scratch = try Scratch()
        let path = scratch.file("c.sock")
        let server = try await serve(path, access: PeerAccess(group: getegid()))
        let client = try LineSocket(path)
        #expect(try client.call("status").contains("fine"))
        #expect(try await !server.mend())
        #expect(unlink(path) == 0)
        #expect(try await server.mend())
        #expect(try mode(path) == 0o660)
        #expect(try LineSocket(path).call("status").contains("fine"))
        #expect(try client.call("status").contains("fine"))
        #expect(try await !server.mend())
        await server.close()
        #expect(try scratch.contents == ["c.sock.lock"])
    }

    @Test func `while its file is gone nobody else gets the path, and it is not gone for good`() async throws {
        let scratch = try Scratch()
        let path = scratch.file("c.sock")
        let server = try await serve(path)
        #expect(unlink(path) == 0)
        await #expect(throws: ControlSocketError.inUse(path)) { _ = try await serve(path) }
        #expect(try await server.mend())
        #expect(try LineSocket(path).call("status").contains("fine"))
        await server.close()
    }

    @Test func `what somebody puts in its place is not removed, whatever it is, and told`() async throws {
        let scratch = try Scratch()
        let path = scratch.file("c.sock")
        let server = try await serve(path)
        #expect(unlink(path) == 0)
        _ = try scratch.write("mine", to: "c.sock")
        for _ in 1...2 { await #expect(throws: ControlSocketError.notASocket(path)) { _ = try await server.mend() } }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "mine")
        #expect(unlink(path) == 0)
        // Somebody else's socket that is listened on.
        let other = bound(path)
        #expect(listen(other, 1) == 0)
        await #expect(throws: ControlSocketError.inUse(path)) { _ = try await server.mend() }
        close(other)
        #expect(try await server.mend())
        await server.close()
    }

    @Test func `a directory that it made is made again, and one that was there is not`() async throws {
        let scratch = try Scratch()
        let path = scratch.file("thrum/c.sock")
        let server = try await serve(path, makesDirectory: true)
        #expect(try mode(scratch.file("thrum")) == 0o700)
        try FileManager.default.removeItem(atPath: scratch.file("thrum"))
        #expect(try await server.mend())
        #expect(try mode(scratch.file("thrum")) == 0o700)
        #expect(try LineSocket(path).call("status").contains("fine"))
        // Its lock is another by now, and still keeps others out.
        await #expect(throws: ControlSocketError.inUse(path)) { _ = try await serve(path) }
        await server.close()
        try FileManager.default.removeItem(atPath: scratch.file("thrum"))
        await #expect(throws: ControlSocketError.refused(path + ".lock", errno: ENOENT)) { _ = try await serve(path) }
    }

    @Test func `when the lock's file was removed and another took the path, both know who has it`() async throws {
        let scratch = try Scratch()
        let path = scratch.file("c.sock")
        let server = try await serve(path)
        for name in try scratch.contents { #expect(unlink(scratch.file(name)) == 0) }
        let usurper = try await serve(path)
        await #expect(throws: ControlSocketError.inUse(path)) { _ = try await server.mend() }
        #expect(try LineSocket(path).call("status").contains("fine"))
        await usurper.close()
        #expect(try await server.mend())
        await server.close()
    }

    @Test func `the service manager's socket is replaced when its file is removed, with its mode, and told; and two cannot share it`() async throws {
        let scratch = try Scratch()
        let path = scratch.file("c.sock")
        let theirs = bound(path)
        defer { close(theirs) }
        #expect(chmod(path, 0o660) == 0 && listen(theirs, 8) == 0)
        let server = try await ControlServer.listen(onPassed: dup(theirs), at: path, limits: Limits(), loop: loop, service: Doorman())
        let client = try LineSocket(path)
        #expect(try client.call("status").contains("fine"))
        await #expect(throws: ControlSocketError.inUse(path)) {
            _ = try await ControlServer.listen(onPassed: dup(theirs), at: path, limits: Limits(), loop: loop, service: Doorman())
        }
        #expect(server.issue == nil)
        #expect(unlink(path) == 0)
        #expect(try await server.mend())
        #expect(try mode(path) == 0o660)
        #expect(server.issue?.contains(path) == true)
        #expect(try LineSocket(path).call("status").contains("fine"))
        #expect(try client.call("status").contains("fine"))
        await server.close()
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func `a socket that was passed in a directory in which no lock can be made is served all the same`() async throws {
        let scratch = try Scratch()
        let path = scratch.file("c.sock")
        let theirs = bound(path)
        defer { close(theirs) }
        #expect(listen(theirs, 8) == 0)
        // Also for root, who may write anywhere, there is no lock in a directory of that name.
        try FileManager.default.createDirectory(atPath: path + ".lock", withIntermediateDirectories: false)
        let server = try await ControlServer.listen(onPassed: dup(theirs), at: path, limits: Limits(), loop: loop, service: Doorman())
        #expect(try LineSocket(path).call("status").contains("fine"))
        #expect(try await !server.mend())
        await server.close()
        #expect(FileManager.default.fileExists(atPath: path))
    }
}

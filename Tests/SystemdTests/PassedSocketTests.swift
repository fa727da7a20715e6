import Fields
import Foundation
import Signals
@testable import Systemd
import Testing
import TestSupport

/// Far from what the test's own process has open.
private let first: CInt = 1_000

/// A socket at a path or an abstract name, which begins with `@`; listened on if its type can be.
private func makeSocket(_ path: String, type: __socket_type = SOCK_STREAM) -> CInt {
    let descriptor = socket(AF_UNIX, Int32(type.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { field in
        field.copyBytes(from: path.utf8)
        if path.hasPrefix("@") { field[0] = 0 }
    }
    _ = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            bind(descriptor, $0, socklen_t(MemoryLayout<sa_family_t>.size + path.utf8.count))
        }
    }
    if type == SOCK_STREAM { listen(descriptor, 8) }
    return descriptor
}

/// What is found when `descriptors` are where a manager would put them, and the variables say so.
private func pass(_ descriptors: [CInt], process: String = "\(getpid())", count: String? = nil, names: String? = nil) throws -> [PassedSocket] {
    for (index, descriptor) in descriptors.enumerated() { #expect(dup2(descriptor, first + CInt(index)) >= 0) }
    defer { for index in descriptors.indices { close(first + CInt(index)) } }
    var variables = ["LISTEN_PID": process, "LISTEN_FDS": count ?? "\(descriptors.count)"]
    variables["LISTEN_FDNAMES"] = names
    let sockets = try PassedSocket.takeAll(variables, from: first)
    for socket in sockets { #expect(fcntl(socket.descriptor, F_GETFD) & FD_CLOEXEC != 0) }
    return sockets
}

// The descriptors are the whole process's.
@Suite(.serialized) struct PassedSocketTests {
    @Test func `sockets have the manager's names, their descriptors and their paths`() throws {
        let scratch = try Scratch()
        let (file, abstract) = (makeSocket(scratch.file("c.sock")), makeSocket("@" + scratch.file("a")))
        defer { close(file); close(abstract) }
        let sockets = try pass([file, abstract], names: "thrumd.socket:second")
        #expect(sockets.map(\.name) == ["thrumd.socket", "second"])
        #expect(sockets.map(\.descriptor) == [first, first + 1])
        #expect(sockets.map(\.path) == [scratch.file("c.sock"), "@" + scratch.file("a")])
        #expect(try pass([file]).map(\.name) == ["unknown"])
    }

    @Test func `what is not there, or meant for another process, is none`() throws {
        let scratch = try Scratch()
        let file = makeSocket(scratch.file("c.sock"))
        defer { close(file) }
        #expect(try PassedSocket.takeAll([:]).isEmpty)
        #expect(try pass([file], process: "1").isEmpty)
        #expect(try pass([file], process: "").isEmpty)
        #expect(try pass([file], count: "0").isEmpty)
    }

    @Test func `what is no Unix stream socket that is listened on is refused with its descriptor`() throws {
        let scratch = try Scratch()
        let listening = makeSocket(scratch.file("c.sock"))
        let datagrams = makeSocket(scratch.file("d.sock"), type: SOCK_DGRAM)
        let bound = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        let network = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        let file = open("/dev/null", O_RDONLY)
        defer { [listening, datagrams, bound, network, file].forEach { close($0) } }
        #expect(listen(network, 8) == 0)
        for wrong in [datagrams, bound, network, file] {
            let fault = #expect(throws: Fault.self) { try pass([listening, wrong], names: "good:bad") }
            #expect(fault?.field == "LISTEN_FDS")
            #expect(fault?.description.contains("descriptor \(first + 1), found something else, named \"bad\"") == true)
        }
        #expect(throws: Fault.self) { try pass([listening], count: "2") }
    }

    @Test(arguments: ["many", "-1", "2147483647", "1 "])
    func `a number that is none is refused`(count: String) {
        let fault = #expect(throws: Fault.self) { try pass([], count: count) }
        #expect(fault == Fault(field: "LISTEN_FDS", expected: "a whole number from 0 to 1024", found: "\"\(count)\""))
    }

    @Test func `more or fewer names than sockets are refused`() throws {
        let scratch = try Scratch()
        let file = makeSocket(scratch.file("c.sock"))
        defer { close(file) }
        #expect(throws: Fault.self) { try pass([file], names: "a:b") }
        #expect(throws: Fault.self) { try pass([file, file], names: "a") }
    }

    @Test func `no program that is started takes them for its own`() async {
        await #expect(processExitsWith: .success) {
            let names = ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"]
            for name in names { setenv(name, "1", 1) }
            _ = try PassedSocket.takeAll(ProcessInfo.processInfo.environment)
            exit(names.allSatisfy { getenv($0) == nil } ? 0 : 1)
        }
    }
}

import ControlSocket
import Foundation
import NIOCore
import NIOPosix
import Signals
import Synchronization
import Testing
import TestSupport
import Wire

/// Writes down what it is told, and answers with the method's name.
private final class Recorder: ControlService {
    let methods = testMethods
    let log = Mutex<[String]>([])
    let loop = MultiThreadedEventLoopGroup.singleton.next()
    /// Answers that wait for the next question, or for their client to have nothing more to say.
    private let late = Mutex<[@Sendable () -> Void]>([])

    func connected(_ client: Int, as role: Role, isLocal: Bool, identity: Identity, push: @escaping @Sendable ([UInt8]) -> Bool) {
        log.withLock { $0.append("+\(client)") }
    }
    func disconnected(_ client: Int, because departure: Departure) {
        log.withLock { $0.append("-\(client)") }
        loop.execute { self.answerLate() }
    }

    func refused(_ error: ErrorReply, to client: Int) { log.withLock { $0.append("\(client) refused: \(error.message)") } }

    func answer(_ request: Request, from client: Int, reply: @escaping @Sendable ([UInt8]) -> Void) {
        log.withLock { $0.append("\(client): \(request.call.name)") }
        guard let id = request.id else { return }
        let answer = Reply.line(result: "ok", id: id)
        // A chime is answered later than it is asked for.
        if case .event(.chime, _) = request.call { return late.withLock { $0.append { reply(answer) } } }
        reply(answer)
        answerLate()
    }

    private func answerLate() {
        let answers = late.withLock { late in
            defer { late = [] }
            return late
        }
        for answer in answers { answer() }
    }
}

private func withServer(_ access: PeerAccess = PeerAccess(), _ limits: Limits = Limits(), _ body: (String, Recorder) async throws -> Void) async throws {
    let scratch = try Scratch()
    let recorder = Recorder()
    let server = try await ControlServer.listen(on: scratch.file("c.sock"), access: access, limits: limits,
                                                loop: recorder.loop, service: recorder)
    try await body(scratch.file("c.sock"), recorder)
    await server.close()
}

private func ask(_ path: String, _ lines: [[UInt8]], answers: Int) async throws -> [String] {
    try await ControlClient.connect(to: path).run { exchange in
        for line in lines { try await exchange.send(line) }
        var texts: [String] = []
        for _ in 0..<answers { texts.append(String(decoding: try await exchange.receive() ?? [], as: UTF8.self)) }
        return texts
    }
}

private func unixAddress(_ path: String) -> sockaddr_un {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    return address
}

private func connect(_ descriptor: Int32, to path: String) -> Bool {
    var address = unixAddress(path)
    return withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0 }
    }
}

private func line(_ text: String) -> [UInt8] { Array(text.utf8) }

@Suite(.serialized) struct ControlServerTests {
    @Test func `a refused notification gets no answer, and the service is told why, but of nothing that is answered`() async throws {
        try await withServer { path, recorder in
            let answers = try await ask(path, [
                line(#"{"jsonrpc":"2.0","method":"fly"}"#), line(#"{"jsonrpc":"2.0","method":"tone","params":{"frequency":6000}}"#),
                line(#"[{"jsonrpc":"2.0","method":"chime.play"},{"jsonrpc":"2.0","id":1,"method":"chime.play"}]"#), line("garbage"),
                line(#"{"jsonrpc":"2.0","id":2,"method":"fly"}"#),
            ], answers: 3)
            #expect(answers[0].contains("-32602") && answers[1].contains("-32700") && answers[2].contains("-32601"))
            let refused = recorder.log.withLock { $0.filter { $0.contains("refused") } }
            #expect(refused.count == 3)
            #expect(refused[0].contains("unknown method \"fly\"") && refused[2].contains("name: expected"), "\(refused)")
            #expect(refused[1].hasSuffix("refused: frequency: expected a number from 20 to 5000 (Hz), found 6000"), "\(refused)")
        }
    }

    @Test func `whatever is thrown at it gets its error, and the connection goes on`() async throws {
        try await withServer { path, _ in
            let huge = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20)
            let answers = try await ask(path, [
                line("garbage"), huge, [0xFF, 0x00, 0xFE], line(#"{"jsonrpc":"2.0","id":1,"method":"fly"}"#),
                line(#"{"jsonrpc":"2.0","id":2,"method":"tone","params":{"frequency":NaN}}"#), line(""), line("   "),
                line(#"{"jsonrpc":"2.0","method":"stop"}"#), line(#"{"jsonrpc":"2.0","id":3,"method":"stop"}"#),
            ], answers: 6)
            #expect(answers[0].contains("-32700"))
            #expect(answers[1].contains("-32600") && answers[1].contains("65536 bytes"))
            #expect(answers[2].contains("-32700"))
            #expect(answers[3].contains("-32601") && answers[3].contains(#""field":"method""#))
            #expect(answers[4].contains("-32602") && answers[4].contains(#""field":"frequency""#))
            #expect(answers[5] == #"{"id":3,"jsonrpc":"2.0","result":"ok"}"#)
        }
    }

    @Test func `a client is heard of from its first moment to its last`() async throws {
        try await withServer { path, recorder in
            _ = try await ask(path, [line(#"{"jsonrpc":"2.0","id":1,"method":"status"}"#)], answers: 1)
            #expect(try await eventually { recorder.log.withLock { $0.last == "-1" } })
            #expect(recorder.log.withLock { $0 } == ["+1", "1: status", "-1"])
        }
    }

    @Test func `only the owner may connect`() async throws {
        try await withServer { path, _ in
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
    }

    @Test func `a group is let in by the file, and a line, a rate and so many clients are the limits set`() async throws {
        try await withServer(PeerAccess(group: getegid()), Limits(clients: 2, line: 1024, rate: 2)) { path, recorder in
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect(attributes[.posixPermissions] as? Int == 0o660)
            let request = #"{"jsonrpc":"2.0","id":1,"method":"status"}"#, stop = #"{"jsonrpc":"2.0","id":2,"method":"stop"}"#
            let touch = line(#"{"jsonrpc":"2.0","id":3,"method":"touch","params":{"phase":"began"}}"#)
            do {
                let client = try LineSocket(path)
                // In one piece: what is read together is asked at one moment.
                try client.send([request + String(repeating: " ", count: 1_000), request, request, stop].joined(separator: "\n"))
                let answers = try (0..<4).map { _ in try client.receive() }
                #expect(answers[0].contains("a line has at most 1024 bytes") && answers[1].contains(#""result""#))
                #expect(answers[2].contains("more than 2 requests a second (max-rate)") && answers[2].contains(#""id":1"#))
                #expect(answers[3].contains(#""result""#), "stop is always allowed")
            }
            do {
                // As many as in a second, and no more, however long nothing was asked.
                let patient = try LineSocket(path)
                try await Task.sleep(for: .milliseconds(2_500))
                try patient.send(Array(repeating: request, count: 8).joined(separator: "\n"))
                let granted = try (0..<8).map { _ in try patient.receive() }.count { $0.contains(#""result""#) }
                #expect((2...3).contains(granted))
            }
            #expect(try await eventually { recorder.log.withLock { log in log.count { $0.hasPrefix("-") } == 2 } })
            try await ControlClient.connect(to: path).run { _ in
                try await ControlClient.connect(to: path).run { second in
                    try await second.send(line(request))
                    _ = try await second.receive()
                    let third = try await ask(path, [touch, line(request), line(stop)], answers: 3)
                    #expect(third[0].contains("2 clients are connected already: this one may only watch, and stop"))
                    #expect(third[1...].allSatisfy { $0.contains(#""result""#) })
                    // Eight such; with one more, the one that came first goes, so that nobody who comes to stop is turned away.
                    let watchers = (0..<8).map { _ in socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0) }
                    defer { watchers.forEach { close($0) } }
                    for watcher in watchers { #expect(connect(watcher, to: path)) }
                    for _ in 0..<20 { #expect(try LineSocket(path).call("stop").contains(#""result""#)) }
                    var byte: UInt8 = 0
                    #expect(recv(watchers[0], &byte, 1, 0) == 0, "closed")
                }
            }
        }
    }

    @Test func `a socket somebody listens on is refused, a stale one replaced, a file left alone`() async throws {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        try await withServer { path, _ in
            await #expect(throws: ControlSocketError.inUse(path)) {
                _ = try await ControlServer.listen(on: path, limits: Limits(), loop: loop, service: Recorder())
            }
            // The one that listens is none the worse for it.
            _ = try await ask(path, [line(#"{"jsonrpc":"2.0","id":1,"method":"status"}"#)], answers: 1)
        }
        let scratch = try Scratch()
        let stale = scratch.file("stale.sock")
        // A socket whose owner was killed: bound, and nobody there any more.
        let bound = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = unixAddress(stale)
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(bound, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
        }
        close(bound)
        #expect(status == 0 && FileManager.default.fileExists(atPath: stale))
        let server = try await ControlServer.listen(on: stale, limits: Limits(), loop: loop, service: Recorder())
        _ = try await ask(stale, [line(#"{"jsonrpc":"2.0","id":1,"method":"status"}"#)], answers: 1)
        await server.close()
        #expect(!FileManager.default.fileExists(atPath: stale))

        let file = try scratch.write("precious", to: "file")
        await #expect(throws: ControlSocketError.notASocket(file)) {
            _ = try await ControlServer.listen(on: file, limits: Limits(), loop: loop, service: Recorder())
        }
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "precious")
    }

    @Test func `a client that never reads its answers is not listened to any more, and others are`() async throws {
        try await withServer { path, _ in
            let deaf = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            defer { close(deaf) }
            #expect(connect(deaf, to: path))
            // Up to 64 MiB of requests, until the server takes no more for a second.
            let burst = line(String(repeating: #"{"jsonrpc":"2.0","id":1,"method":"status"}"# + "\n", count: 1000))
            var taken = 0
            var refusals = 0
            while taken < 64 << 20, refusals < 100 {
                let count = send(deaf, burst, burst.count, Int32(MSG_DONTWAIT))
                taken += max(0, count)
                refusals = count > 0 ? 0 : refusals + 1
                if count <= 0 { try await Task.sleep(for: .milliseconds(10)) }
            }
            #expect(taken < 16 << 20, "\(taken) bytes were taken from a client that reads nothing")
            _ = try await ask(path, [line(#"{"jsonrpc":"2.0","id":1,"method":"status"}"#)], answers: 1)
        }
    }

    @Test func `an answer may come later than the question, and after the answers to others`() async throws {
        try await withServer { path, _ in
            let answers = try await ask(path, [
                line(#"{"jsonrpc":"2.0","id":1,"method":"chime.play","params":{"name":"ding"}}"#),
                line(#"{"jsonrpc":"2.0","id":2,"method":"stop"}"#),
            ], answers: 2)
            #expect(answers == [#"{"id":2,"jsonrpc":"2.0","result":"ok"}"#, #"{"id":1,"jsonrpc":"2.0","result":"ok"}"#])
        }
    }

    @Test func `a client that has closed its sending side is gone, and still gets its answers`() async throws {
        try await withServer { path, recorder in
            let client = try LineSocket(path)
            try client.send(#"{"jsonrpc":"2.0","id":1,"method":"chime.play","params":{"name":"ding"}}"#)
            client.finishSending()
            #expect(try client.receive() == #"{"id":1,"jsonrpc":"2.0","result":"ok"}"#)
            #expect(throws: LineSocket.Failed.self) { try client.receive() }
            #expect(recorder.log.withLock { $0.last?.first } == "-")
        }
    }
}

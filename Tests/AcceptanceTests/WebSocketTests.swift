import Foundation
import Testing
import TestSupport

@Suite struct WebSocketTests {
    private let port = freePort()

    private func daemon(_ arguments: String...) async throws -> Daemon {
        try await Daemon(["--output", "null", "--http", "\(port)"] + arguments)
    }

    @Test func `a page plays a touch, and is told of it`() async throws {
        let daemon = try await daemon("--http-origins", "http://localhost:8080, null")
        let page = try WebSocketClient(port: port, origin: "http://localhost:8080")
        #expect(page.isOpen, "\(page.answer)")
        try page.send(#"{"jsonrpc":"2.0","id":1,"method":"subscribe","params":{"topics":["session"]}}"#)
        #expect(try page.receive().text.contains(#""topics":["session"]"#))
        // A message in pieces, over more than one line.
        try page.send(#"{"jsonrpc":"2.0","id":2,"method":"touch","#, "\n", #""params":{"phase":"began"}}"#)
        let told = [try page.receive(), try page.receive()]
        #expect(told.contains { $0.text == #"{"id":2,"jsonrpc":"2.0","result":{"frame":0}}"# }, "\(told)")
        #expect(told.contains { $0.text.contains(#""method":"session","params":{"number":1,"phase":"began""#) }, "\(told)")
        #expect(told.allSatisfy { $0.opcode == 1 })
        #expect(try daemon.isHeld)
        try page.frame(opcode: 9, Array("hello".utf8))
        let pong = try page.receive()
        #expect(pong.opcode == 10 && pong.text == "hello")
        // Its end is answered, and what it held is let go.
        try page.frame(opcode: 8, [0x03, 0xE8])
        #expect(try page.receive().opcode == 8)
        #expect(try await eventually { try !daemon.isHeld })
        #expect(daemon.terminate() == 0)
    }

    @Test func `a page that goes without a word lets go, too`() async throws {
        let daemon = try await daemon("--http-origins", "null")
        do {
            let page = try WebSocketClient(port: port, origin: "null")
            try page.send(#"{"jsonrpc":"2.0","id":1,"method":"touch","params":{"phase":"began"}}"#)
            _ = try page.receive()
            #expect(try daemon.isHeld)
        }
        #expect(try await eventually { try !daemon.isHeld })
        #expect(daemon.terminate() == 0)
    }

    @Test func `a page of another origin is refused, whatever it asks for`() async throws {
        let daemon = try await daemon("--http-origins", "http://localhost:8080")
        for origin in ["http://evil.example", "http://localhost:8081", "null", "http://127.0.0.1"] {
            let stranger = try WebSocketClient(port: port, origin: origin)
            #expect(stranger.answer.hasPrefix("HTTP/1.1 403 "), "\(origin): \(stranger.answer)")
        }
        for origin in ["http://localhost:8080", "http://127.0.0.1:\(port)", "https://127.0.0.1:\(port)", nil] {
            #expect(try WebSocketClient(port: port, origin: origin).isOpen, "\(origin ?? "none")")
        }
        #expect(try WebSocketClient(port: port, headers: ["Authorization: Bearer 5f0c"]).answer.hasPrefix("HTTP/1.1 401 "))
        // Told to whoever looks why a page does not work.
        let refused = ["clients": 0, "hosts": 0, "notifications": 0, "origins": 4, "rates": 0, "tokens": 1]
        #expect(try await eventually { try daemon.status()["refused"] as? [String: Int] == refused })
        #expect(try thrum("status", "--socket", daemon.socket).text.contains("\nrefused  requests over HTTP: origin 4, token 1\n"))
        let log = daemon.process.errors
        #expect(log.contains("a request over HTTP was refused") && log.contains("http://evil.example"), "\(log)")
        #expect(log.contains("this token is unknown, or was revoked") && !log.contains("5f0c"), "\(log)")
        #expect(daemon.terminate() == 0)
    }

    @Test func `whatever a page sends, it gets an error or is closed, and nobody else notices`() async throws {
        let daemon = try await daemon()
        let client = try LineSocket(daemon.socket)
        _ = try client.call("touch", #"{"phase":"began"}"#)
        let page = try WebSocketClient(port: port)
        for message in ["", "garbage", "[]", #"{"jsonrpc":"2.0","id":1,"method":"fly"}"#] {
            try page.send(message)
            if !message.isEmpty { #expect(try page.receive().text.contains(#""error""#), "\(message)") }
        }
        try page.frame(opcode: 2, [1, 2, 3])
        #expect(try page.receive().opcode == 8)
        let flooder = try WebSocketClient(port: port)
        for piece in 0..<3 { try? flooder.frame(opcode: piece == 0 ? 1 : 0, isLast: false, [UInt8](repeating: 32, count: 60_000)) }
        #expect(throws: WebSocketClient.Failed.self) { while true { _ = try flooder.receive() } }
        #expect(try daemon.isHeld)
        #expect(try await eventually { try client.call("status").contains(#""clients":1,"#) })
        #expect(daemon.terminate() == 0)
    }

    /// RFC 6455, sections 5.1 and 8.1; 1002 is a protocol error, 1007 data that is not what it says.
    @Test func `what is not masked, or is no UTF-8, ends the connection with its code`() async throws {
        let daemon = try await daemon()
        let bare = try WebSocketClient(port: port)
        try bare.frame(opcode: 1, isMasked: false, Array(#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#.utf8))
        #expect(try bare.receiveFrame() == (8, [0x03, 0xEA]))
        let garbled = try WebSocketClient(port: port)
        try garbled.frame(opcode: 1, [0xFF, 0xFE])
        #expect(try garbled.receiveFrame() == (8, [0x03, 0xEF]))
        #expect(daemon.terminate() == 0)
    }

    /// RFC 6455, sections 5.2 and 5.5: reserved bits and kinds of frames mean nothing without an extension, and there is none.
    @Test(arguments: [0x40, 0x20, 0x10, 0x03, 0x0B] as [UInt8])
    func `a frame with a reserved bit, or of a reserved kind, ends the connection with code 1002`(bits: UInt8) async throws {
        let daemon = try await daemon()
        let page = try WebSocketClient(port: port)
        try page.frame(opcode: bits > 0x0F ? bits | 1 : bits, Array(#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#.utf8))
        #expect(try page.receiveFrame() == (8, [0x03, 0xEA]))
        #expect(daemon.terminate() == 0)
    }

    /// RFC 6455, section 4.2.1. The first is a good one.
    @Test(arguments: [
        ("GET", "HTTP/1.1", "Host: localhost", "dGhlIHNhbXBsZSBub25jZQ==", "13", "101"), ("POST", "HTTP/1.1", "Host: localhost", "dGhlIHNhbXBsZSBub25jZQ==", "13", "405"),
        ("GET", "HTTP/1.0", "Host: localhost", "dGhlIHNhbXBsZSBub25jZQ==", "13", "400"), ("GET", "HTTP/1.1", "A: b", "dGhlIHNhbXBsZSBub25jZQ==", "13", "400"),
        ("GET", "HTTP/1.1", "Host: localhost", "c2hvcnQ=", "13", "400"), ("GET", "HTTP/1.1", "Host: localhost", "no base64 of 16 bytes!!!", "13", "400"),
        ("GET", "HTTP/1.1", "Host: localhost", "dGhlIHNhbXBsZSBub25jZSB0aGF0IGlzIGxvbmc=", "13", "400"), ("GET", "HTTP/1.1", "Host: localhost", "dGhlIHNhbXBsZSBub25jZQ==", "8", "426"),
    ])
    func `a handshake that is not by the book is refused`(method: String, version: String, host: String, key: String, draft: String,
                                                          status: String) async throws {
        let daemon = try await daemon()
        let answer = try TCPSocket(port: port).ask("""
            \(method) /socket \(version)\r
            \(host)\r
            Upgrade: websocket\r
            Connection: Upgrade\r
            Sec-WebSocket-Key: \(key)\r
            Sec-WebSocket-Version: \(draft)\r
            \r

            """)
        #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(answer)")
        #expect(daemon.terminate() == 0)
    }

    @Test func `those who connect and say nothing keep no page out`() async throws {
        let daemon = try await daemon()
        let silent = try (0..<200).map { _ in try TCPSocket(port: port) }
        let page = try WebSocketClient(port: port)
        #expect(page.isOpen, "\(page.answer)")
        withExtendedLifetime(silent) {}
        #expect(daemon.terminate() == 0)
    }

    @Test func `a flood of frames that are no messages ends the connection, and no memory is taken up by their answers`() async throws {
        let daemon = try await daemon()
        let page = try WebSocketClient(port: port)
        // It reads nothing, until it is told why (1008) and cut off.
        var sent = 0
        while sent < 100_000, (try? page.frame(opcode: 9, [UInt8](repeating: 0, count: 125))) != nil { sent += 1 }
        #expect(sent < 100_000)
        #expect(try LineSocket(daemon.socket).call("status").contains(#""clients":1,"#))
        #expect(daemon.terminate() == 0)
    }

    @Test func `a port that is taken is an issue until it is free`() async throws {
        let daemon = try await daemon()
        let second = try await Daemon(["--output", "null", "--http", "\(port)"])
        func issues() throws -> [String] { try second.status()["issues"] as? [String] ?? [] }
        let first = try issues().first ?? ""
        #expect(first.contains("127.0.0.1:\(port): Address already in use"), "\(first)")
        #expect(daemon.terminate() == 0)
        // Tried again every five seconds.
        #expect(try await eventually { try issues().isEmpty })
        _ = try WebSocketClient(port: port)
        #expect(second.terminate() == 0)
    }
}

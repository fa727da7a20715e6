import Foundation
import Testing
import TestSupport

/// Recorded sessions over HTTP, at a real thrumd: what comes is what `thrum render` writes, to the byte.
@Suite struct RecordingsOverHTTPTests {
    private static let name = "2026-01-02T10-00-00Z"
    private let daemon: Daemon
    private let port = freePort()
    /// The WAV that `thrum render` writes.
    private let rendered: [UInt8]

    init() async throws {
        daemon = try await Daemon(["--output", "null", "--experience", "colorscroller", "--http", "\(port)", "--http-local-role", "none"])
        let scratch = daemon.scratch
        try FileManager.default.createDirectory(atPath: scratch.file("sessions"), withIntermediateDirectories: true)
        let journal = scratch.file("sessions/\(Self.name).jsonl")
        let made = try run(Programs.thrum, ["simulate", "--seed", "5", "--turns", "120", "-o", journal])
        try #require(made.status == 0, "\(made.errors)")
        let render = try run(Programs.thrum, ["render", journal, "-o", scratch.file("rendered.wav")])
        try #require(render.status == 0, "\(render.errors)")
        rendered = Array(try Data(contentsOf: URL(fileURLWithPath: scratch.file("rendered.wav"))))
    }

    private var scratch: Scratch { daemon.scratch }

    private func token(_ role: String) throws -> String {
        let made = try run(Programs.thrum, ["token", "add", "a-\(role)", "--role", role, "--socket", daemon.socket])
        try #require(made.status == 0, "\(made.errors)")
        return made.text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private func ask(_ path: String, _ token: String?, range: Range<Int>? = nil) throws -> TCPSocket {
        let connection = try TCPSocket(port: port)
        let lines = ["GET \(path) HTTP/1.1", "Host: localhost", "Connection: close"] + (token.map { ["Authorization: Bearer \($0)"] } ?? [])
            + (range.map { ["Range: bytes=\($0.lowerBound)-\($0.upperBound - 1)"] } ?? [])
        connection.send(lines.joined(separator: "\r\n") + "\r\n\r\n")
        return connection
    }

    /// The status and the body.
    private func answer(_ connection: TCPSocket) throws -> (status: Int?, body: [UInt8]) {
        let answer = try connection.restOfBytes()
        let end = try #require(answer.firstRange(of: Array("\r\n\r\n".utf8)))
        return (Int(String(decoding: answer[9..<12], as: UTF8.self)), Array(answer[end.upperBound...]))
    }

    @Test func `sound and journal come to the byte, in any part, and other programs read them`() throws {
        let operated = try token("operator"), sound = "/sessions/\(Self.name).wav"
        let whole = try answer(ask(sound, operated))
        #expect(whole.status == 200 && whole.body == rendered)
        var dice = Dice(3)
        for _ in 0..<200 {
            let first = dice.roll(rendered.count)
            let range = first..<min(rendered.count, first + 1 + dice.roll(100_000))
            let part = try answer(ask(sound, operated, range: range))
            #expect(part.status == 206 && part.body == Array(rendered[range]), "\(range)")
        }
        let journal = try answer(ask("/sessions/\(Self.name).jsonl", operated))
        #expect(journal.status == 200)
        #expect(try Data(journal.body) == Data(contentsOf: URL(fileURLWithPath: scratch.file("sessions/\(Self.name).jsonl"))))

        let saved = scratch.file("saved.wav")
        try Data(whole.body).write(to: URL(fileURLWithPath: saved))
        let length = try run("soxi", ["-s", saved])
        #expect(length.text == "\((rendered.count - 44) / 2)\n", "\(length.errors)")
        let decoded = try run("ffmpeg", ["-nostdin", "-v", "error", "-i", saved, "-f", "s16le", "-y", scratch.file("saved.raw")])
        #expect(decoded.status == 0 && decoded.errors.isEmpty, "\(decoded.errors)")
        #expect(try Data(contentsOf: URL(fileURLWithPath: scratch.file("saved.raw"))) == Data(rendered[44...]))
    }

    @Test func `ten at once each get all of it`() throws {
        let watching = try token("watch")
        let connections = try (0..<10).map { _ in try ask("/sessions/\(Self.name).wav", watching) }
        for connection in connections { #expect(try answer(connection).body == rendered) }
    }

    @Test func `strangers and visitors get nothing, who watches no journal, and nobody all of a session that goes on`() async throws {
        let (operated, watching, visiting) = (try token("operator"), try token("watch"), try token("visitor"))
        for form in ["wav", "jsonl"] {
            let path = "/sessions/\(Self.name).\(form)"
            #expect(try answer(ask(path, nil)).status == 401)
            #expect(try answer(ask(path, visiting)).status == 403)
        }
        #expect(try answer(ask("/sessions/\(Self.name).jsonl", watching)).status == 403)
        let client = try LineSocket(daemon.socket)
        _ = try client.call("touch", #"{"phase":"began"}"#)
        #expect(try await eventually { daemon.journals.count == 2 })
        let current = try #require(daemon.journals.last.map { URL(fileURLWithPath: $0).deletingPathExtension().lastPathComponent })
        let refused = try answer(ask("/sessions/\(current).wav", operated))
        #expect(refused.status == 409 && String(decoding: refused.body, as: UTF8.self).hasPrefix("this session is still going on"))
        #expect(try answer(ask("/sessions/\(current).wav?until=600", operated)).status == 409)
        #expect(try answer(ask("/sessions/\(current).wav?until=soon", operated)).status == 400)
    }

    @Test func `of a session that goes on the journal is there so far, and the first second as it is heard in the end`() async throws {
        let operated = try token("operator")
        let client = try LineSocket(daemon.socket)
        _ = try client.call("touch", #"{"phase":"began"}"#)
        try await Task.sleep(for: .seconds(1.5))
        _ = try client.call("swipe")
        #expect(try await eventually { daemon.journals.count == 2 })
        let current = try #require(daemon.journals.last.map { URL(fileURLWithPath: $0).deletingPathExtension().lastPathComponent })
        #expect(try await eventually { try answer(ask("/sessions/\(current).wav?until=1", operated)).status == 200 })
        let journal = try answer(ask("/sessions/\(current).jsonl", operated))
        #expect(journal.status == 200 && String(decoding: journal.body, as: UTF8.self).contains(#""event":"touch""#))
        let first = try answer(ask("/sessions/\(current).wav?until=1", operated)).body
        #expect(first.count == 44 + 96_000 && first[44...].contains { $0 != 0 })
        _ = try client.call("session.end")
        #expect(try await eventually { try answer(ask("/sessions/\(current).wav", operated)).status == 200 })
        let whole = try answer(ask("/sessions/\(current).wav", operated)).body
        #expect(whole.count > first.count && Array(whole[44..<first.count]) == Array(first[44...]))
    }
}

import Foundation
import SystemPackage
import Testing
import TestSupport

@testable import Daemon

/// How the daemon has the support file made. A script stands for `thrum`.
@Suite struct SupportFileTests {
    private let scratch: Scratch
    private let temporary: String

    init() throws {
        scratch = try Scratch()
        temporary = scratch.file("temporary")
        try FileManager.default.createDirectory(atPath: temporary, withIntermediateDirectories: true)
    }

    private func support(_ script: String, timeout: Int32 = 20) throws -> SupportFile {
        let program = try scratch.write("#!/bin/sh\n" + script, to: "thrum")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
        let environment = ProcessInfo.processInfo.environment.merging(["TMPDIR": temporary]) { $1 }
        return SupportFile(socket: "/run/thrum.sock", config: "/etc/hall.yaml", environment: environment, program: program, timeout: timeout)
    }

    private func text(_ descriptor: CInt) throws -> String {
        let file = FileDescriptor(rawValue: descriptor)
        return try file.closeAfter {
            var bytes = [UInt8](repeating: 0, count: 4_096)
            let count = try bytes.withUnsafeMutableBytes { try file.read(fromAbsoluteOffset: 0, into: $0) }
            return String(decoding: bytes[..<count], as: UTF8.self)
        }
    }

    private var left: [String] { get throws { try FileManager.default.contentsOfDirectory(atPath: temporary) } }

    @Test func `the program is told what to collect and how long it may take, and nothing else has the file`() throws {
        let descriptor = try support(#"echo "$@""#).make()
        #expect(fcntl(descriptor, F_GETFD) == FD_CLOEXEC)
        #expect(try text(descriptor) == "support --output - --within 50 --socket /run/thrum.sock --config /etc/hall.yaml\n")
        #expect(try left.isEmpty)
    }

    @Test func `the program gives way to everything else, in time and in memory`() throws {
        let descriptor = try support("nice; cat /proc/self/oom_score_adj").make()
        #expect(try text(descriptor) == "19\n500\n")
    }

    @Test func `a program that hangs is killed, and nothing that it made is left behind`() throws {
        let hanging = try support(#"mkdir -p "$TMPDIR/thrum-support-1/hall"; echo >"$TMPDIR/thrum-support-1/hall/status.json"; exec sleep 600"#, timeout: 1)
        #expect(throws: SupportFile.Missing.self) { try hanging.make() }
        #expect(try left.isEmpty)
    }

    @Test func `a program that fails is quoted, and nothing is left behind`() throws {
        let error = try #require(throws: SupportFile.Missing.self) { _ = try support("echo thrum: no room >&2; exit 73").make() }
        #expect(error.description == "thrum support: exit status 73: thrum: no room")
        #expect(try left.isEmpty)
    }
}

import Experience
import Foundation
import Registry
import Testing
import TestSupport

/// The pages of docs/reference, which `scripts/reference` makes out of what daemons say of themselves.
@Suite struct ReferencePagesTests {
    @Test func `the reference is that of the programs`() async throws {
        let folder = NSTemporaryDirectory() + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for piece in Registry.pieces.declarations.map(\.name) {
            let daemon = try await Daemon(["--output", "null", "--experience", piece])
            try LineSocket(daemon.socket).call("rpc.discover").write(toFile: "\(folder)/\(piece).json", atomically: true, encoding: .utf8)
            #expect(daemon.terminate() == 0)
        }
        let script = repository + "/scripts/reference"
        if ProcessInfo.processInfo.environment["THRUMDEV_DOCS"] == "write" {
            let written = try run("/usr/bin/python3", [script, folder])
            #expect(written.status == 0, "\(written.errors)")
        }
        let compared = try run("/usr/bin/python3", [script, folder, "--check"])
        #expect(compared.status == 0, "\(compared.errors)")
    }
}

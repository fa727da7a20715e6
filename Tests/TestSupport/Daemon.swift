import Foundation

/// A real thrumd with a directory of its own.
public final class Daemon {
    public let scratch: Scratch
    public let socket: String
    public private(set) var process: Running

    /// `program` is thrumd, or one with other pieces.
    public init(_ arguments: [String], environment: [String: String] = [:], scratch: Scratch? = nil,
                program: String = Programs.thrumd) async throws {
        self.scratch = try scratch ?? Scratch()
        socket = self.scratch.file("c.sock")
        // However long a busy machine takes from one step of a test to the next, the session goes on, unless the test sets the idle time.
        let idle = arguments.contains("--idle") || arguments.contains("--config") ? [] : ["--idle", "3600"]
        process = try Running(program, ["--socket", socket, "--sessions", self.scratch.file("sessions")] + idle + arguments,
                              environment: environment.merging(["STATE_DIRECTORY": self.scratch.file("state")]) { own, _ in own })
        guard try await eventually({ (try? LineSocket(self.socket)) != nil }) else {
            throw LineSocket.Failed(description: "thrumd does not listen: \(process.errors)")
        }
    }

    /// The status report.
    public func status() throws -> [String: Any] {
        let answer = try LineSocket(socket).call("status")
        let object = try JSONSerialization.jsonObject(with: Data(answer.utf8)) as? [String: Any]
        return object?["result"] as? [String: Any] ?? [:]
    }

    public func outputState() throws -> String { (try status()["output"] as? [String: Any])?["state"] as? String ?? "" }

    public var isHeld: Bool { get throws { (try status()["session"] as? [String: Any])?["isHeld"] as? Bool ?? false } }

    /// Waits until the session is past `frame`, at 48 kHz; false if it is not there in half a minute.
    public func plays(to frame: Int) async throws -> Bool {
        try await eventually { (try self.status()["session"] as? [String: Any])?["seconds"] as? Double ?? 0 > Double(frame) / 48_000 }
    }

    /// The journals so far, oldest first.
    public var journals: [String] {
        let directory = scratch.file("sessions")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        // Without the suffix, because the second journal of a second is called `…-2.jsonl`.
        return names.sorted { $0.dropLast(".jsonl".count) < $1.dropLast(".jsonl".count) }.map { directory + "/" + $0 }
    }

    /// SIGTERM, and the exit status.
    public func terminate() -> Int32 {
        process.signal(SIGTERM)
        return process.finish().status
    }

    /// The process is killed, and nothing tidied up.
    public func kill() {
        process.signal(SIGKILL)
        _ = process.finish()
    }
}

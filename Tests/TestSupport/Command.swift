import CSpawn
import Foundation
import Synchronization

/// A finished program.
public struct Finished: Sendable {
    public var status: Int32
    public var output: Data
    public var errors: String

    public init(status: Int32, output: Data, errors: String) {
        self.status = status
        self.output = output
        self.errors = errors
    }

    public var text: String { String(decoding: output, as: UTF8.self) }
}

public struct ProgramMissing: Error, CustomStringConvertible {
    public var description: String
}

/// A running program. Its output is collected in files, so that no pipe can fill up.
///
/// Spawned and waited for by the system's own calls: Foundation's Process has been seen to miss the end of a program that
/// is over quickly, and then waits for ever.
public final class Running: Sendable {
    public let identifier: pid_t
    private let scratch: Scratch
    private let status = Mutex<Int32?>(nil)

    /// `program` is a path, or a name looked up in PATH. It inherits no descriptor but `passed`, which it has as 3.
    public init(_ program: String, _ arguments: [String], environment: [String: String] = [:], passing passed: CInt? = nil) throws {
        scratch = try Scratch()
        // A crash should end a test at once, not print a backtrace for a second.
        let variables = ProcessInfo.processInfo.environment
            .merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }.merging(environment) { $1 }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, scratch.file("out"), O_WRONLY | O_CREAT, 0o600)
        posix_spawn_file_actions_addopen(&actions, 2, scratch.file("err"), O_WRONLY | O_CREAT, 0o600)
        if let passed { posix_spawn_file_actions_adddup2(&actions, passed, 3) }
        // What other tests have open in this process would stay open, and its other side uninformed, for as long as the program runs.
        posix_spawn_file_actions_addclosefrom_np(&actions, passed == nil ? 3 : 4)
        // This thread may be one that blocks all signals; the program is to hear them.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        // Nor one whose shell ignores some: a job in the background inherits an ignored SIGINT.
        var all = sigset_t()
        sigfillset(&all)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
        var values: [UnsafeMutablePointer<CChar>?] = variables.map { strdup("\($0)=\($1)") } + [nil]
        defer { for pointer in words + values { free(pointer) } }
        var identifier = pid_t()
        let failure = posix_spawnp(&identifier, program, &actions, &attributes, &words, &values)
        guard failure == 0 else {
            throw ProgramMissing(description: "\(program) cannot be started: \(String(cString: strerror(failure)))")
        }
        self.identifier = identifier
    }

    deinit {
        guard status.withLock({ $0 }) == nil else { return }
        kill(identifier, SIGKILL)
        waitpid(identifier, nil, 0)
    }

    public var errors: String { (try? String(contentsOfFile: scratch.file("err"), encoding: .utf8)) ?? "" }
    public var output: String { (try? String(contentsOfFile: scratch.file("out"), encoding: .utf8)) ?? "" }

    public func signal(_ number: Int32) { kill(identifier, number) }

    /// Waits for its end. A program ended by a signal has the status 128 and the signal's number, as in a shell.
    public func finish() -> Finished {
        let code = status.withLock { status in
            if let status { return status }
            var word: Int32 = 0
            while waitpid(identifier, &word, 0) < 0, errno == EINTR {}
            let code = word & 0x7F == 0 ? (word >> 8) & 0xFF : 128 + (word & 0x7F)
            status = code
            return code
        }
        return Finished(status: code, output: FileManager.default.contents(atPath: scratch.file("out")) ?? Data(),
                        errors: errors)
    }
}

extension Running {
    /// As `finish`, for a program that takes long. Tests share a thread for each processor: one that waits on its thread has
    /// others stand still, for longer than a visitor's idle time.
    public func finished() async -> Finished {
        await withCheckedContinuation { continuation in
            Thread { continuation.resume(returning: self.finish()) }.start()
        }
    }
}

/// Runs a program to its end.
public func run(_ program: String, _ arguments: [String], environment: [String: String] = [:]) throws -> Finished {
    try Running(program, arguments, environment: environment).finish()
}

/// The SHA-256 of `data` in hexadecimal, by coreutils.
public func sha256(_ data: Data) throws -> String {
    let scratch = try Scratch()
    try data.write(to: URL(fileURLWithPath: scratch.file("data")))
    return String(try run("sha256sum", [scratch.file("data")]).text.prefix(64))
}

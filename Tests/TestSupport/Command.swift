import Foundation

/// A finished program.
public struct Finished: Sendable {
    public var status: Int32
    public var output: Data
    public var errors: String

    public var text: String { String(decoding: output, as: UTF8.self) }
}

public struct ProgramMissing: Error, CustomStringConvertible {
    public var description: String
}

/// A running program. Its output is collected in files, so that no pipe can fill up.
public final class Running: @unchecked Sendable {
    // @unchecked: Process is only signalled and waited for, both of which it allows from any thread.
    private let process = Process()
    private let scratch: Scratch

    /// `program` is a path, or a name looked up in PATH.
    public init(_ program: String, _ arguments: [String], environment: [String: String] = [:]) throws {
        scratch = try Scratch()
        process.executableURL = URL(fileURLWithPath: program.contains("/") ? program : "/usr/bin/env")
        process.arguments = (program.contains("/") ? [] : [program]) + arguments
        // A crash should end a test at once, not print a backtrace for a second.
        process.environment = ProcessInfo.processInfo.environment
            .merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }.merging(environment) { $1 }
        for name in ["out", "err"] { _ = FileManager.default.createFile(atPath: scratch.file(name), contents: nil) }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle(forWritingAtPath: scratch.file("out"))
        process.standardError = FileHandle(forWritingAtPath: scratch.file("err"))
        do {
            try process.run()
        } catch {
            throw ProgramMissing(description: "\(program) cannot be started: \(error)")
        }
    }

    deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

    public var isRunning: Bool { process.isRunning }
    public var identifier: Int32 { process.processIdentifier }
    public var errors: String { (try? String(contentsOfFile: scratch.file("err"), encoding: .utf8)) ?? "" }

    public func signal(_ number: Int32) { kill(process.processIdentifier, number) }

    public func finish() -> Finished {
        process.waitUntilExit()
        return Finished(status: process.terminationStatus,
                        output: FileManager.default.contents(atPath: scratch.file("out")) ?? Data(), errors: errors)
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

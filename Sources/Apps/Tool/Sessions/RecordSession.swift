import ArgumentParser
import CLinux
import ControlSocket
import Experience
import JournalFile
import Processes
import SystemPackage

struct RecordSession: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "record",
        abstract: "Record what happens live as a journal of one's own.",
        discussion: """
            Begins a session, or joins the one that is running: then it records all of it, from before, too. The recording is over when \
            the session ends by itself, after --seconds, or at SIGINT; the last two end the session, whoever began it. The journal is a \
            copy of thrumd's own.

            EXAMPLES
              thrum record visit.jsonl
              thrum record --seconds 60 --wav visit.wav visit.jsonl
            """)

    @Argument(help: "The journal to make, a .jsonl file.", completion: .file(extensions: ["jsonl"]))
    var file: FileArgument

    @Option(help: "End the session after so many seconds, 0.1 to 86400. (default: when it ends by itself, or at SIGINT)")
    var seconds: Double?

    @Option(help: "Render it, too, as this WAV file.", completion: .file(extensions: ["wav"]))
    var wav: FileArgument?

    @Flag(name: .shortAndLong, help: "Replace existing files.")
    var force = false

    @OptionGroup var daemon: Daemon

    func validate() throws {
        if let seconds, !(0.1...86_400).contains(seconds) {
            throw ValidationError("--seconds: expected 0.1 to 86400 (seconds), found \(seconds)")
        }
        guard !file.isStandardStream, wav?.isStandardStream != true else {
            throw ValidationError("expected the name of a file, found \"-\"")
        }
        if wav == file { throw ValidationError("--wav: expected another file than the journal's, found \"\(file)\"") }
    }

    func run() async throws {
        // The files are checked before recording, so that no recording is lost because it cannot be written.
        for file in [file, wav].compactMap({ $0 }) { try Self.checkCanCreate(file.path, replaces: force) }
        Interruption.watch()
        let journal = try await daemon.converse { [seconds] control in try await Self.record(control, for: seconds) }
        if try await !Self.isComplete(journal) { warn("\(journal): warning: the session's end is not in it; copied as it is") }
        let bytes = try Self.copy(journal, to: file.path, replaces: force)
        print(SessionEntry(file.path, bytes: bytes).line)
        if let wav {
            let flags = force ? ["--force"] : []
            try Render.parse(["--output=\(wav.word)"] + flags + ["--", file.word]).run()
        }
    }

    /// Checks that the file `path` can be created, but leaves no file there.
    private static func checkCanCreate(_ path: FilePath, replaces: Bool) throws {
        struct GivenUp: Error {}
        do {
            try create(path, from: nil, replaces: replaces, advice: "") { (_: FileDescriptor) -> Void in throw GivenUp() }
        } catch is GivenUp {}
    }

    /// Records until the session has ended, and returns the path of its journal.
    private static func record(_ control: ControlClient.Exchange, for seconds: Double?) async throws -> FilePath {
        if let running = try await control.runningSession() {
            warn("a session is running, \(running.seconds.fixed(1)) s so far: joined, and ended with the recording")
        } else {
            try await control.startSession()
        }
        guard let journal = try await control.journal(within: .seconds(5)) else {
            throw failure("thrumd keeps no journal of this session; thrum status says why", Exit.unavailable)
        }
        let deadline = seconds.map { monotonicNanoseconds() + Int64($0 * 1e9) } ?? .max
        let line = LiveLine()
        do {
            // Another journal belongs to another session: the recorded one has ended.
            while let running = try await control.runningSession(), (running.journal ?? journal.string) == journal.string {
                line.show("recording \(running.seconds.fixed(1)) s, events: \(running.events)")
                let left = deadline - monotonicNanoseconds()
                if Interruption.hasCome || left <= 0 {
                    try await control.endSession()
                    break
                }
                try await Task.sleep(for: .nanoseconds(min(left, 100_000_000)))
            }
        } catch let exit as ExitCode {
            // The error about thrumd has been printed; the journal of the session exists nevertheless.
            guard exit == Exit.unavailable else { throw exit }
        } catch {
            warnAboveBar("the connection broke: \(error)")
        }
        return journal
    }

    /// Returns true as soon as the journal contains the session's end, which thrumd writes a little after the session has ended. Returns
    /// false if that is not there after 5 s.
    private static func isComplete(_ journal: FilePath) async throws -> Bool {
        for _ in 0..<100 {
            if (try? JournalTail.lastFrame(of: journal))?.end != nil { return true }
            try await Task.sleep(for: .milliseconds(50))
        }
        return false
    }

    /// Copies the journal to `path`. Returns its size in bytes.
    private static func copy(_ journal: FilePath, to path: FilePath, replaces: Bool) throws -> Int64 {
        let source: FileDescriptor
        do {
            source = try FileDescriptor.open(journal, .readOnly)
        } catch let errno as Errno {
            throw failure("\(journal): \(errno)", Exit.noInput)
        }
        do {
            return try source.closeAfter {
                try create(path, from: journal, replaces: replaces, advice: "") { try copy(source, to: $0) }
            }
        } catch let errno as Errno {
            throw failure("\(path): \(errno)", Exit.inputOutput)
        }
    }

    private static func copy(_ source: FileDescriptor, to file: FileDescriptor) throws -> Int64 {
        var total: Int64 = 0
        while true {
            let block = try [UInt8](unsafeUninitializedCapacity: 1 << 16) { bytes, count in
                count = try source.read(into: UnsafeMutableRawBufferPointer(bytes))
            }
            guard !block.isEmpty else { return total }
            try file.writeAll(block)
            total += Int64(block.count)
        }
    }
}

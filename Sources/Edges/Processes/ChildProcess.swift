import CLinux
import Glibc
import SystemPackage

/// A program that runs beside this one until it ends or is ended. Thread: one at a time.
public final class ChildProcess {
    public let identifier: pid_t
    /// The word of waitpid(2) about the end; nil while the process runs.
    private var end: CInt?

    /// The file behind one of a child's descriptors.
    enum Source {
        case nothing, inherited
        case file(FileDescriptor)
    }

    /// Starts a program. `program` is a path, or a name looked up in PATH. The program reads nothing, writes where this process does, has a
    /// process group of its own, and inherits no descriptor but `passed`, which it has as 3, 4 and so on. Throws `Errno`.
    public convenience init(_ program: String, _ arguments: [String], environment: [String: String],
                            passing passed: [FileDescriptor] = []) throws {
        try self.init(program, arguments, environment, [.nothing, .inherited, .inherited] + passed.map { .file($0) }, hasOwnGroup: true)
    }

    /// Starts a program that has `sources` as its descriptors 0, 1, 2 and so on, and no others.
    init(_ program: String, _ arguments: [String], _ environment: [String: String], _ sources: [Source], hasOwnGroup: Bool) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        var copies: [CInt] = []
        defer { for copy in copies { close(copy) } }
        for (place, source) in sources.enumerated() {
            switch source {
            case .nothing: posix_spawn_file_actions_addopen(&actions, CInt(place), "/dev/null", O_RDWR, 0)
            case .inherited: break
            case .file(let file):
                // Out of the way of the numbers that the program has them as.
                let copy = fcntl(file.rawValue, F_DUPFD_CLOEXEC, 64)
                guard copy >= 0 else { throw Errno(rawValue: errno) }
                copies.append(copy)
                posix_spawn_file_actions_adddup2(&actions, copy, CInt(place))
            }
        }
        posix_spawn_file_actions_addclosefrom_np(&actions, CInt(sources.count))
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // Whatever this process blocks or ignores, the program hears; in a group of its own it hears nothing that a terminal sends to us.
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        var all = sigset_t()
        sigfillset(&all)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setpgroup(&attributes, 0)
        let group = hasOwnGroup ? POSIX_SPAWN_SETPGROUP : 0
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | group))
        var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
        var values: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0)=\($1)") } + [nil]
        defer { for pointer in words + values { free(pointer) } }
        var child = pid_t()
        let failure = posix_spawnp(&child, program, &actions, &attributes, &words, &values)
        guard failure == 0 else { throw Errno(rawValue: failure) }
        identifier = child
    }

    deinit { kill() }

    public var isRunning: Bool {
        if end == nil { wait(WNOHANG) }
        return end == nil
    }

    /// Waits for the end. Returns the exit status; 128 and the signal's number if a signal ended the program, as in a shell.
    func status() -> CInt {
        if end == nil { wait(0) }
        let word = end ?? 0
        return word & 0x7F == 0 ? (word >> 8) & 0xFF : 128 + (word & 0x7F)
    }

    /// Ends the program and all that it has started, at once, also what has been stopped; returns when the program has ended.
    public func kill() {
        guard end == nil else { return }
        for member in ProcessFamily(of: identifier).members { Glibc.kill(member, SIGKILL) }
        wait(0)
    }

    private func wait(_ options: CInt) {
        var word: CInt = 0
        var ended = waitpid(identifier, &word, options)
        while ended < 0, errno == EINTR { ended = waitpid(identifier, &word, options) }
        if ended != 0 { end = word }
    }
}

/// A program that has run to its end.
public struct FinishedProcess: Sendable {
    /// The exit status; 128 and the signal's number if a signal ended the program, as in a shell.
    public let status: CInt
    /// The text of the program on standard error, without its own name before it.
    public let complaint: String

    /// The most bytes of a complaint; what follows is read and left out.
    static let largestComplaint = 1 << 16

    /// Runs a program, and returns when it has ended. `program` is a path, or a name looked up in PATH. It reads `input` and writes to
    /// `output`, or reads nothing and writes to nowhere, inherits no other descriptor, and is ended if it says nothing for `patience`
    /// seconds. Throws `Errno`.
    public init(running program: String, _ arguments: [String], environment: [String: String], input: FileDescriptor? = nil,
                output: FileDescriptor? = nil, patience: Int32 = 10) throws {
        let pipe = try FileDescriptor.pipe()
        defer { try? pipe.readEnd.close() }
        // Closed here, so that the pipe ends with the program.
        let child = try pipe.writeEnd.closeAfter {
            try ChildProcess(program, arguments, environment,
                             [input.map { .file($0) } ?? .nothing, output.map { .file($0) } ?? .nothing, .file(pipe.writeEnd)],
                             hasOwnGroup: false)
        }
        let (text, isWhole) = Self.read(pipe.readEnd, patience)
        if !isWhole { child.kill() }
        status = child.status()
        let label = "\(FilePath(program).lastComponent?.string ?? program): "
        let lines = text.split(separator: "\n").map { $0.hasPrefix(label) ? $0.dropFirst(label.count) : $0 }
        complaint = lines.joined(separator: "\n")
    }

    /// Reads to the end, unless nothing comes for so many seconds. A signal that is only noted, such as a change of the terminal's size,
    /// ends nothing.
    private static func read(_ file: FileDescriptor, _ patience: Int32) -> (text: String, isWhole: Bool) {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4_096)
        var entry = pollfd(fd: file.rawValue, events: Int16(POLLIN), revents: 0)
        while true {
            let ready = poll(&entry, 1, patience * 1_000)
            if ready < 0, errno == EINTR { continue }
            guard ready > 0 else { break }
            let count = Glibc.read(file.rawValue, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return (String(decoding: bytes, as: UTF8.self), true) }
            bytes += piece[..<min(count, largestComplaint - bytes.count)]
        }
        return (String(decoding: bytes, as: UTF8.self), false)
    }
}

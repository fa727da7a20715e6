import CLinux
import Files
import Glibc
import SystemPackage

/// A program that runs as a child of this process, until it ends or is killed. Thread: one at a time.
public final class ChildProcess {
    public let identifier: pid_t
    /// The wait status from waitpid(2); nil while the process runs.
    private var end: CInt?

    /// The source or destination of one of a child's descriptors.
    enum Source {
        case nothing, inherited
        case file(FileDescriptor)
    }

    /// Starts a program. `program` is a path, or a name that is looked up in PATH. Its standard input is empty, and its output goes where
    /// this process's goes. It has a process group of its own, and inherits no descriptors but `passed`, as 3, 4 and so on. Throws `Errno`.
    public convenience init(_ program: String, _ arguments: [String], environment: [String: String],
                            passing passed: [FileDescriptor] = []) throws {
        try self.init(program, arguments, environment, [.nothing, .inherited, .inherited] + passed.map { .file($0) }, hasOwnGroup: true)
    }

    /// Starts a program with `sources` as its descriptors 0, 1, 2 and so on, and no others.
    init(_ program: String, _ arguments: [String], _ environment: [String: String], _ sources: [Source], hasOwnGroup: Bool) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        var copies: [CInt] = []
        defer { for copy in copies { close(copy) } }
        for (descriptor, source) in sources.enumerated() {
            switch source {
            case .nothing: posix_spawn_file_actions_addopen(&actions, CInt(descriptor), "/dev/null", O_RDWR, 0)
            case .inherited: break
            case .file(let file):
                // The copies have numbers from 64 on, so that they do not collide with the numbers that the program gets.
                let copy = fcntl(file.rawValue, F_DUPFD_CLOEXEC, 64)
                guard copy >= 0 else { throw Errno(rawValue: errno) }
                copies.append(copy)
                posix_spawn_file_actions_adddup2(&actions, copy, CInt(descriptor))
            }
        }
        posix_spawn_file_actions_addclosefrom_np(&actions, CInt(sources.count))
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // The program starts with no signal blocked or ignored. In a group of its own it does not get the signals that a terminal sends to
        // ours.
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

    /// Waits for the program's end. Returns the exit status; as in a shell, 128 plus the signal's number if a signal ended the program.
    func status() -> CInt {
        if end == nil { wait(0) }
        let word = end ?? 0
        return word & 0x7F == 0 ? (word >> 8) & 0xFF : 128 + (word & 0x7F)
    }

    /// Kills the program and all its descendants at once, even stopped ones. Returns when the program has ended.
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

/// A program that was run to its end.
public struct FinishedProcess: Sendable {
    /// The exit status; as in a shell, 128 plus the signal's number if a signal ended the program.
    public let status: CInt
    /// What the program wrote to standard error, without its own name at the start of lines.
    public let complaint: String

    /// The largest number of bytes of a complaint. What follows is read and dropped.
    static let largestComplaint = 1 << 16

    /// Runs a program, and returns when it has ended. `program` is a path, or a name that is looked up in PATH. It reads `input`, or
    /// nothing, and writes to `output`, or nowhere; it inherits no other descriptor. It is killed if it writes nothing to standard error
    /// for `timeout` seconds, or when it passes `bounds`. Throws `Errno`.
    public init(running program: String, _ arguments: [String], environment: [String: String], input: FileDescriptor? = nil,
                output: FileDescriptor? = nil, timeout: Int32 = 10, bounds: Bounds? = nil) throws {
        let pipe = try FileDescriptor.pipe()
        defer { try? pipe.readEnd.close() }
        // This end is closed here, so that the pipe ends when the program does.
        let child = try pipe.writeEnd.closeAfter {
            try ChildProcess(program, arguments, environment,
                             [input.map { .file($0) } ?? .nothing, output.map { .file($0) } ?? .nothing, .file(pipe.writeEnd)],
                             hasOwnGroup: false)
        }
        let watch = bounds.map { Watch($0, of: output) }
        let (text, isWhole) = Self.read(pipe.readEnd, timeout, watch)
        if !isWhole { child.kill() }
        // A program may close its standard error long before it ends.
        if let watch {
            while child.isRunning {
                if watch.isPassed { child.kill() } else { usleep(1_000) }
            }
        }
        status = child.status()
        let label = "\(FilePath(program).lastComponent?.string ?? program): "
        let lines = text.split(separator: "\n").map { $0.hasPrefix(label) ? $0.dropFirst(label.count) : $0 }
        complaint = lines.joined(separator: "\n")
    }

    /// The limits of a program's time and of its output. They hold even for a program that keeps writing to standard error.
    public struct Bounds: Sendable {
        var time: Duration
        var size: Int

        /// `time` is the longest time from its start to its end. `size` is the largest size in bytes of the file to which it writes, which
        /// is checked twenty times a second.
        public init(time: Duration, size: Int) { (self.time, self.size) = (time, size) }
    }

    /// Watches whether a program that has just started keeps to its bounds.
    private struct Watch {
        static let pause: Int32 = 50 // milliseconds

        private let end: ContinuousClock.Instant
        private let size: Int
        private let output: FileDescriptor?

        init(_ bounds: Bounds, of output: FileDescriptor?) {
            end = .now + bounds.time
            size = bounds.size
            self.output = output
        }

        var isPassed: Bool {
            var info = stat()
            if let output, fstat(output.rawValue, &info) == 0, info.st_size > size { return true }
            return ContinuousClock.now >= end
        }
    }

    /// Reads to the end, unless nothing arrives for `timeout` seconds, or the program passes its bounds. A signal with a handler, such as
    /// that for a change of the terminal's size, does not end the reading.
    private static func read(_ file: FileDescriptor, _ timeout: Int32, _ watch: Watch?) -> (text: String, isWhole: Bool) {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4_096)
        var entry = pollfd(fd: file.rawValue, events: Int16(POLLIN), revents: 0)
        var silence: Int32 = 0 // in milliseconds
        while watch?.isPassed != true {
            let pause = watch == nil ? timeout * 1_000 : Watch.pause
            let ready = poll(&entry, 1, pause)
            if ready < 0, errno == EINTR { continue }
            silence = ready == 0 ? silence + pause : 0
            if ready == 0, silence < timeout * 1_000 { continue }
            guard ready > 0 else { break }
            let count = Glibc.read(file.rawValue, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return (String(decoding: bytes, as: UTF8.self), true) }
            bytes += piece[..<min(count, largestComplaint - bytes.count)]
        }
        return (String(decoding: bytes, as: UTF8.self), false)
    }
}

/// A process and its descendants, as /proc listed them when the value was made.
public struct ProcessFamily: Sendable {
    /// The numbers of the processes, parents before their children. Descendants whose parent had ended before are missing.
    public let members: [pid_t]

    public init(of root: pid_t) {
        var children: [pid_t: [pid_t]] = [:]
        for process in Self.processes() { if let parent = Self.parent(of: process) { children[parent, default: []].append(process) } }
        var members = [root]
        var next = 0
        while next < members.count {
            members += children[members[next]] ?? []
            next += 1
        }
        self.members = members
    }

    /// The memory of all members, in bytes. Memory that several processes share is divided among them (proc(5), Pss).
    public var memory: Int {
        members.reduce(0) { sum, process in
            let line = Self.text("/proc/\(process)/smaps_rollup").split(separator: "\n").first { $0.hasPrefix("Pss:") }
            return sum + (line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 1024
        }
    }

    private static func processes() -> [pid_t] { ((try? FilePath("/proc").names()) ?? []).compactMap { pid_t($0.string) } }

    /// Reads the parent from the fourth field of /proc/PID/stat. The second field is the program's name, which may contain any characters.
    private static func parent(of process: pid_t) -> pid_t? {
        let text = text("/proc/\(process)/stat")
        guard let name = text.lastIndex(of: ")") else { return nil }
        let fields = text[text.index(after: name)...].split(separator: " ")
        return fields.count > 1 ? pid_t(fields[1]) : nil
    }

    /// Reads the first 4 KiB of a file; empty where the process has ended or belongs to another user.
    private static func text(_ path: String) -> String {
        guard let file = try? FileDescriptor.open(path, .readOnly, options: .closeOnExec) else { return "" }
        defer { try? file.close() }
        let bytes = try? [UInt8](unsafeUninitializedCapacity: 4096) { buffer, count in
            count = try file.read(into: UnsafeMutableRawBufferPointer(buffer))
        }
        return String(decoding: bytes ?? [], as: UTF8.self)
    }
}

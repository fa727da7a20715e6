import CLinux
import Glibc
import SystemPackage

/// A program that runs beside this one until it ends or is ended. Thread: one at a time.
public final class ChildProcess {
    public let identifier: pid_t
    private var hasEnded = false

    /// `program` is a path, or a name looked up in PATH. It reads nothing, writes where this process does, has a process group of its own,
    /// and inherits no descriptor but `passed`, which it has as 3, 4 and so on. Throws `Errno`.
    public init(_ program: String, _ arguments: [String], environment: [String: String], passing passed: [FileDescriptor] = []) throws {
        // Out of the way of the numbers that the program has them as.
        let sources = try passed.map { file in
            let copy = fcntl(file.rawValue, F_DUPFD_CLOEXEC, 64)
            guard copy >= 0 else { throw Errno(rawValue: errno) }
            return copy
        }
        defer { for source in sources { close(source) } }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        for (place, source) in sources.enumerated() { posix_spawn_file_actions_adddup2(&actions, source, CInt(3 + place)) }
        posix_spawn_file_actions_addclosefrom_np(&actions, CInt(3 + sources.count))
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // It hears all signals, but none that a terminal sends to us.
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        var all = sigset_t()
        sigfillset(&all)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))
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
        if !hasEnded { hasEnded = waitpid(identifier, nil, WNOHANG) != 0 }
        return !hasEnded
    }

    /// Ends it and all that it has started, at once, also what has been stopped; returns when it has ended.
    public func kill() {
        guard !hasEnded else { return }
        let family = ProcessFamily(of: identifier).members
        for member in family { Glibc.kill(member, SIGKILL) }
        while waitpid(identifier, nil, 0) < 0, errno == EINTR {}
        hasEnded = true
    }
}

import CLinux
import FoundationEssentials
import Glibc
import SystemPackage

/// A child process that has ended.
struct Child {
    /// 128 and the signal's number if a signal ended it, as in a shell.
    let status: Int32
    /// What it said on standard error, without its own name before it.
    let complaint: String

    /// `program` is a path, or a name looked up in PATH. It reads `input`, writes to `output`, and is ended if it says nothing for so many
    /// seconds. Throws `Errno`.
    init(_ program: String, _ arguments: [String], input: FileDescriptor? = nil, output: FileDescriptor? = nil,
         patience: Int32 = 10) throws {
        let pipe = try FileDescriptor.pipe()
        defer { try? pipe.readEnd.close() }
        // Closed here, so that the pipe ends with the program.
        let child = try pipe.writeEnd.closeAfter { try Self.start(program, arguments, input, output, errors: pipe.writeEnd) }
        let (text, isWhole) = Self.read(pipe.readEnd, patience)
        if !isWhole { kill(child, SIGKILL) }
        var word: Int32 = 0
        while waitpid(child, &word, 0) < 0, errno == EINTR {}
        status = word & 0x7F == 0 ? (word >> 8) & 0xFF : 128 + (word & 0x7F)
        let label = "\(FilePath(program).lastComponent?.string ?? program): "
        let lines = text.split(separator: "\n").map { $0.hasPrefix(label) ? $0.dropFirst(label.count) : $0 }
        complaint = lines.joined(separator: "\n")
    }

    private static func start(_ program: String, _ arguments: [String], _ input: FileDescriptor?, _ output: FileDescriptor?,
                              errors: FileDescriptor) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, errors.rawValue, 2)
        for (file, place, mode) in [(input, 0, O_RDONLY), (output, 1, O_WRONLY)] as [(FileDescriptor?, CInt, CInt)] {
            if let file {
                posix_spawn_file_actions_adddup2(&actions, file.rawValue, place)
            } else {
                posix_spawn_file_actions_addopen(&actions, place, "/dev/null", mode, 0)
            }
        }
        posix_spawn_file_actions_addclosefrom_np(&actions, 3)
        var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
        var values: [UnsafeMutablePointer<CChar>?] = ProcessInfo.processInfo.environment.map { strdup("\($0)=\($1)") } + [nil]
        defer { for pointer in words + values { free(pointer) } }
        var child = pid_t()
        let failure = posix_spawnp(&child, program, &actions, nil, &words, &values)
        guard failure == 0 else { throw Errno(rawValue: failure) }
        return child
    }

    /// To the end, unless nothing comes for so many seconds.
    private static func read(_ file: FileDescriptor, _ patience: Int32) -> (text: String, isWhole: Bool) {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4_096)
        var entry = pollfd(fd: file.rawValue, events: Int16(POLLIN), revents: 0)
        while true {
            let ready = poll(&entry, 1, patience * 1_000)
            // A signal that is only noted, such as a change of the terminal's size, ends nothing.
            if ready < 0, errno == EINTR { continue }
            guard ready > 0 else { break }
            let count = Glibc.read(file.rawValue, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return (String(decoding: bytes, as: UTF8.self), true) }
            bytes += piece[..<count]
        }
        return (String(decoding: bytes, as: UTF8.self), false)
    }
}

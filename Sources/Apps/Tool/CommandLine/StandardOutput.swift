import CLinux
import Glibc
import SystemPackage

/// `print` buffers its output and ignores errors of writing.
enum StandardOutput {
    /// From now on a program whose output could not be written, because a disk is full or a pipe closed, says so when it ends, and has the
    /// exit status 74.
    static func checkAtExit() {
        atexit {
            guard !standardOutputIsWritten() else { return }
            warn("standard output: cannot be written")
            _exit(Exit.inputOutput.rawValue)
        }
    }

    /// Writes `line` and a newline at once, also through a pipe. Ends the program where the pipe's reader has gone. Throws `Errno`.
    static func write(line: [UInt8]) throws {
        do {
            _ = try FileDescriptor.standardOutput.writeAll(line + [UInt8(ascii: "\n")])
        } catch Errno.brokenPipe {
            HeldSignal.obey(SIGPIPE)
        }
    }
}

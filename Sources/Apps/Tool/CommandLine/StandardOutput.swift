import CLinux
import Glibc

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
}

import Foundation

/// Has whoever opens a file wait, as a file system does that does not answer: by a lease, which the kernel takes away after 45 s
/// (fcntl(2), F_SETLEASE). For the owner of a regular file.
public final class HangingFile {
    private let descriptor: CInt

    public init(_ path: String) throws {
        // Who wants the file is told to its holder by this signal, which ends a process that does not expect it.
        signal(SIGIO, SIG_IGN)
        descriptor = open(path, O_RDWR | O_CLOEXEC)
        let setLease: CInt = 1024
        guard fcntl(descriptor, setLease, F_WRLCK) == 0 else {
            throw LineSocket.Failed(description: "\(path): no lease: \(String(cString: strerror(errno)))")
        }
    }

    deinit { close(descriptor) }
}

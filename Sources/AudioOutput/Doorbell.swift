import CLinux
import Glibc

/// Wakes a thread that waits in poll: an eventfd.
public final class Doorbell: Sendable {
    public let descriptor: Int32

    public init() {
        descriptor = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
        precondition(descriptor >= 0, "eventfd: \(String(cString: strerror(errno)))")
    }

    deinit { close(descriptor) }

    /// Never waits, allocates or fails; ringing twice is ringing once. Thread: any.
    public func ring() { eventfd_write(descriptor, 1) }

    /// Forgets that it rang.
    func clear() {
        var count: eventfd_t = 0
        eventfd_read(descriptor, &count)
    }

    /// Waits until it rings, at most so many milliseconds, and forgets it. False if it has not rung.
    @discardableResult
    public func hasRung(within milliseconds: Int32) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&entry, 1, milliseconds) > 0 else { return false }
        clear()
        return true
    }
}

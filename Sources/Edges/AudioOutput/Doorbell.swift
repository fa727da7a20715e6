import CLinux
import Glibc
import Synchronization

/// Wakes a thread that waits in poll: an eventfd.
public final class Doorbell: Sendable {
    public let descriptor: Int32
    /// It has rung, and nobody has heard it yet: ringing again would change nothing, and cost a call of the kernel.
    private let isRinging = Atomic(false)

    public init() {
        descriptor = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
        precondition(descriptor >= 0, "eventfd: \(String(cString: strerror(errno)))")
    }

    deinit { close(descriptor) }

    /// Never waits, allocates or fails; ringing twice is ringing once. Thread: any.
    public func ring() {
        if !isRinging.exchange(true, ordering: .acquiringAndReleasing) { eventfd_write(descriptor, 1) }
    }

    /// Forgets that it rang. What is to be done about it is looked for afterwards.
    func clear() {
        var count: eventfd_t = 0
        eventfd_read(descriptor, &count)
        heard()
    }

    /// For whoever has read the descriptor himself: to be called then, and before looking for what is to be done.
    public func heard() {
        // An exchange and not a store, so that what was done before the last ring is seen after it.
        _ = isRinging.exchange(false, ordering: .acquiringAndReleasing)
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

import Dispatch
import Synchronization

/// A queue of bounded length between two threads: a producer, which puts elements in and waits while the queue is full, and a consumer,
/// which takes them out and waits while it is empty. So a long journal is read, rendered and written at the same time, in constant memory.
final class BoundedChannel<Element: Sendable>: Sendable {
    private struct Belt {
        var elements: [Element?] = []
        var isAbandoned = false
    }

    private let belt = Mutex(Belt())
    // Both begin at zero: Dispatch traps on a semaphore that goes with less than it began with.
    private let room = DispatchSemaphore(value: 0)
    private let waiting = DispatchSemaphore(value: 0)

    init(capacity: Int) {
        for _ in 0..<capacity { room.signal() }
    }

    /// Creates a channel that is filled by `producer` on a thread of its own. The channel ends when `producer` returns.
    static func start(capacity: Int, _ producer: @escaping @Sendable (BoundedChannel) -> Void) -> BoundedChannel {
        let channel = BoundedChannel(capacity: capacity)
        // A queue of its own gets a thread at once; a global one may first wait for others to become free.
        DispatchQueue(label: "channel").async {
            producer(channel)
            channel.put(nil)
        }
        return channel
    }

    /// Puts an element in; nil stands for the end. Returns true, or false when the consumer has abandoned the channel. Thread: the
    /// producer's.
    @discardableResult
    func put(_ element: Element?) -> Bool {
        room.wait()
        let isWanted = belt.withLock { belt in
            belt.elements.append(element)
            return !belt.isAbandoned
        }
        waiting.signal()
        return isWanted
    }

    /// Returns the next element; nil when the producer has ended. Must not be called again after nil. Thread: the consumer's.
    func take() -> Element? {
        waiting.wait()
        let element = belt.withLock { $0.elements.removeFirst() }
        room.signal()
        return element
    }

    /// Tells the producer that nothing more will be taken. A producer that waits goes on, and `put` returns false from then on. Thread: the
    /// consumer's.
    func abandon() {
        belt.withLock { $0.isAbandoned = true }
        // One for what it waits with, one for its end.
        room.signal()
        room.signal()
    }
}

import Synchronization

/// A bounded queue between exactly two threads, neither of which ever waits.
///
/// Its two ends can be moved but not copied, so there is never a second producer or consumer.
public enum Ring {
    /// Makes a ring. `capacity` is rounded up to a power of two.
    public static func make<Element: BitwiseCopyable & Sendable>(
        of type: Element.Type = Element.self, capacity: Int
    ) -> Ends<Element> {
        let storage = RingStorage<Element>(capacity: capacity)
        return Ends(producer: RingProducer(storage), consumer: RingConsumer(storage))
    }

    /// The two owners, to be taken apart once.
    @frozen
    public struct Ends<Element: BitwiseCopyable & Sendable>: ~Copyable {
        public let producer: RingProducer<Element>
        public let consumer: RingConsumer<Element>
    }
}

/// The writing end. Thread: one, whichever owns it.
public struct RingProducer<Element: BitwiseCopyable & Sendable>: ~Copyable, Sendable {
    @usableFromInline let storage: RingStorage<Element>
    @usableFromInline var staged = 0

    @usableFromInline init(_ storage: RingStorage<Element>) { self.storage = storage }

    /// Adds an element that the consumer sees at once. Returns false, and writes nothing, when the ring is full.
    @inlinable public mutating func push(_ element: Element) -> Bool {
        guard stage(element) else { return false }
        publish()
        return true
    }

    /// Adds an element that the consumer sees only after `publish`, so that what belongs together arrives together. Returns false, and
    /// writes nothing, when the ring is full.
    @inlinable public mutating func stage(_ element: Element) -> Bool {
        let tail = storage.tail.load(ordering: .relaxed) &+ staged
        guard tail &- storage.head.load(ordering: .acquiring) < storage.capacity else { return false }
        storage.slots[tail & (storage.capacity - 1)] = element
        staged += 1
        return true
    }

    /// Hands over all staged elements at once.
    @inlinable public mutating func publish() {
        storage.tail.wrappingAdd(staged, ordering: .releasing)
        staged = 0
    }

    /// The number of elements that can certainly be staged; the consumer may have made more room since.
    @inlinable public var room: Int {
        storage.capacity - (storage.tail.load(ordering: .relaxed) &+ staged &- storage.head.load(ordering: .acquiring))
    }
}

/// The reading end. Thread: one, whichever owns it.
public struct RingConsumer<Element: BitwiseCopyable & Sendable>: ~Copyable, Sendable {
    @usableFromInline let storage: RingStorage<Element>

    @usableFromInline init(_ storage: RingStorage<Element>) { self.storage = storage }

    /// Returns the oldest element and leaves it in the ring; nil when the ring is empty.
    @inlinable public func peek() -> Element? {
        let head = storage.head.load(ordering: .relaxed)
        guard head != storage.tail.load(ordering: .acquiring) else { return nil }
        return storage.slots[head & (storage.capacity - 1)]
    }

    /// Removes the element that `peek` returned. Call it once for each.
    @inlinable public mutating func drop() {
        storage.head.wrappingAdd(1, ordering: .releasing)
    }
}

// Safe to share, because each slot is one side's alone, and the acquire/release pairs on `head` and `tail` hand it over.
@usableFromInline final class RingStorage<Element: BitwiseCopyable & Sendable>: @unchecked Sendable {
    @usableFromInline let capacity: Int
    @usableFromInline let slots: UnsafeMutablePointer<Element>
    /// The numbers of elements ever removed and ever added, which wrap around.
    @usableFromInline let head = Atomic<Int>(0)
    @usableFromInline let tail = Atomic<Int>(0)

    init(capacity: Int) {
        precondition(capacity > 0 && capacity <= 1 << 30, "a ring holds 1 to 2^30 elements")
        var power = 1
        while power < capacity { power *= 2 }
        self.capacity = power
        slots = .allocate(capacity: power)
    }

    deinit { slots.deallocate() }
}

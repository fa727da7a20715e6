import Synchronization

/// A bounded queue between exactly two threads, neither of which ever waits.
///
/// The two ends of the queue can be moved but not copied, so there is never a second producer or consumer.
public enum Ring {
    /// Makes a ring. `capacity` is rounded up to a power of two.
    public static func make<Element: BitwiseCopyable & Sendable>(
        of type: Element.Type = Element.self, capacity: Int
    ) -> Ends<Element> {
        let storage = RingStorage<Element>(capacity: capacity)
        return Ends(producer: RingProducer(storage), consumer: RingConsumer(storage))
    }

    /// The writing end and the reading end of a new ring. Its owner hands each end to the thread that uses it.
    @frozen
    public struct Ends<Element: BitwiseCopyable & Sendable>: ~Copyable {
        public let producer: RingProducer<Element>
        public let consumer: RingConsumer<Element>
    }
}

/// The writing end. Thread: the one that owns it, and no other.
public struct RingProducer<Element: BitwiseCopyable & Sendable>: ~Copyable, Sendable {
    @usableFromInline let storage: RingStorage<Element>
    @usableFromInline var staged = 0

    @usableFromInline init(_ storage: RingStorage<Element>) { self.storage = storage }

    /// Adds an element, which the consumer can read at once. When the ring is full, returns false and adds nothing.
    @inlinable public mutating func push(_ element: Element) -> Bool {
        guard stage(element) else { return false }
        publish()
        return true
    }

    /// Adds an element that the consumer cannot read before `publish` is called, so that elements that belong together arrive together.
    /// When the ring is full, returns false and adds nothing.
    @inlinable public mutating func stage(_ element: Element) -> Bool {
        let tail = storage.tail.load(ordering: .relaxed) &+ staged
        guard tail &- storage.head.load(ordering: .acquiring) < storage.capacity else { return false }
        storage.slots[tail & (storage.capacity - 1)] = element
        staged += 1
        return true
    }

    /// Lets the consumer read all staged elements at once.
    @inlinable public mutating func publish() {
        storage.tail.wrappingAdd(staged, ordering: .releasing)
        staged = 0
    }

    /// The number of elements that can certainly be staged. The consumer may meanwhile have made room for more.
    @inlinable public var room: Int {
        storage.capacity - (storage.tail.load(ordering: .relaxed) &+ staged &- storage.head.load(ordering: .acquiring))
    }
}

/// The reading end. Thread: the one that owns it, and no other.
public struct RingConsumer<Element: BitwiseCopyable & Sendable>: ~Copyable, Sendable {
    @usableFromInline let storage: RingStorage<Element>

    @usableFromInline init(_ storage: RingStorage<Element>) { self.storage = storage }

    /// Returns the oldest element without removing it; nil when the ring is empty.
    @inlinable public func peek() -> Element? {
        let head = storage.head.load(ordering: .relaxed)
        guard head != storage.tail.load(ordering: .acquiring) else { return nil }
        return storage.slots[head & (storage.capacity - 1)]
    }

    /// Removes the element that `peek` returned. Call this once for each element.
    @inlinable public mutating func drop() {
        storage.head.wrappingAdd(1, ordering: .releasing)
    }
}

// Safe to share: each slot belongs to one side alone, and changes sides by the acquire/release pairs on `head` and `tail`.
@usableFromInline final class RingStorage<Element: BitwiseCopyable & Sendable>: @unchecked Sendable {
    @usableFromInline let capacity: Int
    @usableFromInline let slots: UnsafeMutablePointer<Element>
    /// The number of elements ever removed; `tail` is the number ever added. Both wrap around.
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

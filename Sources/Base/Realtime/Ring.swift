import Synchronization

/// A bounded queue between exactly two threads, neither of which ever waits.
///
/// Built as two ends that can be moved but not copied, so a second producer or consumer cannot come to be.
public enum Ring {
    /// `capacity` is rounded up to a power of two.
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

    /// False, and nothing written, when the ring is full.
    @inlinable public mutating func push(_ element: Element) -> Bool {
        guard stage(element) else { return false }
        publish()
        return true
    }

    /// Like `push`, but the consumer sees nothing of it before `publish`: what belongs together arrives together.
    @inlinable public mutating func stage(_ element: Element) -> Bool {
        let tail = storage.tail.load(ordering: .relaxed) &+ staged
        guard tail &- storage.head.load(ordering: .acquiring) < storage.capacity else { return false }
        storage.slots[tail & (storage.capacity - 1)] = element
        staged += 1
        return true
    }

    /// Hands over all that was staged, at once.
    @inlinable public mutating func publish() {
        storage.tail.wrappingAdd(staged, ordering: .releasing)
        staged = 0
    }

    /// Elements that can be staged for certain; the consumer may have made more room since.
    @inlinable public var room: Int {
        storage.capacity - (storage.tail.load(ordering: .relaxed) &+ staged &- storage.head.load(ordering: .acquiring))
    }
}

/// The reading end. Thread: one, whichever owns it.
public struct RingConsumer<Element: BitwiseCopyable & Sendable>: ~Copyable, Sendable {
    @usableFromInline let storage: RingStorage<Element>

    @usableFromInline init(_ storage: RingStorage<Element>) { self.storage = storage }

    /// The oldest element, left where it is; nil when the ring is empty.
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
    /// Elements ever popped and pushed, wrapping.
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

import Synchronization

/// The newest of a long row of numbered values. One thread writes, others read at any time, and nobody waits. A value has 32 bits and is
/// always seen whole, with the last 32 bits of its number.
public enum HistoryBuffer {
    /// Makes a buffer that keeps at least the last `capacity` values; at most 2³¹.
    public static func make(capacity: Int) -> Ends {
        precondition((1...1 << 31).contains(capacity), "a number is told from another by 32 bits")
        let storage = HistoryStorage(capacity)
        return Ends(writer: HistoryWriter(storage), reader: HistoryReader(storage, capacity: capacity))
    }

    /// The two ends, to be taken apart once.
    @frozen
    public struct Ends: ~Copyable {
        public let writer: HistoryWriter
        public let reader: HistoryReader
    }
}

/// The writing end. Thread: one, whichever owns it.
public struct HistoryWriter: ~Copyable, Sendable {
    @usableFromInline let storage: HistoryStorage

    @usableFromInline init(_ storage: HistoryStorage) { self.storage = storage }

    @inlinable public mutating func write(_ value: UInt32, at number: Int64) {
        let word = UInt64(value) << 32 | UInt64(UInt32(truncatingIfNeeded: number))
        storage.slots[Int(number) & storage.mask].store(word, ordering: .relaxed)
    }
}

extension HistoryWriter {
    /// Returns the value of that number; nil when it was never written, or has been overwritten since.
    @inlinable public func read(at number: Int64) -> UInt32? {
        historyValue(in: storage.slots[Int(number) & storage.mask].load(ordering: .relaxed), at: number)
    }
}

/// The reading end. Thread: any.
public struct HistoryReader: Sendable {
    @usableFromInline let storage: HistoryStorage

    fileprivate init(_ storage: HistoryStorage, capacity: Int) {
        self.storage = storage
        self.capacity = capacity
    }

    /// The number of newest values that are kept at least.
    public let capacity: Int

    /// Returns the value of that number; nil when it was never written, or has been overwritten since.
    @inlinable public func read(at number: Int64) -> UInt32? {
        historyValue(in: storage.slots[Int(number) & storage.mask].load(ordering: .relaxed), at: number)
    }
}

// Safe to share, because the pointer never changes and every slot behind it is atomic.
@usableFromInline final class HistoryStorage: @unchecked Sendable {
    @usableFromInline let slots: UnsafeMutablePointer<Atomic<UInt64>>
    @usableFromInline let mask: Int

    init(_ capacity: Int) {
        var size = 2
        while size < capacity { size *= 2 }
        mask = size - 1
        slots = .allocate(capacity: size)
        // With the number of a neighbour, which is never asked for here.
        for index in 0..<size { (slots + index).initialize(to: Atomic(UInt64(index ^ 1))) }
    }

    deinit { slots.deallocate() }
}

/// Returns the value in a slot's word if it is of that number, else nil. A free function, because a static one would cost the real-time
/// rule its type's metadata.
@inlinable func historyValue(in word: UInt64, at number: Int64) -> UInt32? {
    UInt32(truncatingIfNeeded: word) == UInt32(truncatingIfNeeded: number) ? UInt32(truncatingIfNeeded: word >> 32) : nil
}

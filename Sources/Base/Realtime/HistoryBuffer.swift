import Synchronization

/// The newest of a long row of numbered values: one thread writes, others look whenever they like, and nobody waits. A value of 48 bits
/// is always seen whole. It is told from others by its number's last 16 bits: whoever asks for one 65,536 away from those there are may get
/// another's.
public enum HistoryBuffer {
    /// Keeps at least the last `capacity` numbers; at most 32,768.
    public static func make(capacity: Int) -> Ends {
        precondition((1...1 << 15).contains(capacity), "a number is told from another by 16 bits")
        let storage = HistoryStorage(capacity)
        return Ends(writer: HistoryWriter(storage), reader: HistoryReader(storage, capacity: capacity))
    }

    /// To be taken apart once.
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

    /// Of `value` the lower 48 bits are kept.
    @inlinable public mutating func write(_ value: UInt64, at number: Int64) {
        storage.slots[Int(number) & storage.mask].store(value << 16 | UInt64(truncatingIfNeeded: number) & 0xFFFF, ordering: .relaxed)
    }
}

/// The reading end. Thread: any.
public struct HistoryReader: Sendable {
    private let storage: HistoryStorage

    fileprivate init(_ storage: HistoryStorage, capacity: Int) {
        self.storage = storage
        self.capacity = capacity
    }

    /// How many there are at least.
    public let capacity: Int

    /// Nil when it was never written, or has been overwritten since.
    public func read(at number: Int64) -> UInt64? {
        let word = storage.slots[Int(number) & storage.mask].load(ordering: .relaxed)
        return word & 0xFFFF == UInt64(truncatingIfNeeded: number) & 0xFFFF ? word >> 16 : nil
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

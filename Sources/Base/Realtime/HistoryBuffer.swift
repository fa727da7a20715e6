import Synchronization

/// Keeps the newest values of a long series, which are numbered. One thread writes, other threads may read at any time, and nobody waits. A
/// value has 32 bits. It is stored in one atomic word together with the low 32 bits of its number, so a reader never sees half a value.
public enum HistoryBuffer {
    /// Makes a buffer for at least the last `capacity` values, 1…2³¹.
    public static func make(capacity: Int) -> Ends {
        precondition((1...1 << 31).contains(capacity), "a number is told from another by 32 bits")
        let storage = HistoryStorage(capacity)
        return Ends(writer: HistoryWriter(storage), reader: HistoryReader(storage, capacity: capacity))
    }

    /// The writing end and the reading end of a new buffer. Its owner hands each end to the thread that uses it.
    @frozen
    public struct Ends: ~Copyable {
        public let writer: HistoryWriter
        public let reader: HistoryReader
    }
}

/// The writing end. Thread: the one that owns it, and no other.
public struct HistoryWriter: ~Copyable, Sendable {
    @usableFromInline let storage: HistoryStorage

    @usableFromInline init(_ storage: HistoryStorage) { self.storage = storage }

    @inlinable public mutating func write(_ value: UInt32, at number: Int64) {
        let word = UInt64(value) << 32 | UInt64(UInt32(truncatingIfNeeded: number))
        storage.slots[Int(number) & storage.mask].store(word, ordering: .relaxed)
    }
}

extension HistoryWriter {
    /// Returns the value with `number`; nil when no value with this number was written, or when another value has overwritten it since.
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

    /// The number of newest values that can certainly be read; there may be room for more.
    public let capacity: Int

    /// Returns the value with `number`; nil when no value with this number was written, or when another value has overwritten it since.
    @inlinable public func read(at number: Int64) -> UInt32? {
        historyValue(in: storage.slots[Int(number) & storage.mask].load(ordering: .relaxed), at: number)
    }
}

extension HistoryReader {
    /// A plain pointer to the buffer, for values that are copied without counting references. It must not outlive the reader.
    public var view: HistoryView { HistoryView(slots: storage.slots, mask: storage.mask) }
}

/// A reading end that does not own the buffer: a plain pointer. Thread: any.
// Safe to share, because the pointer never changes and every slot behind it is atomic.
@frozen public struct HistoryView: BitwiseCopyable, Equatable, @unchecked Sendable {
    @usableFromInline let slots: UnsafeMutablePointer<Atomic<UInt64>>
    @usableFromInline let mask: Int

    fileprivate init(slots: UnsafeMutablePointer<Atomic<UInt64>>, mask: Int) {
        self.slots = slots
        self.mask = mask
    }

    /// Returns the value with `number`; nil when no value with this number was written, or when another value has overwritten it since.
    @inlinable public func read(at number: Int64) -> UInt32? {
        historyValue(in: slots[Int(number) & mask].load(ordering: .relaxed), at: number)
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
        // Each empty slot has the number of its neighbour, for which no reader looks in this slot.
        for index in 0..<size { (slots + index).initialize(to: Atomic(UInt64(index ^ 1))) }
    }

    deinit { slots.deallocate() }
}

/// Returns the value in `word`, the content of a slot, if it is the value with `number`; otherwise nil. This is a free function: calling a
/// static one needs its type's metadata, which the compiler's real-time rule does not allow.
@inlinable func historyValue(in word: UInt64, at number: Int64) -> UInt32? {
    UInt32(truncatingIfNeeded: word) == UInt32(truncatingIfNeeded: number) ? UInt32(truncatingIfNeeded: word >> 32) : nil
}

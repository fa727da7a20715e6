import Synchronization

/// A value that one thread replaces often and another thread reads at times. Neither of them ever waits, and a reader always sees one whole
/// value. `Latest` is for state, where only the newest value matters. Values that must not be lost go through a `Ring`.
public enum Latest {
    public static func make<Value: BitwiseCopyable & Sendable>(_ initial: Value) -> Ends<Value> {
        let storage = LatestStorage(initial)
        return Ends(writer: LatestWriter(storage), reader: LatestReader(storage))
    }

    /// The writing end and the reading end of a new `Latest`. Its owner hands each end to the thread that uses it.
    @frozen
    public struct Ends<Value: BitwiseCopyable & Sendable>: ~Copyable {
        public let writer: LatestWriter<Value>
        public let reader: LatestReader<Value>
    }
}

/// The writing end. Thread: the one that owns it, and no other.
public struct LatestWriter<Value: BitwiseCopyable & Sendable>: ~Copyable, Sendable {
    @usableFromInline let storage: LatestStorage<Value>
    @usableFromInline var mine = 0

    @usableFromInline init(_ storage: LatestStorage<Value>) { self.storage = storage }

    @inlinable public mutating func publish(_ value: Value) {
        storage.slots[mine] = value
        mine = storage.middle.exchange(mine | freshBit, ordering: .acquiringAndReleasing)
            & slotMask
    }
}

/// The reading end. Thread: the one that owns it, and no other.
public struct LatestReader<Value: BitwiseCopyable & Sendable>: ~Copyable, Sendable {
    @usableFromInline let storage: LatestStorage<Value>
    @usableFromInline var mine = 2

    @usableFromInline init(_ storage: LatestStorage<Value>) { self.storage = storage }

    /// Returns the value that was published last.
    @inlinable public mutating func read() -> Value {
        if storage.middle.load(ordering: .relaxed) & freshBit != 0 {
            mine = storage.middle.exchange(mine, ordering: .acquiringAndReleasing) & slotMask
        }
        return storage.slots[mine]
    }
}

/// A triple buffer: the writer owns one slot, the reader another, and the slot in the middle passes from one to the other.
// Safe to share: each slot belongs to one side alone, and changes sides by the acquire-release exchange of `middle`.
@usableFromInline final class LatestStorage<Value: BitwiseCopyable & Sendable>: @unchecked Sendable {
    @usableFromInline let slots: UnsafeMutablePointer<Value>
    @usableFromInline let middle = Atomic<Int>(1)

    init(_ initial: Value) {
        slots = .allocate(capacity: 3)
        slots.initialize(repeating: initial, count: 3)
    }

    deinit { slots.deallocate() }
}

/// The bit of `middle` that is set while the slot in the middle holds a value that the reader has not seen.
@usableFromInline var freshBit: Int { @inlinable @inline(__always) get { 4 } }
@usableFromInline var slotMask: Int { @inlinable @inline(__always) get { 3 } }

/// Text of at most 128 bytes without any pointer, so that it can pass between threads. Longer text is cut off.
public struct FixedText: Sendable, Equatable, BitwiseCopyable, CustomStringConvertible {
    private var bytes = InlineArray<128, UInt8>(repeating: 0)
    private var count = 0

    public init(_ text: String = "") {
        for byte in text.utf8.prefix(bytes.count) {
            bytes[count] = byte
            count += 1
        }
    }

    public var description: String { String(decoding: (0..<count).map { bytes[$0] }, as: UTF8.self) }

    public static func == (a: FixedText, b: FixedText) -> Bool {
        a.count == b.count && (0..<a.count).allSatisfy { a.bytes[$0] == b.bytes[$0] }
    }
}

import Synchronization

/// A value that is made when somebody asks for it first, and kept. Thread: any; whoever asks meanwhile waits.
final class MadeOnce<Value: Sendable>: Sendable {
    private let value = Mutex<Value?>(nil)
    private let make: @Sendable () -> Value

    init(_ make: @escaping @Sendable () -> Value) { self.make = make }

    func get() -> Value {
        value.withLock { value in
            if let value { return value }
            let made = make()
            value = made
            return made
        }
    }
}

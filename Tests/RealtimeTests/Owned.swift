import Synchronization

/// Carries an end that cannot be copied into a task.
final class Owned<Value: ~Copyable & Sendable>: Sendable {
    private let value: Mutex<Value>

    init(_ value: consuming sending Value) { self.value = Mutex(value) }

    func with<Result: Sendable>(_ body: (inout sending Value) -> sending Result) -> Result { value.withLock(body) }
}

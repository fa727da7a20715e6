import Dispatch
import Synchronization

/// A value that is made on another thread while a start goes on. Thread: any.
final class Prepared<Value: Sendable>: Sendable {
    private let value = Mutex<Value?>(nil)
    private let making = DispatchGroup()

    init(_ make: @escaping @Sendable () -> Value) {
        DispatchQueue.global().async(group: making) {
            let made = make()
            self.value.withLock { $0 = made }
        }
    }

    /// Waits until the value is made.
    func get() -> Value {
        while true {
            if let made = value.withLock({ $0 }) { return made }
            making.wait()
        }
    }
}

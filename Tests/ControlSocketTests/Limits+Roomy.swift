import ControlSocket
import NIOCore

extension Limits {
    /// More than a test needs, but for what it says.
    init(clients: Int = 256, line: Int = 65_536, rate: Int = 100_000, subscribers: Int = 256, for timeout: TimeAmount = .seconds(10)) {
        self.init(clients: clients, line: line, rate: rate, subscribers: subscribers, timeout: timeout)
    }
}

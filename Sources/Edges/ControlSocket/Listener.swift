/// A listening socket. It can be lost while it is open: its file is removed, or the socket fails. Thread: any.
public protocol Listener: Sendable {
    /// False when it has failed for good.
    var isOpen: Bool { get }
    /// Whether `mend` has something to do. Quick enough for an event loop: it asks the file system for two files at most.
    var isLost: Bool { get }
    /// What is wrong although it is open; nil when nothing is.
    var issue: String? { get }
    /// Opens it again where clients cannot find it any more; connected clients stay. Returns whether that was needed. Throws
    /// `ControlSocketError` when it cannot be opened; then it can be tried again.
    func mend() async throws -> Bool
    /// Accepts nobody any more.
    func close() async
}

extension Listener {
    public var isOpen: Bool { true }
    public var isLost: Bool { false }
    public var issue: String? { nil }
    public func mend() async throws -> Bool { false }
}

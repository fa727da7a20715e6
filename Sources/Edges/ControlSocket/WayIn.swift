/// Something that clients come in by, and that can be lost while it is open: the file of a socket removed, a listening socket failed.
/// Thread: any.
public protocol WayIn: Sendable {
    /// False when it has failed, and cannot be mended.
    var isOpen: Bool { get }
    /// What is not as it should be although it is open; nil when all is well.
    var issue: String? { get }
    /// Opens it again where clients do not find it any more; those that are connected stay. Returns whether it had to. Throws
    /// `ControlSocketError` when it cannot be opened again; then it can be tried again.
    func mend() async throws -> Bool
    /// Nobody comes in any more.
    func close() async
}

extension WayIn {
    public var isOpen: Bool { true }
    public var issue: String? { nil }
    public func mend() async throws -> Bool { false }
}

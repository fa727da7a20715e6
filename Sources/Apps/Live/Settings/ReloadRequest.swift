import Wire

/// Somebody wants the settings to be read again.
public struct ReloadRequest: Sendable {
    public enum Outcome: Equatable, Sendable {
        case done(ReloadReport)
        /// Nothing has changed: what is wrong, a fault each.
        case bad([String])
        /// Nothing has changed: the daemon is to stop.
        case givenUp
    }

    /// Is to be called once. Thread: any.
    public let answer: @Sendable (Outcome) -> Void

    public init(answer: @escaping @Sendable (Outcome) -> Void) { self.answer = answer }

    /// One that nobody waits for, such as a signal.
    public static var signal: ReloadRequest { ReloadRequest { _ in } }
}

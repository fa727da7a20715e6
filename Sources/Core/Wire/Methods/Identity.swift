/// Who is at the other end of a connection, as far as anybody knows. What needs two people asks for two of these.
public enum Identity: Hashable, Sendable {
    /// A user of this machine, by number, as the kernel says.
    case user(UInt32)
    /// Whoever has the token of this name.
    case token(String)
    /// A page of this machine without a token, or a sender of OSC.
    case unknown
}

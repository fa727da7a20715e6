import Glibc
import Wire

/// By what name an operator proposes and approves. Two names are two people: a token is one person's, and so is a user of this machine.
enum OperatorName {
    /// Nil for one of whom nobody knows who it is. Asks the system for a user's name, which may wait for a server.
    static func of(_ identity: Identity) -> String? {
        switch identity {
        case .user(let number): user(number) ?? "user-\(number)"
        case .token(let name): name
        case .unknown: nil
        }
    }

    /// Nil for a user without a name.
    private static func user(_ number: UInt32) -> String? {
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        var text = [CChar](repeating: 0, count: 16_384)
        return text.withUnsafeMutableBufferPointer { text in
            guard let start = text.baseAddress, getpwuid_r(number, &entry, start, text.count, &found) == 0, found != nil,
                  let name = entry.pw_name else { return nil }
            return String(cString: name)
        }
    }
}

import Glibc
import Wire

/// Which person an operator is. Two names are two people; several tokens of one person have one name.
enum OperatorName {
    /// Nil where nobody knows who it is, or the system does not say what a user is called. Asks the system, which may wait for a server.
    static func of(_ identity: Identity) -> String? {
        switch identity {
        case .user(let number): user(number)
        case .token(let name): TokenName.person(name)
        case .unknown: nil
        }
    }

    /// Never a name made up from the number: whoever is asked for twice, once while the system does not answer, would be two people.
    private static func user(_ number: UInt32) -> String? {
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        var text = [CChar](repeating: 0, count: 65_536)
        return text.withUnsafeMutableBufferPointer { text in
            guard let start = text.baseAddress, getpwuid_r(number, &entry, start, text.count, &found) == 0, found != nil,
                  let name = entry.pw_name else { return nil }
            return String(cString: name)
        }
    }
}

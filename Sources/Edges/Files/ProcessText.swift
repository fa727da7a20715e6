import Fields
import SystemPackage

/// The texts that the system hands a program: the words of its command line, and the variables of its environment. They are bytes. A text
/// made of bytes that are no UTF-8 names another place than was meant, so these are refused.
public enum ProcessText {
    /// The words after the program's name.
    public static var words: [[UInt8]] {
        (1..<max(1, Int(CommandLine.argc))).compactMap { index in CommandLine.unsafeArgv[index].map { bytes($0) } }
    }

    /// The variables as the process was started with them, each `NAME=value`.
    public static var variables: [[UInt8]] {
        guard let file = try? FileDescriptor.open("/proc/self/environ", .readOnly, options: [.closeOnExec]) else { return [] }
        defer { try? file.close() }
        return ((try? file.bytes()) ?? []).split(separator: 0).map { Array($0) }
    }

    /// A fault for each word that is no UTF-8, with the flag in front of it.
    public static func faults(inWords words: [[UInt8]]) -> [Fault] {
        words.indices.filter { !isText(words[$0]) }.map { index in
            let before = index > 0 ? String(decoding: words[index - 1], as: UTF8.self) : ""
            return fault(before.hasPrefix("--") ? before : "word \(index + 1) of the command line", words[index])
        }
    }

    /// A fault for each variable that is no UTF-8, of those that name places.
    public static func faults(inVariables variables: [[UInt8]]) -> [Fault] {
        variables.compactMap { variable in
            let parts = variable.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, !isText(parts[1]) else { return nil }
            let name = String(decoding: parts[0], as: UTF8.self)
            return namesPlace(name) ? fault(name, parts[1]) : nil
        }
    }

    private static func namesPlace(_ name: String) -> Bool {
        name.hasPrefix("THRUM_") || name.hasPrefix("XDG_") || name.hasSuffix("_DIRECTORY") || ["HOME", "NOTIFY_SOCKET"].contains(name)
    }

    private static func fault(_ field: String, _ bytes: some Collection<UInt8>) -> Fault {
        Fault(field: field, expected: "text in UTF-8", found: "\"\(shown(bytes))\"")
    }

    private static func isText(_ bytes: some Collection<UInt8>) -> Bool { String(validating: bytes, as: UTF8.self) != nil }

    /// `bytes` as text, in which each byte that is no UTF-8 is `\xHH`.
    static func shown(_ bytes: some Collection<UInt8>) -> String {
        var text = ""
        var parser = Unicode.UTF8.ForwardParser()
        var rest = bytes.makeIterator()
        var place = bytes.startIndex
        while true {
            switch parser.parseScalar(from: &rest) {
            case .valid(let scalar):
                text.unicodeScalars.append(Unicode.UTF8.decode(scalar))
                place = bytes.index(place, offsetBy: scalar.count)
            case .error(let length):
                let end = bytes.index(place, offsetBy: length)
                for byte in bytes[place..<end] { text += "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true) }
                place = end
            case .emptyInput: return text
            }
        }
    }

    /// The bytes of a C string, without its zero.
    static func bytes(_ text: UnsafePointer<CChar>) -> [UInt8] {
        var length = 0
        while text[length] != 0 { length += 1 }
        return UnsafeBufferPointer(start: text, count: length).map { UInt8(bitPattern: $0) }
    }
}

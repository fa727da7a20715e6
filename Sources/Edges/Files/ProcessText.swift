import Fields
import SystemPackage

/// The bytes that the system passes to a program: the words of its command line, and the variables of its environment. If such bytes are
/// not UTF-8, text made of them would name another file than was meant, so they are refused.
public enum ProcessText {
    /// The words of the command line after the program's name.
    public static var words: [[UInt8]] {
        (1..<max(1, Int(CommandLine.argc))).compactMap { index in CommandLine.unsafeArgv[index].map { bytes($0) } }
    }

    /// The environment variables with which the process was started, each `NAME=value`.
    public static var variables: [[UInt8]] {
        guard let file = try? FileDescriptor.open("/proc/self/environ", .readOnly, options: [.closeOnExec]) else { return [] }
        defer { try? file.close() }
        return ((try? file.bytes()) ?? []).split(separator: 0).map { Array($0) }
    }

    /// Returns a fault for each word that is not UTF-8, with the flag before the word as its field.
    public static func faults(inWords words: [[UInt8]]) -> [Fault] {
        words.indices.filter { !isText(words[$0]) }.map { index in
            let before = index > 0 ? String(decoding: words[index - 1], as: UTF8.self) : ""
            return fault(before.hasPrefix("--") ? before : "word \(index + 1) of the command line", words[index])
        }
    }

    /// Returns a fault for each variable that names a file or folder but is not UTF-8.
    public static func faults(inVariables variables: [[UInt8]]) -> [Fault] {
        variables.compactMap { variable in
            let parts = variable.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, !isText(parts[1]) else { return nil }
            let name = String(decoding: parts[0], as: UTF8.self)
            return namesPath(name) ? fault(name, parts[1]) : nil
        }
    }

    private static func namesPath(_ name: String) -> Bool {
        name.hasPrefix("THRUM_") || name.hasPrefix("XDG_") || name.hasSuffix("_DIRECTORY") || ["HOME", "NOTIFY_SOCKET"].contains(name)
    }

    private static func fault(_ field: String, _ bytes: some Collection<UInt8>) -> Fault {
        Fault(field: field, expected: "text in UTF-8", found: "\"\(shown(bytes))\"")
    }

    private static func isText(_ bytes: some Collection<UInt8>) -> Bool { String(validating: bytes, as: UTF8.self) != nil }

    /// Returns `bytes` as text, in which each byte that is not UTF-8 is `\xHH`.
    static func shown(_ bytes: some Collection<UInt8>) -> String {
        var text = ""
        var parser = Unicode.UTF8.ForwardParser()
        var rest = bytes.makeIterator()
        var index = bytes.startIndex
        while true {
            switch parser.parseScalar(from: &rest) {
            case .valid(let scalar):
                text.unicodeScalars.append(Unicode.UTF8.decode(scalar))
                index = bytes.index(index, offsetBy: scalar.count)
            case .error(let length):
                let end = bytes.index(index, offsetBy: length)
                for byte in bytes[index..<end] { text += "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true) }
                index = end
            case .emptyInput: return text
            }
        }
    }

    /// Returns the bytes of a C string, without the zero at its end.
    static func bytes(_ text: UnsafePointer<CChar>) -> [UInt8] {
        var length = 0
        while text[length] != 0 { length += 1 }
        return UnsafeBufferPointer(start: text, count: length).map { UInt8(bitPattern: $0) }
    }
}

import ArgumentParser
import SystemPackage

/// A file name on the command line, which need not be UTF-8.
struct FileArgument: ExpressibleByArgument, Equatable, CustomStringConvertible {
    /// As `CommandWords` has it.
    let word: String

    init(argument: String) { word = argument }

    var path: FilePath {
        (CommandWords.bytes(of: word) + [0]).map { CChar(bitPattern: $0) }.withUnsafeBufferPointer { bytes in
            bytes.baseAddress.map { FilePath(platformString: $0) } ?? ""
        }
    }

    /// For people: what is no text is repaired.
    var description: String { path.string }

    /// Whether it is `-`: standard input or output.
    var isStandardStream: Bool { word == "-" }
}

/// The whole of a file. Throws `Errno`.
func readAll(_ path: FilePath) throws -> [UInt8] {
    let file = try FileDescriptor.open(path, .readOnly)
    return try file.closeAfter {
        var bytes: [UInt8] = []
        while true {
            let block = try [UInt8](unsafeUninitializedCapacity: 1 << 16) { block, count in
                count = try file.read(into: UnsafeMutableRawBufferPointer(block))
            }
            guard !block.isEmpty else { return bytes }
            bytes += block
        }
    }
}

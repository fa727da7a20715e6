import ArgumentParser
import Files
import SystemPackage

/// A file name on the command line, which need not be UTF-8.
struct FileArgument: ExpressibleByArgument, Equatable, CustomStringConvertible {
    /// The name as text that `CommandWords` has made of its bytes.
    let word: String

    init(argument: String) { word = argument }

    var path: FilePath {
        (CommandWords.bytes(of: word) + [0]).map { CChar(bitPattern: $0) }.withUnsafeBufferPointer { bytes in
            bytes.baseAddress.map { FilePath(platformString: $0) } ?? ""
        }
    }

    /// The name for people: what is no text is repaired.
    var description: String { path.string }

    /// Whether the name is `-`, which stands for standard input or output.
    var isStandardStream: Bool { word == "-" }
}

/// Reads the whole of a file. Throws `Errno`.
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

/// The words of the command line. The system hands them over as bytes, which need not be UTF-8: file names may hold anything but zeros and
/// slashes. The argument parser takes text, so each byte that is no text becomes a scalar of its own, and back again: the idea is that of
/// PEP 383, with the last 256 private scalars of Unicode in place of surrogates, which text cannot hold here.
enum CommandWords {
    private static let escapes: ClosedRange<UInt32> = 0x10_FF00...0x10_FFFF

    /// The words after the program's name.
    static var all: [String] { ProcessText.words.map { text(of: $0) } }

    /// Returns `bytes` as text, from which `bytes(of:)` makes the same bytes again.
    static func text(of bytes: [UInt8]) -> String {
        var scalars = String.UnicodeScalarView()
        func escape(_ bytes: some Sequence<UInt8>) {
            scalars.append(contentsOf: bytes.compactMap { Unicode.Scalar(escapes.lowerBound + UInt32($0)) })
        }
        var parser = Unicode.UTF8.ForwardParser()
        var rest = bytes.makeIterator()
        var position = 0
        while true {
            switch parser.parseScalar(from: &rest) {
            case .valid(let encoded):
                let scalar = Unicode.UTF8.decode(encoded)
                // A scalar that stands for a byte must not come from anywhere else.
                if escapes.contains(scalar.value) { escape(encoded) } else { scalars.append(scalar) }
                position += encoded.count
            case .error(let length):
                escape(bytes[position..<(position + length)])
                position += length
            case .emptyInput: return String(scalars)
            }
        }
    }

    /// Returns `word`, made by `text(of:)`, with the usual sign in place of what is no text.
    static func repaired(_ word: String) -> String { String(decoding: bytes(of: word), as: UTF8.self) }

    /// Returns the bytes that `word`, made by `text(of:)`, stands for.
    static func bytes(of word: String) -> [UInt8] {
        word.unicodeScalars.flatMap { scalar -> [UInt8] in
            escapes.contains(scalar.value) ? [UInt8(truncatingIfNeeded: scalar.value)] : Array(String(scalar).utf8)
        }
    }
}

import ArgumentParser
import Files
import Glibc
import SoundFile
import SystemPackage

/// A file name on the command line; its bytes need not be UTF-8.
struct FileArgument: ExpressibleByArgument, Equatable, CustomStringConvertible {
    /// The name as text, which `CommandWords` made of the name's bytes.
    let word: String

    init(argument: String) { word = argument }

    var path: FilePath {
        (CommandWords.bytes(of: word) + [0]).map { CChar(bitPattern: $0) }.withUnsafeBufferPointer { bytes in
            bytes.baseAddress.map { FilePath(platformString: $0) } ?? ""
        }
    }

    /// The name for people: bytes that are not UTF-8 are replaced.
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

/// The words of the command line as text. The system hands them over as bytes, which need not be UTF-8: file names may contain any bytes
/// but zeros and slashes. The argument parser takes only text. So each byte that is not UTF-8 is mapped to one Unicode scalar, and mapped
/// back later. This follows PEP 383, but uses the last 256 private-use scalars, because a Swift string cannot contain surrogates.
enum CommandWords {
    private static let escapes: ClosedRange<UInt32> = 0x10_FF00...0x10_FFFF

    /// The words after the program's name on the command line, as text.
    static var all: [String] { ProcessText.words.map { text(of: $0) } }

    /// Returns `bytes` as text. `bytes(of:)` turns that text into the same bytes again.
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
                // A scalar in the text that happens to be one of the 256 is escaped byte by byte, so that only bytes map to these scalars.
                if escapes.contains(scalar.value) { escape(encoded) } else { scalars.append(scalar) }
                position += encoded.count
            case .error(let length):
                escape(bytes[position..<(position + length)])
                position += length
            case .emptyInput: return String(scalars)
            }
        }
    }

    /// Returns `word`, made by `text(of:)`, with U+FFFD in place of bytes that are not UTF-8.
    static func repaired(_ word: String) -> String { String(decoding: bytes(of: word), as: UTF8.self) }

    /// Returns the bytes from which `text(of:)` has made `word`.
    static func bytes(of word: String) -> [UInt8] {
        word.unicodeScalars.flatMap { scalar -> [UInt8] in
            escapes.contains(scalar.value) ? [UInt8(truncatingIfNeeded: scalar.value)] : Array(String(scalar).utf8)
        }
    }
}

/// Creates the file `path` with what `write` writes to the descriptor. The file appears only when it is complete. If it cannot be created,
/// that is printed, and exit status 73 is thrown; an error of `write` is rethrown. `source` is the file from which `path` is made, if there
/// is one: it is never overwritten.
func create<Result>(_ path: FilePath, from source: FilePath?, replaces: Bool, advice: String = "; use -o - and redirect it there",
                    _ write: (FileDescriptor) throws -> Result) throws -> Result {
    if let source, isSame(path, source) {
        throw failure("\(path): is the file it would be made from", Exit.cannotCreate)
    }
    let file: PendingFile
    do {
        file = try PendingFile(path, replaces: replaces)
    } catch let errno as Errno {
        throw refusal(path, errno, advice)
    }
    let result = try write(file.descriptor)
    do {
        try file.publish()
    } catch let errno as Errno {
        throw refusal(path, errno, advice)
    }
    return result
}

/// Whether both paths lead to the same file, also by way of symbolic links.
private func isSame(_ a: FilePath, _ b: FilePath) -> Bool {
    var first = stat()
    var second = stat()
    return a.withPlatformString { stat($0, &first) } == 0 && b.withPlatformString { stat($0, &second) } == 0
        && first.st_dev == second.st_dev && first.st_ino == second.st_ino
}

private func refusal(_ path: FilePath, _ errno: Errno, _ advice: String) -> ExitCode {
    let reason = switch errno {
    case .fileExists: "the file exists; --force replaces it"
    case .invalidArgument: "is no regular file" + advice
    default: "\(errno)"
    }
    return failure("\(path): \(reason)", Exit.cannotCreate)
}

/// Makes a directory and its parents where they are missing. Throws an exit status.
func makeDirectory(_ path: FilePath) throws {
    do {
        try path.makeDirectories()
    } catch {
        throw failure("\(path): the directory cannot be made", Exit.cannotCreate)
    }
}

/// Throws a `ValidationError` where `--into`, `--output` and `--format` contradict each other, or do not suit the number of sessions.
func checkOutputOptions(of sessions: Int, into: FileArgument?, output: FileArgument?, format: String?) throws {
    if let into, output != nil { throw ValidationError("--into: expected none beside --output, found \(into)") }
    if let format, output != nil {
        throw ValidationError("--format: expected none beside --output, whose name says it, found \(format)")
    }
    guard into != nil || sessions == 1 else {
        throw ValidationError("expected one session, or --into and a directory for them, found \(sessions) sessions")
    }
}

import ArgumentParser
import Files
import Glibc
import SoundFile
import SystemPackage

/// Creates the file `path` with what `write` writes to the descriptor; the file appears only when it is whole. A fault of the file becomes
/// exit status 73, and an error of `write` is thrown on. `source` is the file that it is made from, if there is one.
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

/// Whether both paths lead to one file, by whatever links.
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

/// Makes a directory, and those above it, where they are not there yet. Throws an exit status.
func makeDirectory(_ path: FilePath) throws {
    do {
        try path.makeDirectories()
    } catch {
        throw failure("\(path): the directory cannot be made", Exit.cannotCreate)
    }
}

/// Throws a `ValidationError` where `--into`, `--output` and `--format` do not go together, or not with so many sessions.
func checkPlaces(of sessions: Int, into: FileArgument?, output: FileArgument?, format: String?) throws {
    if let into, output != nil { throw ValidationError("--into: expected none beside --output, found \(into)") }
    if let format, output != nil {
        throw ValidationError("--format: expected none beside --output, whose name says it, found \(format)")
    }
    guard into != nil || sessions == 1 else {
        throw ValidationError("expected one session, or --into and a directory for them, found \(sessions) sessions")
    }
}

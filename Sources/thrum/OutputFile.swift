import ArgumentParser
import SoundFile
import SystemPackage

/// Makes the file `path` of what `write` writes to the descriptor it is given, whole or not at all. What is wrong with
/// the file becomes exit status 73; what `write` throws goes on.
func create<Result>(_ path: FilePath, replaces: Bool, _ write: (FileDescriptor) throws -> Result) throws -> Result {
    let file: PendingFile
    do {
        file = try PendingFile(path, replaces: replaces)
    } catch let errno as Errno {
        throw refusal(path, errno)
    }
    let result = try write(file.descriptor)
    do {
        try file.publish()
    } catch let errno as Errno {
        throw refusal(path, errno)
    }
    return result
}

private func refusal(_ path: FilePath, _ errno: Errno) -> ExitCode {
    failure(errno == .fileExists ? "\(path): the file exists; --force replaces it" : "\(path): \(errno)",
            Exit.cannotCreate)
}

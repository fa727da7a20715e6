import Fields
import Files
import Glibc
import Signals
import SystemPackage

extension HapticPattern {
    /// Makes the paths of its sound files whole, since a journal keeps them: relative ones begin at `folder`. Throws `Fault` for one that
    /// cannot be read.
    mutating func findSounds(in folder: FilePath, field: String) throws {
        for index in sounds.indices {
            guard case .file(let name) = sounds[index].source else { continue }
            let path = Self.absolute(folder).pushing(FilePath(name)).lexicallyNormalized()
            guard PlainFile.isReadable(path.string) else {
                throw Fault(field: "\(field).sounds[\(index)].file", expected: "a sound file that can be read", found: "\"\(name)\"")
            }
            sounds[index].source = .file(path.string)
        }
    }

    private static func absolute(_ folder: FilePath) -> FilePath {
        guard let resolved = realpath(folder.isEmpty ? "." : folder.string, nil) else { return folder }
        defer { free(resolved) }
        return FilePath(String(cString: resolved))
    }
}

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
            guard let text = String(validating: path) else {
                throw Fault(field: "\(field).sounds[\(index)].file", expected: "a sound file whose whole path is text in UTF-8",
                            found: "\"\(path.shown)\"")
            }
            guard PlainFile.isReadable(text) else {
                throw Fault(field: "\(field).sounds[\(index)].file", expected: "a sound file that can be read", found: "\"\(name)\"")
            }
            sounds[index].source = .file(text)
        }
    }

    private static func absolute(_ folder: FilePath) -> FilePath {
        let folder: FilePath = folder.isEmpty ? "." : folder
        guard let resolved = folder.withPlatformString({ realpath($0, nil) }) else { return folder }
        defer { free(resolved) }
        return FilePath(platformString: resolved)
    }
}

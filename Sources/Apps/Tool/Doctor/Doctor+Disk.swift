import Files
import FoundationEssentials
import Glibc
import JournalFile
import SystemPackage

/// Checks whether journals can be written, and whether the disk has enough space for them.
extension Doctor {
    /// The free space, in bytes, below which no session should begin.
    private static let least: UInt64 = 16 << 20
    private static let plenty: UInt64 = 1 << 30

    func checkDisk() -> Diagnosis {
        guard let folder = folder.sessions?.path ?? SessionFolder.standard(ProcessInfo.processInfo.environment) else {
            return .trouble(.noFolder)
        }
        let existing = Self.nearest(folder)
        guard Self.isDirectory(existing) else { return .trouble(.noDirectory(existing)) }
        guard existing.withPlatformString({ access($0, W_OK | X_OK) }) == 0 else {
            return .trouble(.cannotWrite(existing, Errno(rawValue: errno)))
        }
        var volume = statvfs()
        guard existing.withPlatformString({ statvfs($0, &volume) }) == 0 else {
            return .trouble(.unknownSpace(existing, Errno(rawValue: errno)))
        }
        let words = existing == folder ? "\(folder)" : "\(folder), which the first session makes"
        let free = UInt64(volume.f_bavail) * UInt64(volume.f_frsize)
        let space = free < Self.plenty ? "\((Double(free) / 0x1p20).fixed(0)) MiB" : "\((Double(free) / 0x1p30).fixed(1)) GiB"
        return switch free {
        case ..<Self.least: .trouble(.noSpace("\(words): \(space) free", folder))
        case ..<Self.plenty: .trouble(.littleSpace("\(words): \(space) free", folder))
        default: .ok(.disk, "\(words): \(space) free")
        }
    }

    /// Returns `path` if it exists, else the nearest directory above it that does.
    private static func nearest(_ path: FilePath) -> FilePath {
        guard !path.isEmpty else { return "." }
        let parent = path.removingLastComponent()
        return path.information != nil || parent == path ? path : nearest(parent)
    }

    private static func isDirectory(_ path: FilePath) -> Bool {
        path.information.map { $0.st_mode & S_IFMT == S_IFDIR } ?? false
    }
}

import Files
import FoundationEssentials
import Glibc
import JournalFile
import SystemPackage

/// Whether journals can be written, and how many more.
extension Doctor {
    /// Bytes. With less than the least nothing should begin.
    private static let least: UInt64 = 16 << 20
    private static let plenty: UInt64 = 1 << 30

    func checkDisk() -> Diagnosis {
        guard let folder = folder.sessions?.path ?? SessionFolder.standard(ProcessInfo.processInfo.environment) else {
            return .problem(.disk, "no place for journals, because neither XDG_STATE_HOME nor HOME is set",
                            advice: "name one: --sessions DIRECTORY, here and for thrumd")
        }
        let place = Self.nearest(folder)
        guard Self.isDirectory(place) else {
            return .problem(.disk, "\(place): is no directory, so that journals have no place",
                            advice: "move it away, or name another directory: --sessions DIRECTORY, here and for thrumd")
        }
        guard place.withPlatformString({ access($0, W_OK | X_OK) }) == 0 else {
            return .problem(.disk, "\(place): journals cannot be written: \(Errno(rawValue: errno))",
                            advice: "sudo chown \"$USER\" \(place), or name another directory: --sessions DIRECTORY, here and for thrumd")
        }
        var volume = statvfs()
        guard place.withPlatformString({ statvfs($0, &volume) }) == 0 else {
            return .problem(.disk, "\(place): the space left cannot be told: \(Errno(rawValue: errno))",
                            advice: "name a directory on another disk: --sessions DIRECTORY, here and for thrumd")
        }
        let words = place == folder ? "\(folder)" : "\(folder), which the first session makes"
        return Self.judge(UInt64(volume.f_bavail) * UInt64(volume.f_frsize), folder, words)
    }

    private static func judge(_ free: UInt64, _ folder: FilePath, _ words: String) -> Diagnosis {
        let advice = "make room: thrum sessions prune --days 30 --sessions \(folder) says which old sessions would go; --yes removes them"
        let space = free < plenty ? "\(Report.fixed(Double(free) / 0x1p20, 0)) MiB" : "\(Report.fixed(Double(free) / 0x1p30, 1)) GiB"
        return switch free {
        case ..<least: .problem(.disk, "\(words): \(space) free, too little for journals", advice: advice)
        case ..<plenty: .warning(.disk, "\(words): \(space) free, which does not last", advice: advice)
        default: .ok(.disk, "\(words): \(space) free")
        }
    }

    /// The path, or the nearest above it at which there is something.
    private static func nearest(_ path: FilePath) -> FilePath {
        guard !path.isEmpty else { return "." }
        let parent = path.removingLastComponent()
        return path.information != nil || parent == path ? path : nearest(parent)
    }

    private static func isDirectory(_ path: FilePath) -> Bool {
        path.information.map { $0.st_mode & S_IFMT == S_IFDIR } ?? false
    }
}

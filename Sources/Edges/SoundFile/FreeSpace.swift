import Glibc
import SystemPackage

/// How many bytes whoever asks may still write to the disk that has this directory; nil where nobody knows.
public func freeBytes(of directory: FilePath) -> Int64? {
    var volume = statvfs()
    return directory.withPlatformString { statvfs($0, &volume) } == 0 ? volume.freeBytes : nil
}

extension statvfs {
    /// Nil for a file system that does not know how large it is.
    var freeBytes: Int64? {
        guard f_blocks > 0 else { return nil }
        return Int64(clamping: UInt64(f_bavail).multipliedReportingOverflow(by: UInt64(f_frsize)).partialValue)
    }
}

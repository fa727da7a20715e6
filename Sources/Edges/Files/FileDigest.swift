import SystemPackage

/// SHA-256 of whole files.
public enum FileDigest {
    /// Reads `file` from its beginning, and leaves it where it stands. Waits as long as the file system does. Throws `Errno`.
    public static func of(_ file: FileDescriptor) throws -> [UInt8] {
        let digest = RunningDigest()
        var block = [UInt8](repeating: 0, count: 1 << 16)
        var position: Int64 = 0
        while true {
            let count = try block.withUnsafeMutableBytes { try file.read(fromAbsoluteOffset: position, into: $0) }
            guard count > 0 else { return digest.value() }
            digest.add(block[..<count])
            position += Int64(count)
        }
    }

    /// Reads the file at `path`; throws as `PlainFile` does.
    public static func of(_ path: FilePath) throws -> [UInt8] {
        try BlockingWork.wait {
            let file = try PlainFile.open(path)
            return try file.closeAfter { try of(file) }
        }
    }
}

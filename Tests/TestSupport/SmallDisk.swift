import Foundation

/// A file system of 1 MiB of a test's own, in memory.
public final class SmallDisk: Sendable {
    /// Whether file systems may be mounted here.
    public static let isAllowed = geteuid() == 0 && (try? SmallDisk(in: Scratch())) != nil

    public let path: String
    private let scratch: Scratch

    public init(in scratch: Scratch) throws {
        self.scratch = scratch
        path = scratch.file("disk")
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        try mount("-t", "tmpfs", "-o", "size=1m", "tmpfs", path)
    }

    deinit { _ = try? run("umount", ["-l", path]) }

    public func file(_ name: String) -> String { path + "/" + name }

    /// Until there is no room for a byte more, but for what is left of the last page of a file.
    public func fill() {
        let descriptor = open(file("filler"), O_WRONLY | O_CREAT | O_APPEND, 0o600)
        defer { close(descriptor) }
        let page = [UInt8](repeating: 0, count: 4096)
        while write(descriptor, page, page.count) > 0 {}
    }

    public func makeRoom() throws { try FileManager.default.removeItem(atPath: file("filler")) }

    /// By making it larger.
    public func makeRoom(megabytes: Int) throws { try mount("-o", "remount,size=\(megabytes)m", path) }

    /// Throws as long as a file is open for writing.
    public func set(readOnly: Bool) throws { try mount("-o", readOnly ? "remount,ro" : "remount,rw", path) }

    private func mount(_ words: String...) throws {
        let finished = try run("mount", words)
        guard finished.status == 0 else { throw LineSocket.Failed(description: finished.errors) }
    }
}

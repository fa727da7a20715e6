import Dispatch
import Glibc

/// Tells when something changes in /dev/input: a device comes or goes, udev grants access to it, or gives it a path.
// Safe to share, because a dispatch source may be cancelled from any thread, and nothing else is done with it.
final class HotplugWatch: @unchecked Sendable {
    private let source: any DispatchSourceRead

    static let folders = [DeviceNode.folder, DeviceNode.folder + "/by-path"]

    /// Calls `changed` on `queue`, at first as soon as possible, and then for every change. Nil if the system has no more watches.
    init?(queue: DispatchQueue, changed: @escaping @Sendable () -> Void) {
        let descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        guard descriptor >= 0 else { return nil }
        source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        source.setEventHandler {
            var buffer = [UInt8](repeating: 0, count: 4_096)
            while read(descriptor, &buffer, buffer.count) > 0 {}
            Self.watchFolders(descriptor)
            changed()
        }
        source.setCancelHandler { close(descriptor) }
        source.resume()
        Self.watchFolders(descriptor)
        queue.async(execute: changed)
    }

    /// Those that are there; they may come later, and once more after they have gone.
    private static func watchFolders(_ descriptor: Int32) {
        inotify_add_watch(descriptor, "/dev", UInt32(IN_CREATE))
        let changes = UInt32(IN_CREATE | IN_ATTRIB | IN_DELETE | IN_MOVED_TO)
        for folder in folders { inotify_add_watch(descriptor, folder, changes) }
    }

    /// Changes are not told any more.
    func stop() { source.cancel() }
}

import Dispatch
import Files
import Glibc
import Haptics
import SystemPackage

/// An input device that was found, and what would be made of it.
public struct DeviceFinding: Sendable {
    public enum Use: Equatable, Sendable {
        /// The device is used under this name, and by this rule; nil if there are no rules.
        case used(as: String, rule: String?)
        /// The device cannot be used so.
        case unfit
        /// The device could be used, and is not.
        case unused(Reason)
    }

    /// The reason why a device is not used.
    public struct Reason: Equatable, Sendable {
        public var words: String
        /// The rule that would use the device, as the settings file has it; nil if none would.
        public var rule: String?

        init(_ words: String, rule: String?) {
            self.words = words
            self.rule = rule
        }
    }

    public var identity: DeviceIdentity
    public var touch: Use
    public var motor: Use
    public var abilities: MotorAbilities?
    /// The reason why the device could not be opened; then nothing but its node is known.
    public var refusal: Errno?
}

public enum DeviceSurvey {
    /// All input devices, in the order of their nodes, and what `rules` make of them. Opens each for a moment.
    public static func findings(_ rules: DeviceRules) -> [DeviceFinding] {
        let links = links()
        return nodes().map { node in
            do throws(Errno) {
                let device = try DeviceNode(node, paths: links[node] ?? [])
                return DeviceFinding(identity: device.identity, touch: rules.touch(device).use, motor: rules.motor(device).use,
                                     abilities: device.motor)
            } catch {
                return DeviceFinding(identity: DeviceIdentity(node: node, paths: links[node] ?? [], name: ""), touch: .unfit, motor: .unfit,
                                     refusal: error)
            }
        }
    }

    /// /dev/input/event0 and so on, by their numbers.
    static func nodes() -> [String] {
        let prefix = "event"
        let numbers = entries(DeviceNode.folder).filter { $0.hasPrefix(prefix) }.compactMap { Int($0.dropFirst(prefix.count)) }
        return numbers.sorted().map { DeviceNode.folder + "/" + prefix + "\($0)" }
    }

    /// The names in /dev/input/by-path, by the node they lead to.
    static func links() -> [String: [String]] {
        let folder = DeviceNode.folder + "/by-path"
        var links: [String: [String]] = [:]
        for name in entries(folder).sorted() {
            guard let target = realpath(folder + "/" + name, nil) else { continue }
            links[String(cString: target), default: []].append(name)
            free(target)
        }
        return links
    }

    private static func entries(_ folder: String) -> [String] { ((try? FilePath(folder).names()) ?? []).map(\.string) }
}

extension DeviceRules {
    func touch(_ device: DeviceNode) -> Verdict<TouchRule, ContactTracker> { touch(device.identity, device.capabilities) }

    func motor(_ device: DeviceNode) -> Verdict<MotorRule, MotorAbilities> {
        motor(device.identity, device.motor, isWritable: device.isWritable)
    }
}

/// Watches for changes in /dev/input: a device comes or goes, udev grants access to it, or gives it a path.
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

    /// Watches the folders that are there. They may come later, and once more after they have gone.
    private static func watchFolders(_ descriptor: Int32) {
        inotify_add_watch(descriptor, "/dev", UInt32(IN_CREATE))
        let changes = UInt32(IN_CREATE | IN_ATTRIB | IN_DELETE | IN_MOVED_TO)
        for folder in folders { inotify_add_watch(descriptor, folder, changes) }
    }

    /// Ends the watch.
    func stop() { source.cancel() }
}

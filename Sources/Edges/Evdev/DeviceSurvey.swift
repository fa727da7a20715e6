import Dispatch
import Files
import Glibc
import Haptics
import SystemPackage

/// An input device that was found, and what the rules decide about it.
public struct DeviceFinding: Sendable {
    public enum Use: Equatable, Sendable {
        /// The device is used, under this name and by this rule; the rule is nil where there are no rules.
        case used(as: String, rule: String?)
        /// The device cannot be used for this purpose.
        case unfit
        /// The device could be used, but is not.
        case unused(Reason)
    }

    /// The reason why a device is not used.
    public struct Reason: Equatable, Sendable {
        public var words: String
        /// A rule that would use the device, as text for the settings file; nil if none would.
        public var rule: String?

        init(_ words: String, rule: String?) {
            self.words = words
            self.rule = rule
        }
    }

    public var identity: DeviceIdentity
    public var touch: Use
    public var motor: Use
    /// The names of the rules that read a switch of the device.
    public var switches: [String] = []
    /// The rules that fit a switch of the device, and do not read it.
    public var unread: [UnreadSwitch] = []
    public var abilities: MotorAbilities?
    /// The reason why the device could not be opened; nil if it could. Of a device that could not be opened, only the node is known.
    public var refusal: Errno?
}

public enum DeviceSurvey {
    /// Returns all input devices, in the order of their nodes, and what `rules` decide about each. Opens each for a moment.
    public static func findings(_ rules: DeviceRules) -> [DeviceFinding] {
        let links = links()
        return nodes().map { node in
            do throws(Errno) {
                let device = try DeviceNode(node, paths: links[node] ?? [])
                let touch = rules.touch(device)
                let switches = rules.switches(device, isScreen: touch.isUsed)
                return DeviceFinding(identity: device.identity, touch: touch.use, motor: rules.motor(device).use,
                                     switches: switches.read.map(\.name), unread: switches.unread, abilities: device.motor)
            } catch {
                return DeviceFinding(identity: DeviceIdentity(node: node, paths: links[node] ?? [], name: ""), touch: .unfit, motor: .unfit,
                                     refusal: error)
            }
        }
    }

    /// Returns the paths /dev/input/event0 and so on that exist, in the order of their numbers.
    static func nodes() -> [String] {
        let prefix = "event"
        let numbers = entries(DeviceNode.folder).filter { $0.hasPrefix(prefix) }.compactMap { Int($0.dropFirst(prefix.count)) }
        return numbers.sorted().map { DeviceNode.folder + "/" + prefix + "\($0)" }
    }

    /// Returns the names of the links in /dev/input/by-path, by the node to which they lead.
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

/// Watches /dev/input for changes: a device comes or goes, or udev grants access to it or links its path.
// Safe to share: the dispatch source is only cancelled, which any thread may do.
final class HotplugWatch: @unchecked Sendable {
    private let source: any DispatchSourceRead

    static let folders = [DeviceNode.folder, DeviceNode.folder + "/by-path"]

    /// Calls `changed` on `queue`, first as soon as possible, and then after every change. Nil if the system has no more watches.
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

    /// Watches the folders that exist. /dev is watched, too, because other folders may appear in it later, or reappear.
    private static func watchFolders(_ descriptor: Int32) {
        inotify_add_watch(descriptor, "/dev", UInt32(IN_CREATE))
        let changes = UInt32(IN_CREATE | IN_ATTRIB | IN_DELETE | IN_MOVED_TO)
        for folder in folders { inotify_add_watch(descriptor, folder, changes) }
    }

    /// Ends the watch.
    func stop() { source.cancel() }
}

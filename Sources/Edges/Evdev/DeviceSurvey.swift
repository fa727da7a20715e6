import Glibc
import Haptics
import SystemPackage

/// An input device seen, and what would be made of it.
public struct DeviceFinding: Sendable {
    public enum Use: Equatable, Sendable {
        /// Under this name, and by which rule; nil if there are none.
        case used(as: String, rule: String?)
        /// It cannot be used so.
        case unfit
        /// It could be, and is not.
        case unused(Reason)
    }

    /// Why a device is not used.
    public struct Reason: Equatable, Sendable {
        public var words: String
        /// The rule that would use it, as the settings file has it; nil if none would.
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
    /// Why it could not be opened; then nothing but its node is known.
    public var refusal: Errno?
}

public enum DeviceSurvey {
    /// Every input device there is, in the order of their nodes, and what `rules` make of it. Opens each for a moment.
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

    private static func entries(_ folder: String) -> [String] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            names.append(withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            })
        }
        return names
    }
}

extension DeviceRules {
    func touch(_ device: DeviceNode) -> Verdict<TouchRule, ContactTracker> { touch(device.identity, device.capabilities) }

    func motor(_ device: DeviceNode) -> Verdict<MotorRule, MotorAbilities> {
        motor(device.identity, device.motor, isWritable: device.isWritable)
    }
}

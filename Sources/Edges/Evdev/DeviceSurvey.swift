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
        /// It could be, and is not: why.
        case unused(String)
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

/// What a rule made of a device.
enum Verdict<Rule, Ability> {
    case used(name: String, rule: String?, Rule, Ability)
    case unfit
    case unused(String)

    var use: DeviceFinding.Use {
        switch self {
        case .used(let name, let rule, _, _): .used(as: name, rule: rule)
        case .unfit: .unfit
        case .unused(let reason): .unused(reason)
        }
    }
}

extension DeviceRules {
    func touch(_ device: DeviceNode) -> Verdict<TouchRule, ContactTracker> {
        guard let touchscreens else {
            guard let contacts = device.contacts(as: .touch) else { return .unfit }
            return .used(name: device.identity.name, rule: nil, TouchRule(), contacts)
        }
        let fitting = touchscreens.sorted { $0.key < $1.key }.filter { $0.value.match.fits(device.identity) }
        for (name, rule) in fitting {
            if let contacts = device.contacts(as: rule.kind) { return .used(name: name, rule: name, rule, contacts) }
        }
        guard let first = fitting.first else {
            return device.contacts(as: .touch) == nil ? .unfit : .unused("a touchscreen, but no rule fits it")
        }
        return .unused("rule \(first.key) fits it, but it is no \(first.value.kind.rawValue) device")
    }

    func motor(_ device: DeviceNode) -> Verdict<MotorRule, MotorAbilities> {
        guard let abilities = device.motor else { return .unfit }
        guard device.isWritable else { return .unused("force feedback, but it may not be written to") }
        guard let motors else { return .used(name: device.identity.name, rule: nil, MotorRule(), abilities) }
        guard let (name, rule) = motors.sorted(by: { $0.key < $1.key }).first(where: { $0.value.match.fits(device.identity) }) else {
            return .unused("force feedback, but no rule fits it")
        }
        return .used(name: name, rule: name, rule, abilities)
    }
}

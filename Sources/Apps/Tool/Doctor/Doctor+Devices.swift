import Evdev
import Glibc
import SystemPackage
import Wire

/// Checks which touchscreens and force-feedback devices thrumd would use, and which it may not open.
extension Doctor {
    func checkDevices(_ status: StatusReport?) -> [Diagnosis] {
        let rules = rules
        let findings = DeviceSurvey.findings(rules)
        let listed = ListedInput.list(KernelFiles.text("/proc/bus/input/devices") ?? "")
        let nodes = Set(findings.filter { Self.isUsed($0.touch) }.map(\.identity.node) + (status?.devices.touchscreens.map(\.node) ?? []))
        let fingers = ListedInput.judgeFingers(listed.filter { nodes.contains($0.node) })
        let unread = findings.flatMap { finding in
            finding.unread.map { Diagnosis.trouble(.unreadSwitch(Self.name(finding), rule: $0.rule, $0.reason)) }
        }
        return [touchscreens(findings), motors(findings), fingers].compactMap(\.self) + missing(rules, findings) + unread + broken(findings)
            + forbidden(findings, listed, status) + readOnly(findings)
    }

    /// The settings that say which devices are used. Where they are faulty, the defaults, because another check reports the fault.
    private var rules: DeviceRules {
        (try? settings.rules()) ?? DeviceRules()
    }

    private func touchscreens(_ findings: [DeviceFinding]) -> Diagnosis {
        let used = findings.filter { Self.isUsed($0.touch) }
        guard used.isEmpty else { return .ok(.devices, "touchscreens: \(Self.listed(used.map(Self.name)))") }
        return .trouble(findings.isEmpty ? .noInput : .noTouchscreen)
    }

    private func motors(_ findings: [DeviceFinding]) -> Diagnosis {
        let used = findings.filter { Self.isUsed($0.motor) }
        guard used.isEmpty else { return .ok(.devices, "force feedback: \(Self.listed(used.map(Self.name)))") }
        return .ok(.devices, "no force-feedback device that is used: patterns are felt on transducers only, if there are any")
    }

    private func missing(_ rules: DeviceRules, _ findings: [DeviceFinding]) -> [Diagnosis] {
        let keys = (rules.touchscreens ?? [:]).keys.map { "touchscreens.\($0)" } + (rules.motors ?? [:]).keys.map { "motors.\($0)" }
            + rules.switches.keys.map { "switches.\($0)" }
        let used = findings.compactMap { Self.rule($0.touch) }.map { "touchscreens.\($0)" }
            + findings.compactMap { Self.rule($0.motor) }.map { "motors.\($0)" }
            + findings.flatMap { $0.switches + $0.unread.map(\.rule) }.map { "switches.\($0)" }
        return keys.sorted().filter { !used.contains($0) }.map { .trouble(.noDevice(rule: $0)) }
    }

    private func broken(_ findings: [DeviceFinding]) -> [Diagnosis] {
        findings.filter { !Self.isForbidden($0) }.compactMap { finding in
            finding.refusal.map { .trouble(.cannotOpen(finding.identity.node, $0)) }
        }
    }

    private func forbidden(_ findings: [DeviceFinding], _ listed: [ListedInput], _ status: StatusReport?) -> [Diagnosis] {
        let nodes = findings.filter(Self.isForbidden).map(\.identity.node)
        guard !nodes.isEmpty else { return [] }
        if status?.devices.refused == 0 {
            return [.ok(.devices, "input devices that this user may not open, and thrumd is refused none: \(Self.listed(nodes))")]
        }
        let screens = listed.filter { $0.isTouchscreen && nodes.contains($0.node) }
        let others = nodes.filter { node in !screens.contains { $0.node == node } }
        let kinds = [("touchscreens", screens.map(\.words), screens.first?.node), ("input devices", others, others.first)]
        return kinds.compactMap { kind, names, first in
            first.map { .trouble(.mayNotOpen(kind, Self.listed(names), advice: Self.advice(for: $0))) }
        }
    }

    private func readOnly(_ findings: [DeviceFinding]) -> [Diagnosis] {
        let nodes = findings.filter { $0.abilities != nil && !Self.isUsed($0.motor) && access($0.identity.node, W_OK) != 0 }
        guard let first = nodes.first else { return [] }
        return [.trouble(.mayNotWrite(Self.listed(nodes.map(Self.name)), advice: Self.advice(for: first.identity.node)))]
    }

    /// Returns the advice on how this user gets access to the device node `node`, according to its permissions and the installed udev
    /// rules.
    private static func advice(for node: String) -> String {
        let information = FilePath(node).information
        let group = information.map { info in getgrgid(info.st_gid).map { String(cString: $0.pointee.gr_name) } ?? "\(info.st_gid)" }
        let folders = ["/etc/udev/rules.d", "/lib/udev/rules.d", "/usr/lib/udev/rules.d"]
        let hasRule = folders.contains { KernelFiles.isThere($0 + "/70-thrum.rules") }
        return NodeAccess(group: group ?? "root", mode: information?.st_mode ?? 0).advice(hasRule: hasRule)
    }

    private static func isForbidden(_ finding: DeviceFinding) -> Bool {
        finding.refusal == .permissionDenied || finding.refusal == .notPermitted
    }

    private static func isUsed(_ use: DeviceFinding.Use) -> Bool { if case .used = use { true } else { false } }

    private static func rule(_ use: DeviceFinding.Use) -> String? { if case .used(_, let rule) = use { rule } else { nil } }

    private static func name(_ finding: DeviceFinding) -> String { "\(finding.identity.name) (\(finding.identity.node))" }

    /// Lists the first five of `names`, and the number of the others.
    private static func listed(_ names: [String]) -> String {
        names.prefix(5).joined(separator: ", ") + (names.count > 5 ? " and \(names.count - 5) more" : "")
    }
}

/// An input device, as /proc/bus/input/devices lists it. That list may be read even where the device itself may not be opened.
struct ListedInput: Equatable {
    var name: String
    /// The path of the device node, for instance `/dev/input/event3`.
    var node: String
    /// The key codes (EV_KEY) of the device, its axis codes (EV_ABS), and its properties (INPUT_PROP_…).
    var keys: Set<Int>
    var axes: Set<Int>
    var properties: Set<Int>

    /// Codes of linux/input-event-codes.h.
    private enum Code {
        static let absX = 0x00, absY = 0x01, absMTPositionX = 0x35
        static let toolPen = 0x140, toolFinger = 0x145, touch = 0x14A, stylus = 0x14B
        static let direct = 0x01
    }

    /// Reads the kernel's list of input devices from `text`, and leaves out devices without an event node. `wordBits` is the size in bits
    /// of a word of the kernel's bit sets, which must be known because the kernel prints words without leading zeros.
    static func list(_ text: String, wordBits: Int = UInt.bitWidth) -> [ListedInput] {
        text.split(separator: "\n\n").compactMap { block in
            let lines = block.split(separator: "\n")
            func rest(_ beginning: String) -> Substring? { lines.first { $0.hasPrefix(beginning) }?.dropFirst(beginning.count) }
            func bits(_ name: String) -> Set<Int> { Self.bits(rest("B: \(name)=") ?? "", wordBits: wordBits) }
            guard let event = rest("H: Handlers=")?.split(separator: " ").first(where: { $0.hasPrefix("event") }) else { return nil }
            let name = (rest("N: Name=") ?? "").drop { $0 == "\"" }
            return ListedInput(name: String(name.hasSuffix("\"") ? name.dropLast() : name), node: "/dev/input/" + event, keys: bits("KEY"),
                               axes: bits("ABS"), properties: bits("PROP"))
        }
    }

    private static func bits(_ text: Substring, wordBits: Int) -> Set<Int> {
        let words = text.split(separator: " ").map { UInt64($0, radix: 16) ?? 0 }
        return Set(words.reversed().enumerated().flatMap { index, word in
            (0..<wordBits).filter { word >> UInt64($0) & 1 != 0 }.map { index * wordBits + $0 }
        })
    }

    /// Whether this is a touchscreen: fingers touch it, and the picture is under them. The test is that of udev
    /// (src/udev/udev-builtin-input_id.c of systemd), but devices for pens are left out.
    var isTouchscreen: Bool {
        let isPen = keys.contains(Code.stylus) || (keys.contains(Code.toolPen) && !keys.contains(Code.touch))
        let isPad = keys.contains(Code.toolFinger) && !properties.contains(Code.direct)
        let hasPlane = axes.isSuperset(of: [Code.absX, Code.absY]) || axes.contains(Code.absMTPositionX)
        return hasPlane && !isPen && !isPad && (keys.contains(Code.touch) || properties.contains(Code.direct))
    }

    /// Whether the device reports one position only, however many fingers touch it.
    var isSingleTouch: Bool { isTouchscreen && !axes.contains(Code.absMTPositionX) }

    /// Judges whether touchscreens report several fingers. `screens` are the ones that thrumd reads. Returns a warning about those that
    /// report one finger only; nil where all report several.
    static func judgeFingers(_ screens: [ListedInput]) -> Diagnosis? {
        let single = screens.filter(\.isSingleTouch)
        guard !single.isEmpty else { return nil }
        return .trouble(.singleTouch(single.map(\.words).joined(separator: ", ")))
    }

    var words: String { "\(name) (\(node))" }
}

/// The permissions of an input device that may not be opened.
struct NodeAccess: Equatable {
    /// The name of the node's group, or its number where it has no name.
    var group: String
    /// The mode of the node. Only its permission bits are looked at, for instance 0o660.
    var mode: UInt32

    /// A udev rule that gives every input device to the group `input`.
    private static let rule = #"SUBSYSTEM=="input", KERNEL=="event*", GROUP="input", MODE="0660""#
    private static let follow = "sudo udevadm trigger --subsystem-match=input --action=change"

    /// Returns the advice on how a user gets access to the device. `hasRule` says whether the package's udev rules are installed.
    func advice(hasRule: Bool) -> String {
        if mode & 0o060 == 0o060, group != "root" {
            return "\(Self.join(group)); of a service: SupplementaryGroups=\(group) in its unit"
        }
        if hasRule { return "udev's rules for it are there, and it has not followed them: \(Self.follow); then \(Self.join("input"))" }
        return "a file /etc/udev/rules.d/70-thrum.rules with the line \(Self.rule), then sudo udevadm control --reload and \(Self.follow); "
            + "then \(Self.join("input"))"
    }

    private static func join(_ group: String) -> String { "sudo usermod -aG \(group) \"$USER\", and log in again" }
}

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
        return [touchscreens(findings), motors(findings), fingers].compactMap(\.self) + missing(rules, findings) + broken(findings)
            + forbidden(findings, listed, status) + readOnly(findings)
    }

    /// The rules for devices. What is wrong with them is told as a fault of the settings.
    private var rules: DeviceRules {
        (try? settings.rules()) ?? DeviceRules()
    }

    private func touchscreens(_ findings: [DeviceFinding]) -> Diagnosis {
        let used = findings.filter { Self.isUsed($0.touch) }
        guard used.isEmpty else { return .ok(.devices, "touchscreens: \(Self.listed(used.map(Self.name)))") }
        return .warning(.devices, findings.isEmpty ? "no touchscreen: there are no input devices here" : "no touchscreen that is used",
                        advice: "plug one in, and ask thrum devices --all what is made of it; a front end that reports touches needs none")
    }

    private func motors(_ findings: [DeviceFinding]) -> Diagnosis {
        let used = findings.filter { Self.isUsed($0.motor) }
        guard used.isEmpty else { return .ok(.devices, "force feedback: \(Self.listed(used.map(Self.name)))") }
        return .ok(.devices, "no force-feedback device that is used: patterns are felt on transducers only, if there are any")
    }

    private func missing(_ rules: DeviceRules, _ findings: [DeviceFinding]) -> [Diagnosis] {
        let keys = (rules.touchscreens ?? [:]).keys.map { "touchscreens.\($0)" } + (rules.motors ?? [:]).keys.map { "motors.\($0)" }
        let used = findings.compactMap { Self.rule($0.touch) }.map { "touchscreens.\($0)" }
            + findings.compactMap { Self.rule($0.motor) }.map { "motors.\($0)" }
        return keys.sorted().filter { !used.contains($0) }.map { key in
            Diagnosis.problem(.devices, "there is no device for the rule \(key)",
                              advice: "plug it in, or correct the rule in the settings file: thrum devices --all shows what is there")
        }
    }

    private func broken(_ findings: [DeviceFinding]) -> [Diagnosis] {
        findings.filter { !Self.isForbidden($0) }.compactMap { finding in
            finding.refusal.map { refusal in
                Diagnosis.warning(.devices, "\(finding.identity.node): cannot be opened: \(refusal)",
                                  advice: "plug it in again; the kernel's log (dmesg) may say what it has")
            }
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
            first.map { .problem(.devices, "\(kind) that may not be opened: \(Self.listed(names))", advice: Self.advice(for: $0)) }
        }
    }

    private func readOnly(_ findings: [DeviceFinding]) -> [Diagnosis] {
        let nodes = findings.filter { $0.abilities != nil && !Self.isUsed($0.motor) && access($0.identity.node, W_OK) != 0 }
        guard let first = nodes.first else { return [] }
        return [.problem(.devices, "force-feedback devices that may not be written to: \(Self.listed(nodes.map(Self.name)))",
                         advice: Self.advice(for: first.identity.node))]
    }

    /// Says what gives this user access to a node, by what the node's permissions and udev's rules are.
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

    /// Lists the first five of `names`.
    private static func listed(_ names: [String]) -> String {
        names.prefix(5).joined(separator: ", ") + (names.count > 5 ? " and \(names.count - 5) more" : "")
    }
}

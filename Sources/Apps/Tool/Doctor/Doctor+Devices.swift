import Evdev
import FoundationEssentials
import Glibc
import SystemPackage

/// Which touchscreens and force-feedback devices thrumd would use, and which it may not.
extension Doctor {
    func checkDevices() -> [Diagnosis] {
        let rules = rules
        let findings = DeviceSurvey.findings(rules)
        return [touchscreens(findings), motors(findings)] + missing(rules, findings) + refused(findings) + readOnly(findings)
    }

    /// What is wrong with them is told as a fault of the settings.
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

    private func refused(_ findings: [DeviceFinding]) -> [Diagnosis] {
        func isForbidden(_ finding: DeviceFinding) -> Bool { finding.refusal == .permissionDenied || finding.refusal == .notPermitted }
        var diagnoses = findings.filter { !isForbidden($0) }.compactMap { finding in
            finding.refusal.map { refusal in
                Diagnosis.warning(.devices, "\(finding.identity.node): cannot be opened: \(refusal)",
                                  advice: "plug it in again; the kernel's log (dmesg) may say what it has")
            }
        }
        let forbidden = findings.filter(isForbidden).map(\.identity.node)
        if !forbidden.isEmpty {
            diagnoses.append(.problem(.devices, "input devices that may not be opened: \(Self.listed(forbidden))", advice: Self.permission))
        }
        return diagnoses
    }

    private func readOnly(_ findings: [DeviceFinding]) -> [Diagnosis] {
        let nodes = findings.filter { $0.abilities != nil && !Self.isUsed($0.motor) && access($0.identity.node, W_OK) != 0 }
        guard !nodes.isEmpty else { return [] }
        return [.problem(.devices, "force-feedback devices that may not be written to: \(Self.listed(nodes.map(Self.name)))",
                         advice: Self.permission)]
    }

    private static let permission = """
        sudo usermod -aG input "$USER", and log in again; where nodes are not the group's, a udev rule: \
        SUBSYSTEM=="input", KERNEL=="event*", GROUP="input", MODE="0660"
        """

    private static func isUsed(_ use: DeviceFinding.Use) -> Bool { if case .used = use { true } else { false } }

    private static func rule(_ use: DeviceFinding.Use) -> String? { if case .used(_, let rule) = use { rule } else { nil } }

    private static func name(_ finding: DeviceFinding) -> String { "\(finding.identity.name) (\(finding.identity.node))" }

    /// The first five.
    private static func listed(_ names: [String]) -> String {
        names.prefix(5).joined(separator: ", ") + (names.count > 5 ? " and \(names.count - 5) more" : "")
    }
}

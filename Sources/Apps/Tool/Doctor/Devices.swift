import ArgumentParser
import Evdev
import Glibc
import SystemPackage

struct ListDevices: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices",
        abstract: "List input devices: what thrumd would use, as what, and why.",
        discussion: """
            Reads the rules from the same settings file as thrumd (docs/configuration.md). Exit status 0, or 78 if the rules are \
            wrong.

            EXAMPLES
              thrum devices
              thrum devices --all                            keyboards and buttons, too
              thrum devices --config /etc/thrum/thrum.yaml
            """)

    @OptionGroup var settings: SettingsOption

    @Flag(name: .shortAndLong, help: "Also those of which nothing could be made.")
    var all = false

    func run() throws {
        let findings = DeviceSurvey.findings(try rules())
        let shown = findings.filter { all || Self.isOfInterest($0) }
        for finding in shown { print(Self.lines(finding).joined(separator: "\n")) }
        let hidden = findings.count - shown.count
        if shown.isEmpty { print("no touchscreen and no force-feedback device") }
        if hidden > 0 { print("\(hidden) other input devices (--all shows them)") }
    }

    private func rules() throws -> DeviceRules {
        do {
            return try settings.rules()
        } catch let errno as Errno {
            throw failure("\(settings.config ?? ""): \(errno)", Exit.noInput)
        } catch {
            throw failure("\(error)", Exit.settings)
        }
    }

    private static func isOfInterest(_ finding: DeviceFinding) -> Bool {
        finding.refusal != nil || finding.touch != .unfit || finding.motor != .unfit
    }

    private static func lines(_ finding: DeviceFinding) -> [String] {
        let device = finding.identity
        if let refusal = finding.refusal { return ["\(device.node)", "  cannot be opened: \(refusal)"] }
        let place = ([device.phys].filter { !$0.isEmpty } + device.paths.map { "by-path/" + $0 }).joined(separator: ", ")
        let abilities = finding.abilities.map { " (\($0.drive.rawValue), slots: \($0.slots))" } ?? ""
        return ["\(device.node)  \(device.name.debugDescription)  \(device.number)" + (place.isEmpty ? "" : "  \(place)"),
                "  touch   " + words(finding.touch, unfit: "no touchscreen"),
                "  haptics " + words(finding.motor, unfit: "no force feedback") + abilities]
    }

    private static func words(_ use: DeviceFinding.Use, unfit: String) -> String {
        switch use {
        case .unfit: "not used: \(unfit)"
        case .used(_, let rule?): "used, by rule \(rule)"
        case .used(_, nil): "used, as every such device is where there are no rules"
        case .unused(let reason): "not used: \(reason.words)" + (reason.rule.map { "\n          a rule for it: \($0)" } ?? "")
        }
    }
}

/// Checks which touchscreens and force-feedback devices thrumd would use, and which it may not open.
extension Doctor {
    func checkDevices() -> [Diagnosis] {
        let rules = rules
        let findings = DeviceSurvey.findings(rules)
        return [touchscreens(findings), motors(findings)] + missing(rules, findings) + refused(findings) + readOnly(findings)
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

    /// Lists the first five of `names`.
    private static func listed(_ names: [String]) -> String {
        names.prefix(5).joined(separator: ", ") + (names.count > 5 ? " and \(names.count - 5) more" : "")
    }
}

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
        finding.refusal != nil || finding.touch != .unfit || finding.motor != .unfit || !finding.switches.isEmpty || !finding.unread.isEmpty
    }

    private static func lines(_ finding: DeviceFinding) -> [String] {
        let device = finding.identity
        if let refusal = finding.refusal { return ["\(device.node)", "  cannot be opened: \(refusal)"] }
        let connection = ([device.phys].filter { !$0.isEmpty } + device.paths.map { "by-path/" + $0 }).joined(separator: ", ")
        let abilities = finding.abilities.map { " (\($0.drive.rawValue), slots: \($0.slots))" } ?? ""
        return ["\(device.node)  \(device.name.debugDescription)  \(device.number)" + (connection.isEmpty ? "" : "  \(connection)"),
                "  touch   " + words(finding.touch, unfit: "no touchscreen"),
                "  haptics " + words(finding.motor, unfit: "no force feedback") + abilities]
            + (finding.switches.isEmpty ? [] : ["  switch  used, by rule " + finding.switches.joined(separator: " and rule ")])
            + finding.unread.map { "  switch  not used by rule \($0.rule): \($0.reason)" + ruleLine($0.line) }
    }

    private static func words(_ use: DeviceFinding.Use, unfit: String) -> String {
        switch use {
        case .unfit: "not used: \(unfit)"
        case .used(_, let rule?): "used, by rule \(rule)"
        case .used(_, nil): "used, as every such device is where there are no rules"
        case .unused(let reason): "not used: \(reason.words)" + ruleLine(reason.rule)
        }
    }

    private static func ruleLine(_ rule: String?) -> String { rule.map { "\n          a rule for it: \($0)" } ?? "" }
}

import FoundationEssentials
import Glibc
import Processes
import SystemPackage

/// Checks whether thrumd would start with the settings there are.
extension Doctor {
    func checkConfig() -> Diagnosis {
        let program = Self.thrumd
        let child: FinishedProcess
        do {
            child = try FinishedProcess(running: program, ["--check-config"] + flags, environment: ProcessInfo.processInfo.environment)
        } catch {
            return .problem(.config, "\(program) cannot be asked about the settings: \(error)",
                            advice: "install thrumd beside thrum, or in a directory of PATH")
        }
        switch child.status {
        case 0: return .ok(.config, "the settings are good")
        case 78:
            return .problem(.config, child.complaint,
                            advice: "correct it in the settings file, or in the THRUM_ variable or flag that wins over it: "
                                + "docs/configuration.md has the range of each")
        case 64:
            return .problem(.config, "\(program) does not understand what it is asked about its settings: \(child.complaint)",
                            advice: "install thrum and thrumd from one build")
        default:
            return .problem(.config, "\(program) --check-config ended with status \(child.status): \(child.complaint)",
                            advice: "run it: \(([program, "--check-config"] + flags).joined(separator: " "))")
        }
    }

    /// The thrumd that came with this program, or else the one that a shell would start.
    private static var thrumd: String {
        guard let own = realpath("/proc/self/exe", nil) else { return "thrumd" }
        defer { free(own) }
        let beside = FilePath(String(cString: own)).removingLastComponent().appending("thrumd").string
        return access(beside, X_OK) == 0 ? beside : "thrumd"
    }
}

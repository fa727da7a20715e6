import ControlSocket
import Files
import FoundationEssentials
import Glibc
import Processes
import Wire

/// Checks whether thrumd answers, and which issues it reports.
extension Doctor {
    /// Asks thrumd for its status, and returns it with the findings about it. The status is nil where thrumd gives none.
    func checkDaemon() async -> (status: StatusReport?, findings: [Diagnosis]) {
        let path = daemon.path
        do {
            if let status = try await ask(at: path) { return (status, Self.judge(status, path)) }
            return (nil, [.trouble(.hangs(path))])
        } catch ControlSocketError.refused(_, errno: EACCES) {
            return (nil, [.trouble(.mayNotConnect(path))])
        } catch let error as ControlSocketError {
            return (nil, [.trouble(.noDaemon(error, flags: flags))])
        } catch is DecodingError {
            return (nil, [.trouble(.noThrumd(path))])
        } catch {
            return (nil, [.trouble(.connectionBroke(path, error))])
        }
    }

    /// Asks thrumd for its status. Returns nil if there is no answer within 5 s, or if thrumd closes the connection.
    private func ask(at path: String) async throws -> StatusReport? {
        let line = try Message(method: "status", pairs: []).line(id: 1)
        let client = try await ControlClient.connect(to: path)
        return try await withThrowingTaskGroup(of: StatusReport?.self) { group in
            defer { group.cancelAll() }
            group.addTask {
                try await client.run { exchange -> StatusReport? in
                    try await exchange.send(line)
                    guard let answer = try await exchange.receive() else { return nil }
                    return try JSONDecoder().decode(Answer<StatusReport>.self, from: Data(answer)).result
                }
            }
            group.addTask {
                try await Task.sleep(for: .seconds(5))
                return nil
            }
            return try await group.next().flatMap { $0 }
        }
    }

    private static func judge(_ status: StatusReport, _ path: String) -> [Diagnosis] {
        let issues = status.issues.map { Diagnosis.trouble(.issue($0)) }
        guard status.version == version else { return [.trouble(.otherVersion(status.version, at: path))] + issues }
        let notices = status.house.notices { InstantText.local($0, "%a %H:%M") }
        return [.ok(.daemon, "thrumd \(status.version) answers at \(path)")] + issues + notices.map { .trouble(.setByHand($0)) }
    }
}

/// Checks whether thrumd would start with the present settings.
extension Doctor {
    func checkConfig() -> Diagnosis {
        let command = [ProgramFiles.program("thrumd"), "--check-config"] + flags
        let child: FinishedProcess
        do {
            child = try FinishedProcess(running: command[0], Array(command.dropFirst()), environment: ProcessInfo.processInfo.environment)
        } catch {
            return .trouble(.noProgram(command[0], error))
        }
        return switch child.status {
        case 0: .ok(.config, "the settings are good")
        case 78: .trouble(.wrongSettings(child.complaint))
        case 64: .trouble(.otherBuild(command[0], child.complaint))
        default: .trouble(.checkFailed(command, status: child.status, child.complaint))
        }
    }
}

import ControlSocket
import FoundationEssentials
import Glibc
import Wire

/// Checks whether thrumd answers, and which issues it has.
extension Doctor {
    /// Returns thrumd's status, nil where there is none to be had, and what was found.
    func checkDaemon() async -> (status: StatusReport?, findings: [Diagnosis]) {
        let path = daemon.path
        do {
            if let status = try await ask(at: path) { return (status, Self.judge(status, path)) }
            return (nil, [.problem(.daemon, "\(path): no answer within 5 s", advice: "thrumd hangs: end it and start it again")])
        } catch ControlSocketError.refused(_, errno: EACCES) {
            return (nil, [.problem(.daemon, "\(path): may not be connected to",
                                   advice: "only its owner may: run this as the user who runs thrumd, as in sudo -u USER thrum doctor")])
        } catch let error as ControlSocketError {
            return (nil, [.warning(.daemon, "no thrumd to talk to: \(error)",
                                   advice: "start it: \((["thrumd"] + flags).joined(separator: " ")) &")])
        } catch is DecodingError {
            return (nil, [.problem(.daemon, "\(path): what answers here is no thrumd, or one of another version",
                                   advice: "end it, and start the thrumd that came with this thrum, \(version)")])
        } catch {
            return (nil, [.problem(.daemon, "\(path): the connection broke: \(error)", advice: "end thrumd and start it again")])
        }
    }

    /// Asks for thrumd's status. Returns nil if there is no answer within 5 s, or thrumd hangs up.
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
        let issues = status.issues.map { issue in
            Diagnosis.problem(.daemon, issue, advice: "thrum status shows how things stand, thrumd's log since when")
        }
        guard status.version == version else {
            return [.warning(.daemon, "thrumd at \(path) is version \(status.version), and thrum is \(version)",
                             advice: "start thrumd again, if it was replaced while it ran; else install both from one build")] + issues
        }
        let notices = status.house.notices { InstantText.local($0, "%a %H:%M") }.map { notice in
            Diagnosis.warning(.daemon, notice.printable,
                              advice: "if it is no longer meant: thrum send output.mute on=false, or output.ceiling")
        }
        return [.ok(.daemon, "thrumd \(status.version) answers at \(path)")] + issues + notices
    }
}

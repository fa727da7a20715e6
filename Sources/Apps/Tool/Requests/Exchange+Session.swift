import ControlSocket
import FoundationEssentials
import SystemPackage
import Wire

/// Queries about the running session.
extension ControlClient.Exchange {
    /// The result of `method`; an error reply is printed and becomes exit status 65.
    func result<Result: Decodable>(of method: String, _ pairs: [String] = []) async throws -> Result {
        let line = try Message(method: method, pairs: pairs).line(id: 1)
        return try JSONDecoder().decode(Answer<Result>.self, from: Data(try await ask(line))).result
    }

    /// Nil between visitors.
    func runningSession() async throws -> StatusReport.Session? {
        let answer: SessionAnswer = try await result(of: "session.status")
        return answer.session
    }

    func startSession() async throws {
        let _: Receipt = try await result(of: "session.start")
    }

    func endSession() async throws {
        let _: Receipt = try await result(of: "session.end")
    }

    /// The running session's journal, as soon as it is there; nil if it is not within `patience`.
    func journal(within patience: Duration) async throws -> FilePath? {
        let clock = ContinuousClock()
        let deadline = clock.now + patience
        repeat {
            guard let running = try await runningSession() else { return nil }
            // It is opened a moment after the session began.
            if let path = running.journal { return FilePath(path) }
            try await Task.sleep(for: .milliseconds(20))
        } while clock.now < deadline
        return nil
    }
}

import ArgumentParser
import ControlSocket
import Fields
import FoundationEssentials
import Glibc
import Processes
import SystemPackage
import Wire

/// The options that say to which running thrumd a command talks.
struct Daemon: ParsableArguments {
    @OptionGroup var socketOption: DaemonSocket

    @Option(help: "Seconds to wait for a thrumd that does not listen yet.")
    var wait: Double = 0

    func validate() throws {
        guard (0...3_600).contains(wait) else { throw ValidationError("--wait: expected 0 to 3600 (seconds), found \(wait)") }
    }

    /// The path of thrumd's control socket.
    var path: String { socketOption.path }

    /// Connects to thrumd and runs `body`. An error of the connection is printed and becomes exit status 69.
    func converse<Result: Sendable>(
        _ body: @Sendable (ControlClient.Exchange) async throws -> Result
    ) async throws -> Result {
        let (path, client) = try await connect()
        do {
            return try await client.run(body)
        } catch let exit as ExitCode {
            throw exit
        } catch is DecodingError {
            throw failure("\(path): what answers here is no thrumd, or one of another version", Exit.unavailable)
        } catch {
            throw failure("\(path): the connection broke: \(error)", Exit.unavailable)
        }
    }
}

extension Daemon {
    /// Connects at once, or as soon as thrumd listens. Each attempt looks for the path again, because a starting thrumd makes the folder of
    /// its socket.
    private func connect() async throws -> (path: String, ControlClient) {
        let end = ContinuousClock.now + .seconds(wait)
        while true {
            let path = path
            do {
                return (path, try await ControlClient.connect(to: path))
            } catch let error as ControlSocketError {
                // Only the error that nobody listens may pass with time.
                guard case .refused(_, let reason) = error, [ENOENT, ECONNREFUSED].contains(reason), ContinuousClock.now < end,
                      !Interruption.hasCome else { throw unreachable(error, socketOption.advice) }
            }
            try await Task.sleep(for: .milliseconds(20))
        }
    }
}

/// Prints why thrumd cannot be reached, and returns the exit status to throw.
func unreachable(_ error: ControlSocketError, _ advice: String = "") -> ExitCode {
    guard case .refused(let path, EACCES) = error else { return failure("\(error); is thrumd running?\(advice)", Exit.unavailable) }
    return failure("\(path): may not be connected to: it is its owner's, and the settings' socket-group's", Exit.unavailable)
}

extension ControlClient.Exchange {
    /// Sends one request, and returns the line with the answer. An error reply is printed after `prefix`, and becomes exit status 65.
    /// `delay` and `heard` have the same meaning as in `reply`.
    func ask(_ line: [UInt8], blame prefix: String = "", delay: Duration = .zero,
             heard: ([UInt8]) throws -> Bool = { _ in false }) async throws -> [UInt8] {
        let reply = try await reply(to: line, delay: delay, heard: heard)
        if let refusal = reply.refusal { throw failure("\(prefix)\(refusal)", Exit.data) }
        return reply.line
    }

    /// Sends one request, and returns the line with the answer and, for an error reply, its message. Ends the program if there is no answer
    /// within 5 s, or `delay` later for a request that takes effect later. `heard` gets each line that may come before the answer. It
    /// returns true if the line was a notification, which it has then handled.
    func reply(to line: [UInt8], delay: Duration, heard: ([UInt8]) throws -> Bool) async throws -> (line: [UInt8], refusal: String?) {
        // A daemon that hangs must not make a health check hang.
        let watchdog = Task {
            try await Task.sleep(for: .seconds(5) + delay)
            warn("no answer within \((.seconds(5) + delay).components.seconds) s: thrumd hangs")
            exit(Exit.unavailable.rawValue)
        }
        defer { watchdog.cancel() }
        try await send(line)
        var next: [UInt8]?
        repeat { next = try await receive() } while try next.map(heard) ?? false
        guard let answer = next else { throw failure("thrumd closed the connection", Exit.unavailable) }
        let decoder = JSONDecoder()
        // The answer to a batch is a list.
        let replies = (try? decoder.decode(Reply.self, from: Data(answer))).map { [$0] }
            ?? (try? decoder.decode([Reply].self, from: Data(answer)))
        return (answer, replies?.lazy.compactMap { $0.error?.message }.first)
    }

    private struct Reply: Decodable {
        struct Refusal: Decodable { var message: String }
        var error: Refusal?
    }
}

/// The part that is read of a reply: its result.
struct Answer<Result: Decodable>: Decodable { var result: Result }

/// Makes requests from words, and asks about the running session.
extension ControlClient.Exchange {
    /// Calls `method` with the parameters `pairs`, and returns the result. An error reply is printed and becomes exit status 65; a
    /// parameter's file that cannot be read gives 66. `delay` and `heard` have the same meaning as in `reply`.
    func result<Result: Decodable>(of method: String, _ pairs: [String] = [], delay: Duration = .zero,
                                   heard: ([UInt8]) throws -> Bool = { _ in false }) async throws -> Result {
        let line: [UInt8]
        do {
            line = try Message(method: method, pairs: pairs).line(id: 1)
        } catch let fault as Fault {
            throw failure("\(fault)", Exit.noInput)
        }
        return try JSONDecoder().decode(Answer<Result>.self, from: Data(try await ask(line, delay: delay, heard: heard))).result
    }

    /// Returns the session that is running; nil while none is, as between visitors.
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

    /// Returns the path of the running session's journal as soon as there is one; nil if there is none after `timeout`.
    func journal(within timeout: Duration) async throws -> FilePath? {
        let clock = ContinuousClock()
        let deadline = clock.now + timeout
        repeat {
            guard let running = try await runningSession() else { return nil }
            // thrumd opens the journal a moment after the session has begun.
            if let path = running.journal { return FilePath(path) }
            try await Task.sleep(for: .milliseconds(20))
        } while clock.now < deadline
        return nil
    }
}

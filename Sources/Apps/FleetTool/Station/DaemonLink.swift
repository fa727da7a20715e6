import Fields
import Fleet
import Glibc
import JSON
import SystemPackage
import Wire

/// The way to `thrumd` by its control socket. Each question has a connection of its own, so the station takes up no client's place in
/// between.
struct DaemonLink {
    /// The time for which an answer is waited for.
    static let timeout = Duration.seconds(2)
    /// The largest answer that is read, in bytes.
    private static let largestAnswer = 1 << 20

    private let path: String

    /// `path` is that of the control socket.
    init(_ path: String) { self.path = path }

    /// What `thrumd` says of itself now, or why it says nothing.
    var daemon: StationReport.Daemon {
        do throws(Problem) {
            return .there(StationReport.Engine(try status()))
        } catch {
            return .silent("thrumd: \(error.description)")
        }
    }

    /// Has `thrumd` spare the journal `first`, a name without `.jsonl`, and all later ones, because they are still to be sent.
    func spare(from first: String) throws(Problem) {
        try ask("session.spare", JSONValue.object(["first": .text(first)])) { _ in }
    }

    /// Why a request failed: no answer came, or `thrumd` refused, or the answer could not be read.
    struct Problem: Error {
        let description: String
        /// Whether `thrumd` has answered, and refused.
        var isRefusal = false
    }

    private func status() throws(Problem) -> StatusReport {
        try ask("status") { try $0.nested(StatusReport.self, "result", expected: "the status of this version") }
    }

    /// Asks, and returns what `read` makes of the answer.
    private func ask<Value>(_ method: String, _ parameters: JSONValue? = nil, _ read: (Fields) throws -> Value) throws(Problem) -> Value {
        let ending = parameters.map { #","params":"# + $0.written } ?? ""
        let line = #"{"jsonrpc":"2.0","id":1,"method":"\#(method)"\#(ending)}"#
        let answer = try exchange(Array(line.utf8) + [UInt8(ascii: "\n")])
        do {
            let fields = try Fields(JSONReading(try JSONText(answer, within: JSONLimits(depth: 64, values: 1 << 16))).decoder(of: 0))
            if fields.contains("error") {
                throw Problem(description: "refuses: \(try fields.object("error").text("message"))", isRefusal: true)
            }
            return try read(fields)
        } catch let problem as Problem {
            throw problem
        } catch {
            throw Problem(description: "\(path): what answers here is no thrumd, or one of another version")
        }
    }

    /// Sends one line, and returns the line that comes back, without its newline.
    private func exchange(_ line: [UInt8]) throws(Problem) -> [UInt8] {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let room = MemoryLayout.size(ofValue: address.sun_path) - 1
        guard path.utf8.count <= room else { throw Problem(description: "\(path): expected a path of at most \(room) bytes") }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw failed() }
        defer { close(descriptor) }
        let (watch, size) = (Stopwatch(), socklen_t(MemoryLayout<timeval>.size))
        // The times hold for each call, connect(2) among them; the loop below keeps to the whole.
        var time = timeval(tv_sec: Int(Self.timeout.components.seconds), tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &time, size)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, size)
        let connected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
        }
        guard connected == 0 else { throw failed() }
        guard send(descriptor, line, line.count, Int32(MSG_NOSIGNAL)) == line.count else { throw failed() }
        var answer: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count >= 0 else { throw failed() }
            guard count > 0 else { throw Problem(description: "\(path): closed the connection") }
            if let end = buffer[..<count].firstIndex(of: UInt8(ascii: "\n")) { return answer + buffer[..<end] }
            answer += buffer[..<count]
            guard answer.count <= Self.largestAnswer else {
                throw Problem(description: "\(path): expected an answer of at most \(Self.largestAnswer) bytes")
            }
            guard watch.now < Self.timeout else { throw silent }
        }
    }

    private var silent: Problem { Problem(description: "\(path): no answer within \(Self.timeout.components.seconds) s") }

    /// Returns a problem that describes the present value of errno.
    private func failed() -> Problem {
        let number = errno
        if number == EAGAIN || number == EINPROGRESS { return silent }
        return Problem(description: "\(path): \(Errno(rawValue: number))")
    }
}

extension StationReport.Engine {
    fileprivate init(_ status: StatusReport) {
        let output = status.output
        self.init(version: status.version, piece: status.experience, theme: status.house.theme,
                  plays: output.state == .connected && !output.isMutedByOthers && !status.house.isMuted,
                  latency: output.latency.touchToSoundMilliseconds, underruns: output.counters.underruns,
                  lateRewrites: output.counters.lateRewrites, lostEntries: status.lostEntries, issues: status.issues)
    }
}

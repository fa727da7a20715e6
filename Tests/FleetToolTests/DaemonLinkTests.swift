import Fleet
@testable import FleetTool
import Foundation
import Testing
import TestSupport
import Wire

/// A listening socket that answers each connection's first line with the same bytes, or with nothing at all.
private final class AnsweringSocket: Sendable {
    private let descriptor: Int32
    /// True when the answering thread closes the descriptor.
    private let isAnswering: Bool

    /// `answer` is nil for one that takes connections and says nothing. It is the answer to `request` alone.
    init(_ path: String, to request: String = #"{"jsonrpc":"2.0","id":1,"method":"status"}"#, answer: [UInt8]?) throws {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        (self.descriptor, isAnswering) = (descriptor, answer != nil)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let isBound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0 }
        }
        try #require(isBound && listen(descriptor, 8) == 0)
        guard let answer else { return }
        Thread.detachNewThread {
            while true {
                let client = accept(descriptor, nil, nil)
                guard client >= 0 else { break }
                var line = [UInt8](repeating: 0, count: 4_096)
                let count = recv(client, &line, line.count, 0)
                // Whatever else was asked for gets no answer.
                if String(decoding: line.prefix(max(count, 0)), as: UTF8.self) == request + "\n" {
                    // In two pieces, as a socket may hand it over.
                    for piece in [answer.prefix(10), answer.dropFirst(10)] { _ = Array(piece).withUnsafeBytes { send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) } }
                }
                close(client)
            }
            close(descriptor)
        }
    }

    /// Wakes the thread, which closes the descriptor itself: closed here, its number could be another socket's by the thread's next `accept`.
    deinit {
        shutdown(descriptor, Int32(SHUT_RDWR))
        if !isAnswering { close(descriptor) }
    }
}

@Suite struct DaemonLinkTests {
    private func reply(_ scratch: Scratch, _ answer: String?) throws -> StationReport.Daemon {
        let socket = try AnsweringSocket(scratch.file("c.sock"), answer: answer.map { Array($0.utf8) })
        defer { withExtendedLifetime(socket) {} }
        return DaemonLink(scratch.file("c.sock")).daemon
    }

    private func status(isMuted: Bool = false) -> StatusReport {
        let mute = isMuted ? HouseReport.ByHand(by: "client 7, root", since: nil) : nil
        var status = StatusReport(house: HouseReport(theme: "night", preset: "day", isByHand: false, entry: nil, nextChange: nil, volume: 0, mute: mute,
                                                     ceiling: HouseReport.Ceiling(level: -1, setting: -1), hearing: nil))
        (status.version, status.experience, status.issues, status.lostEntries) = ("9.8.7", "colorscroller", ["no finger"], 3)
        status.output.state = .connected
        status.output.latency.touchToSoundMilliseconds = 23.6
        (status.output.counters.underruns, status.output.counters.lateRewrites) = (4, 5)
        return status
    }

    /// The answer as Foundation writes it.
    private func answer(_ status: StatusReport) throws -> String {
        #"{"id":1,"jsonrpc":"2.0","result":"# + String(decoding: try JSONEncoder().encode(status), as: UTF8.self) + "}\n"
    }

    @Test func `a report has of the status what a fleet needs`() throws {
        let expected = StationReport.Engine(version: "9.8.7", piece: "colorscroller", theme: "night", plays: true, latency: 24, underruns: 4, lateRewrites: 5,
                                            lostEntries: 3, issues: ["no finger"])
        #expect(try reply(Scratch(), answer(status())) == .there(expected))
        guard case .there(let muted) = try reply(Scratch(), answer(status(isMuted: true))) else { Issue.record("nothing"); return }
        #expect(!muted.plays)
    }

    @Test func `a thrumd that is not there, is another program, refuses or says nothing is told as such`() throws {
        func reason(_ daemon: StationReport.Daemon) -> String { if case .silent(let reason) = daemon { reason } else { "\(daemon)" } }
        #expect(reason(DaemonLink("/nowhere/c.sock").daemon) == "thrumd: /nowhere/c.sock: No such file or directory")
        #expect(reason(DaemonLink("/" + String(repeating: "a", count: 107)).daemon).hasSuffix("expected a path of at most 107 bytes"))
        let refusal = #"{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"not for visitors"}}"# + "\n"
        #expect(try reason(reply(Scratch(), refusal)) == "thrumd: refuses: not for visitors")
        for stranger in ["HTTP/1.1 400 Bad Request\n", "{}\n", #"{"result":{"version":"1"}}"# + "\n"] {
            #expect(try reason(reply(Scratch(), stranger)).hasSuffix("what answers here is no thrumd, or one of another version"), "\(stranger)")
        }
        #expect(try reason(reply(Scratch(), "{")).hasSuffix("closed the connection"))
        #expect(try reason(reply(Scratch(), String(repeating: " ", count: 2 << 20))).hasSuffix("expected an answer of at most 1048576 bytes"))
        let start = ContinuousClock.now
        #expect(try reason(reply(Scratch(), nil)).hasSuffix("no answer within 2 s"))
        #expect(ContinuousClock.now - start < .seconds(20))
    }
}

@Suite struct StationSparingTests {
    private let request = #"{"jsonrpc":"2.0","id":1,"method":"session.spare","params":{"first":"2026-01-01T12-00-00Z"}}"#

    private func spare(_ answer: String) throws {
        let scratch = try Scratch()
        let socket = try AnsweringSocket(scratch.file("c.sock"), to: request, answer: Array(answer.utf8))
        defer { withExtendedLifetime(socket) {} }
        try DaemonLink(scratch.file("c.sock")).spare(from: "2026-01-01T12-00-00Z")
    }

    @Test func `thrumd is asked to spare what is not sent, and may refuse`() throws {
        try spare(#"{"id":1,"jsonrpc":"2.0","result":{}}"# + "\n")
        do {
            try spare(#"{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"for operators"}}"# + "\n")
            Issue.record("no refusal")
        } catch let problem as DaemonLink.Problem {
            #expect(problem.isRefusal && problem.description == "refuses: for operators")
        }
    }

    @Test func `the folder is looked at every ten seconds`() {
        // Nobody is there to be told, so each look tells again.
        var (sparing, looks) = (StationSparing(DaemonLink("/nowhere/c.sock")), [Int]())
        for second in 0..<35 {
            func look() -> String? {
                looks.append(second)
                return "a"
            }
            sparing.tell(look(), at: .seconds(second))
        }
        #expect(looks == [0, 10, 20, 30])
        var alone = StationSparing(nil)
        func none() -> String? {
            Issue.record("a station without thrumd looks for nobody")
            return nil
        }
        alone.tell(none(), at: .zero)
    }
}

@Suite struct StationReporterTests {
    /// The seconds, of so many, at which there is something to publish.
    private func published(_ seconds: Range<Int>, _ reporter: inout StationReporter, journals: (Int) -> Int = { _ in 0 }) -> [Int] {
        seconds.filter { second in reporter.report(journals: journals(second), rows: 0, at: .seconds(second)) != nil }
    }

    @Test func `nothing new is published once a minute, and a change within ten seconds`() {
        var reporter = StationReporter(nil)
        let (still, changed) = (published(0..<150, &reporter), published(150..<200, &reporter) { $0 < 165 ? 0 : 7 })
        #expect(still == [0, 60, 120] && changed == [170])
        reporter.reconnect()
        let again = published(200..<210, &reporter) { _ in 7 }
        #expect(again == [200], "over a new connection at once")
    }

    @Test func `a report has this machine's clock`() throws {
        var reporter = StationReporter(nil)
        let made = reporter.report(journals: 1, rows: 2, at: .zero)
        let report = try #require(made)
        #expect(abs(Double(report.instant) / 1_000_000 - Date().timeIntervalSince1970) < 60)
        #expect(report.journals == 1 && report.rows == 2 && report.daemon == .none)
    }
}

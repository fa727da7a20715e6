import FoundationEssentials
import Glibc
import SystemPackage

/// A conversation with Chromium through two pipes: JSON messages, each followed by a zero byte
/// (https://chromedevtools.github.io/devtools-protocol/). No method waits. Thread: one at a time.
final class DevTools {
    /// The parts of Chromium's messages that this class reads.
    struct Message: Decodable {
        struct Target: Decodable {
            var targetId: String
            var type: String
        }
        struct Parameters: Decodable {
            var targetId: String?
            var targetInfo: Target?
        }
        struct Value: Decodable { var value: Int? }
        struct Result: Decodable {
            var sessionId: String?
            /// The value of the expression that the page has evaluated; nil in other messages.
            var result: Value?
        }

        var id: Int?
        var method: String?
        var params: Parameters?
        var result: Result?
    }

    private struct Command<Parameters: Encodable>: Encodable {
        var id: Int
        var method: String
        var params: Parameters
        var sessionId: String?
    }

    private struct Discovery: Encodable { var discover = true }
    private struct Attachment: Encodable {
        var targetId: String
        var flatten = true
    }
    private struct Navigation: Encodable { var url: String }
    private struct Evaluation: Encodable {
        /// A JavaScript expression. Its value is the HTTP status of the loaded page; 0 for an error page of the browser.
        var expression = "performance.getEntriesByType('navigation')[0]?.responseStatus"
    }
    private struct Nothing: Encodable {}

    private static let interval: Int64 = 2_000_000_000

    private let commands: FileDescriptor
    private let answers: FileDescriptor
    private var received: [UInt8] = []
    private var lastID = 0
    /// The number of the `Browser.getVersion` question that Chromium has not answered yet, and when it was asked, by CLOCK_MONOTONIC in
    /// nanoseconds; nil where every question is answered.
    private var open: (id: Int, since: Int64)?
    private var askedAt = Int64.min
    /// The identifier of the page's tab. Chromium also reports parts of its own user interface as targets.
    private var tab: String?
    private(set) var hasCrashedTab = false
    /// The identifier of the DevTools session by which the page is asked for its status; nil while there is none.
    private var session: String?
    /// The number of the unanswered request for that session; nil where there is none. `question` is the number of the newest question
    /// about the page's status; nil before the first.
    private var attaching: Int?
    private var question: Int?
    /// The HTTP status with which the page was loaded; 0 where it could not be loaded, nil while the status is unknown.
    private(set) var pageStatus: Int?
    /// The page that is to be loaded into the tab, once Chromium answers the request numbered `id` with a session; nil where none is to be
    /// loaded.
    private var loading: (id: Int, url: String)?

    /// Takes over both pipes, and closes them when this object is released. Throws `Errno`.
    init(commands: FileDescriptor, answers: FileDescriptor) throws {
        self.commands = commands
        self.answers = answers
        for file in [commands.rawValue, answers.rawValue] {
            guard fcntl(file, F_SETFL, O_NONBLOCK) >= 0, fcntl(file, F_SETFD, FD_CLOEXEC) >= 0 else { throw Errno(rawValue: errno) }
        }
        send("Target.setDiscoverTargets", Discovery())
    }

    deinit {
        try? commands.close()
        try? answers.close()
    }

    /// Returns for how many seconds Chromium has left a question unanswered; 0 where it has answered all. `now` is CLOCK_MONOTONIC in
    /// nanoseconds.
    func unanswered(at now: Int64) -> Double { open.map { Double(now - $0.since) / 1e9 } ?? 0 }

    /// Reads Chromium's answers, and asks it a question every two seconds. `now` is CLOCK_MONOTONIC in nanoseconds.
    func step(at now: Int64) {
        receive()
        guard open == nil, askedAt == .min || now - askedAt >= Self.interval else { return }
        askedAt = now
        open = (send("Browser.getVersion", Nothing()), now)
        askForPage()
    }

    /// Asks the page for the HTTP status with which it was loaded. A tab that hangs does not answer; that it draws no frames reveals the
    /// hang.
    private func askForPage() {
        guard let tab, !hasCrashedTab else { return }
        if let session {
            question = send("Runtime.evaluate", Evaluation(), session: session)
        } else if attaching == nil {
            attaching = send("Target.attachToTarget", Attachment(targetId: tab))
        }
    }

    /// Loads `url` into the page's tab, even if the tab has crashed.
    func load(_ url: String) {
        guard let tab else { return }
        hasCrashedTab = false
        loading = (send("Target.attachToTarget", Attachment(targetId: tab)), url)
    }

    @discardableResult
    private func send(_ method: String, _ parameters: some Encodable, session: String? = nil) -> Int {
        lastID += 1
        let command = Command(id: lastID, method: method, params: parameters, sessionId: session)
        // A pipe that is full or broken is noticed by the missing answer.
        if let text = try? JSONEncoder().encode(command) { _ = try? commands.writeAll(Array(text) + [0]) }
        return lastID
    }

    private func receive() {
        var block = [UInt8](repeating: 0, count: 65_536)
        while let count = try? block.withUnsafeMutableBytes({ try answers.read(into: $0) }), count > 0 { received += block[..<count] }
        for message in Self.messages(in: &received) { hear(message) }
    }

    /// Takes the complete messages out of `bytes`, and returns them. Text between zero bytes that is no message is skipped.
    static func messages(in bytes: inout [UInt8]) -> [Message] {
        guard let end = bytes.lastIndex(of: 0) else { return [] }
        defer { bytes.removeSubrange(...end) }
        return bytes[...end].split(separator: 0).compactMap { try? JSONDecoder().decode(Message.self, from: Data($0)) }
    }

    private func hear(_ message: Message) {
        if let target = message.params?.targetInfo, target.type == "page" { tab = target.targetId }
        if message.method == "Target.targetCrashed", message.params?.targetId == tab {
            hasCrashedTab = true
            (session, attaching, question, pageStatus) = (nil, nil, nil, nil)
        }
        guard let id = message.id else { return }
        if id == open?.id { open = nil }
        if id == attaching { (attaching, session) = (nil, message.result?.sessionId) }
        if id == question { pageStatus = message.result?.result?.value }
        if let wanted = loading, wanted.id == id {
            loading = nil
            send("Page.navigate", Navigation(url: wanted.url), session: message.result?.sessionId)
        }
    }
}

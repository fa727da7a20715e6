import FoundationEssentials
import Glibc
import SystemPackage

/// A conversation with Chromium through its two pipes: JSON, with a zero after each message
/// (https://chromedevtools.github.io/devtools-protocol/). It never waits. Thread: one at a time.
final class DevTools {
    /// The parts of Chromium's messages that are listened to.
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
            /// The value of an expression.
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
        /// The HTTP status of the page that is loaded; 0 for an error page.
        var expression = "performance.getEntriesByType('navigation')[0]?.responseStatus"
    }
    private struct Nothing: Encodable {}

    private static let interval: Int64 = 2_000_000_000

    private let commands: FileDescriptor
    private let answers: FileDescriptor
    private var received: [UInt8] = []
    private var lastID = 0
    /// The oldest question without an answer.
    private var open: (id: Int, since: Int64)?
    private var askedAt = Int64.min
    /// The identifier of the tab. Parts of the browser's own surface are targets, too.
    private var tab: String?
    private(set) var hasCrashedTab = false
    /// The session in which the tab is asked about its page; nil until there is one.
    private var session: String?
    /// The request for that session, and the newest question in it.
    private var attaching: Int?
    private var question: Int?
    /// The HTTP status with which the page came, 0 where it did not come; nil while nobody knows.
    private(set) var pageStatus: Int?
    /// What is to be loaded when the request with this number is answered with a session.
    private var loading: (id: Int, url: String)?

    /// Takes over both pipes, and closes them when the conversation is let go of. Throws `Errno`.
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

    /// Returns for how many seconds a question has had no answer.
    func unanswered(at now: Int64) -> Double { open.map { Double(now - $0.since) / 1e9 } ?? 0 }

    /// Hears what has come, and asks whether Chromium is there. `now` is CLOCK_MONOTONIC in nanoseconds.
    func step(at now: Int64) {
        receive()
        guard open == nil, askedAt == .min || now - askedAt >= Self.interval else { return }
        askedAt = now
        open = (send("Browser.getVersion", Nothing()), now)
        askForPage()
    }

    /// Asks for the status of the page. A tab that hangs does not answer, which is seen by its frames.
    private func askForPage() {
        guard let tab, !hasCrashedTab else { return }
        if let session {
            question = send("Runtime.evaluate", Evaluation(), session: session)
        } else if attaching == nil {
            attaching = send("Target.attachToTarget", Attachment(targetId: tab))
        }
    }

    /// Loads `url` into the tab, also into one that has crashed.
    func load(_ url: String) {
        guard let tab else { return }
        hasCrashedTab = false
        loading = (send("Target.attachToTarget", Attachment(targetId: tab)), url)
    }

    @discardableResult
    private func send(_ method: String, _ parameters: some Encodable, session: String? = nil) -> Int {
        lastID += 1
        let command = Command(id: lastID, method: method, params: parameters, sessionId: session)
        // A pipe that is full or broken shows by the answer that does not come.
        if let text = try? JSONEncoder().encode(command) { _ = try? commands.writeAll(Array(text) + [0]) }
        return lastID
    }

    private func receive() {
        var block = [UInt8](repeating: 0, count: 65_536)
        while let count = try? block.withUnsafeMutableBytes({ try answers.read(into: $0) }), count > 0 { received += block[..<count] }
        for message in Self.messages(in: &received) { hear(message) }
    }

    /// Returns the whole messages of `bytes`, and takes them out of it; what is no message is passed over.
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

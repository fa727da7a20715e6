import ControlSocket
import Fields
import FoundationEssentials
import Glibc
import SystemPackage
import Wire

/// A conversation with thrumd in lines. Each line is sent as soon as the one before is answered.
struct Conversation {
    /// A line of the conversation: JSON-RPC as it stands, or a method and its parameters as `thrum send` takes them.
    struct Line {
        /// The request without its newline.
        let bytes: [UInt8]
        /// Whether the line is answered; a notification is not.
        let isAnswered: Bool
        /// The time until the moment that the line names.
        let delay: Duration

        /// Reads a line. `number` is the line's, from 1, and the id of a request made of words. Nil for a line with nothing but a comment.
        /// A line that begins as JSON is sent as it stands: thrumd says what is wrong with it. Throws `Fault` for words that are no
        /// request.
        init?(_ text: String, number: Int) throws {
            if let first = text.first(where: { !$0.isWhitespace }), "{[".contains(first) {
                bytes = Array(text.utf8)
                isAnswered = Self.isAnswered(bytes)
                delay = Spoken.requests(in: Data(text.utf8)).map { Message.delay(until: $0.parameters) }.max() ?? .zero
                return
            }
            let words = try QuotedWords(text).words
            guard let method = words.first else { return nil }
            let message = try Message(method: method, pairs: words.dropFirst())
            bytes = try message.line(id: number)
            isAnswered = true
            delay = message.delay
        }

        /// Returns whether thrumd answers the line, by thrumd's own reading: what is malformed is answered without an id, too. No method
        /// need be known for that.
        private static func isAnswered(_ line: [UInt8]) -> Bool {
            let requests = switch Incoming(line, MethodTable([])) {
            case .single(let request): [request]
            case .batch(let requests): requests
            }
            return requests.contains { request in
                switch request {
                case .success(let request): request.id != nil
                case .failure(let error): error.id != nil
                }
            }
        }
    }

    /// The part of a JSON-RPC request that may say a moment.
    private struct Spoken: Decodable {
        let parameters: [String: JSONValue]

        /// Returns the request of a line, those of a batch, or none where the line is no JSON.
        static func requests(in line: Data) -> [Spoken] {
            let decoder = JSONDecoder()
            return (try? decoder.decode(Spoken.self, from: line)).map { [$0] } ?? (try? decoder.decode([Spoken].self, from: line)) ?? []
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Fields.Key.self)
            // A list of parameters names no moment.
            parameters = (try? container.decode([String: JSONValue].self, forKey: .init("params"))) ?? [:]
        }
    }

    private let exchange: ControlClient.Exchange
    /// Writes a line that is a notification. Returns whether the line is one.
    private let heard: ([UInt8]) throws -> Bool
    private var input = IncomingLines(.standardInput)
    private var count = 0
    /// Whether thrumd has refused something.
    private(set) var isRefused = false

    init(_ exchange: ControlClient.Exchange, heard: @escaping ([UInt8]) throws -> Bool) {
        self.exchange = exchange
        self.heard = heard
    }

    /// Sends the lines of standard input until it ends. Writes answers in the order of their requests, and notifications as they come.
    /// Throws an exit status for a line that cannot be sent.
    mutating func run() async throws {
        let ping = try Message(method: "ping", pairs: []).line(id: 0)
        while let lines = try next() {
            for line in lines { try await say(line) }
            guard lines.isEmpty else { continue }
            // Notifications come before the answer.
            _ = try await exchange.ask(ping, heard: heard)
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    private mutating func next() throws -> [String]? {
        do {
            return try input.next()
        } catch let errno as Errno {
            throw failure("standard input: \(errno)", Exit.noInput)
        }
    }

    private mutating func say(_ text: String) async throws {
        count += 1
        let line: Line?
        do {
            line = try Line(text, number: count)
        } catch let fault as Fault {
            // Whoever types sees it, and types again; a script has not meant what it says.
            guard isatty(STDIN_FILENO) == 1 else { throw failure("line \(count): \(fault)", .validationFailure) }
            warn("line \(count): \(fault)")
            return
        }
        guard let line else { return }
        guard line.isAnswered else { return try await exchange.send(line.bytes) }
        let reply = try await exchange.reply(to: line.bytes, delay: line.delay, heard: heard)
        if reply.refusal != nil { isRefused = true }
        try StandardOutput.write(line: reply.line)
    }
}

/// The lines of a file, a pipe or a terminal, as they come.
struct IncomingLines {
    private let file: FileDescriptor
    /// The beginning of a line that is not whole.
    private var rest: [UInt8] = []
    private var isOver = false

    init(_ file: FileDescriptor) { self.file = file }

    /// Returns the whole lines that have come since the last time, without waiting for more; nil when there are no more to come. What comes
    /// after the last newline is a line, too. Throws `Errno`.
    mutating func next() throws -> [String]? {
        guard !isOver else { return nil }
        var waiting = pollfd(fd: file.rawValue, events: Int16(POLLIN), revents: 0)
        guard poll(&waiting, 1, 0) != 0 else { return [] }
        var block = [UInt8](repeating: 0, count: 1 << 16)
        let count = try block.withUnsafeMutableBytes { try file.read(into: $0) }
        isOver = count == 0
        var lines = (rest + block[..<count]).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        rest = isOver ? [] : Array(lines.removeLast())
        if isOver, lines.last?.isEmpty == true { lines.removeLast() }
        return lines.map { String(decoding: $0, as: UTF8.self) }
    }
}

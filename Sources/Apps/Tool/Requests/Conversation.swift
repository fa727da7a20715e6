import ControlSocket
import Fields
import FoundationEssentials
import Glibc
import SystemPackage
import Wire

/// A conversation with thrumd by lines of text. Each line is sent as soon as the previous one is answered.
struct Conversation {
    /// A line of the conversation: either JSON-RPC, or a method and its parameters as `thrum send` takes them.
    struct Line {
        /// The request without its newline.
        let bytes: [UInt8]
        /// Whether thrumd will answer the line. It does not answer notifications.
        let isAnswered: Bool
        /// The time from now until the time that the request names, at which it takes effect; zero where it names none.
        let delay: Duration

        /// Reads a line. `number` is the line's number from 1, and becomes the id of a request that is given as a method and parameters.
        /// Nil for an empty line or a comment. A line that begins like JSON is sent unchanged: thrumd says what is wrong with it. Throws
        /// `Fault` for words that make no request.
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

        /// Whether thrumd will answer the line. Malformed requests are answered, too, without an id, so the line is parsed as thrumd does.
        /// The methods need not be known for that.
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

    /// The parameters of a JSON-RPC request, which may name a time at which the request takes effect.
    private struct Spoken: Decodable {
        let parameters: [String: JSONValue]

        /// Returns the requests in a line: one, or all of a batch; none where the line is not JSON.
        static func requests(in line: Data) -> [Spoken] {
            let decoder = JSONDecoder()
            return (try? decoder.decode(Spoken.self, from: line)).map { [$0] } ?? (try? decoder.decode([Spoken].self, from: line)) ?? []
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Fields.Key.self)
            // Parameters that are a list cannot name a moment.
            parameters = (try? container.decode([String: JSONValue].self, forKey: .init("params"))) ?? [:]
        }
    }

    private let exchange: ControlClient.Exchange
    /// A function that writes a line from thrumd to standard output if the line is a notification, and returns whether it is one.
    private let heard: ([UInt8]) throws -> Bool
    private var input = IncomingLines(.standardInput)
    private var count = 0
    /// Whether thrumd has refused a request.
    private(set) var isRefused = false

    init(_ exchange: ControlClient.Exchange, heard: @escaping ([UInt8]) throws -> Bool) {
        self.exchange = exchange
        self.heard = heard
    }

    /// Sends the lines of standard input until it ends. Writes the answers in the order of the requests, and notifications as they come.
    /// Throws an exit status for a line that cannot be sent.
    mutating func run() async throws {
        let ping = try Message(method: "ping", pairs: []).line(id: 0)
        while let lines = try next() {
            for line in lines { try await say(line) }
            guard lines.isEmpty else { continue }
            // Notifications that have come are written before the answer to the ping.
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
            // A person at a terminal sees the fault and types the line again; a script is faulty, and is stopped.
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

/// Reads the lines of a file, a pipe or a terminal as they come.
struct IncomingLines {
    private let file: FileDescriptor
    /// The beginning of a line whose newline has not come yet.
    private var rest: [UInt8] = []
    private var isOver = false

    init(_ file: FileDescriptor) { self.file = file }

    /// Returns the complete lines that have come since the last call, without waiting for more; nil at the end of the file. The text after
    /// the last newline counts as a line, too. Throws `Errno`.
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

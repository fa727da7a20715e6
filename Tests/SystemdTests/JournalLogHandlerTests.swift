import Foundation
import Logging
import Synchronization
@testable import Systemd
import Testing
import TestSupport

private struct Malformed: Error {}

/// Keeps records as lines.
private struct Records: LogHandler {
    final class Lines: Sendable {
        let all = Mutex<[String]>([])
    }

    let lines = Lines()
    var logLevel = Logger.Level.info
    var metadata: Logger.Metadata = [:]

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let all = metadata.merging(event.metadata ?? [:]) { $1 }.sorted { $0.key < $1.key }
        lines.all.withLock { $0.append("\(event.message)" + all.map { " \($0.key)=\($0.value)" }.joined()) }
    }
}

/// A datagram's fields, read by the rules of https://systemd.io/JOURNAL_NATIVE_PROTOCOL/ and by nothing of Thrum's.
private func fields(_ datagram: [UInt8]) throws -> [String: String] {
    var rest = datagram[...]
    var fields: [String: String] = [:]
    while !rest.isEmpty {
        guard let end = rest.firstIndex(where: { $0 == UInt8(ascii: "=") || $0 == 10 }) else { throw Malformed() }
        let name = String(decoding: rest[..<end], as: UTF8.self)
        #expect(try /[A-Z][A-Z0-9_]{0,63}/.wholeMatch(in: name) != nil, "\(name)")
        let isBinary = rest[end] == 10
        rest = rest[(end + 1)...]
        let value: ArraySlice<UInt8>
        if isBinary {
            guard rest.count >= 8 else { throw Malformed() }
            let size = rest.prefix(8).enumerated().reduce(0) { $0 | Int($1.element) << (8 * $1.offset) }
            value = rest.dropFirst(8).prefix(size)
            guard value.count == size else { throw Malformed() }
        } else {
            value = rest.prefix { $0 != 10 }
        }
        guard value.endIndex < rest.endIndex, rest[value.endIndex] == 10 else { throw Malformed() }
        rest = rest[(value.endIndex + 1)...]
        #expect(fields[name] == nil)
        fields[name] = String(validating: value, as: UTF8.self)
    }
    return fields
}

private struct Spoiled: Error, CustomStringConvertible {
    var description: String { "the milk is sour" }
}

@Suite struct JournalLogHandlerTests {
    private let scratch: Scratch
    private let journal: Mailbox
    private let handler: JournalLogHandler

    init() throws {
        scratch = try Scratch()
        journal = try Mailbox(scratch.file("socket"))
        handler = JournalLogHandler(label: "thrumd", journal: try #require(DatagramSender(to: scratch.file("socket"))))
    }

    private var logger: Logger {
        var logger = Logger(label: "thrumd") { _ in handler }
        logger.logLevel = .trace
        return logger
    }

    @Test func `a record is an entry with its message, its priority, who it is from, and a field for each piece of metadata`() throws {
        logger.warning("no sound", metadata: ["server": "tcp:10.0.0.5", "max-rate": "100", "_ünlucky 9": "x", "list": ["a", "b"]])
        #expect(try fields(try journal.receive()) == [
            "MESSAGE": #"no sound (_ünlucky 9=x list=["a", "b"] max-rate=100 server=tcp:10.0.0.5)"#, "PRIORITY": "4",
            "SYSLOG_IDENTIFIER": "thrumd", "THRUM_SERVER": "tcp:10.0.0.5", "THRUM_MAX_RATE": "100", "THRUM___NLUCKY_9": "x",
            "THRUM_LIST": #"["a", "b"]"#,
        ])
    }

    @Test func `levels are those of syslog`() throws {
        for level in Logger.Level.allCases { logger.log(level: level, "here") }
        let priorities = try Logger.Level.allCases.map { _ in try fields(try journal.receive())["PRIORITY"] }
        #expect(priorities == ["7", "7", "6", "5", "4", "3", "2"])
    }

    @Test func `a value of several lines stays one value`() throws {
        logger.error("first\nPRIORITY=0\nlast", metadata: ["reason": "one\ntwo\n"])
        let entry = try fields(try journal.receive())
        #expect(entry["MESSAGE"] == "first\nPRIORITY=0\nlast (reason=one\ntwo\n)")
        #expect(entry["THRUM_REASON"] == "one\ntwo\n")
        #expect(entry["PRIORITY"] == "3")
    }

    @Test func `what is too long for a datagram is shortened, and a long name too`() throws {
        logger.info("\(String(repeating: "♪", count: 200_000))", metadata: [String(repeating: "k", count: 200): "v"])
        let entry = try fields(try journal.receive())
        #expect(entry["MESSAGE"] == String(repeating: "♪", count: 8192))
        #expect(entry["THRUM_" + String(repeating: "K", count: 58)] == "v")
    }

    @Test func `metadata of the logger and errors are told, the record's own first`() throws {
        var logger = logger
        logger[metadataKey: "device"] = "pad"
        logger[metadataKey: "node"] = "event1"
        logger.error("refused", error: Spoiled(), metadata: ["node": "event2"])
        let entry = try fields(try journal.receive())
        #expect(entry["THRUM_DEVICE"] == "pad" && entry["THRUM_NODE"] == "event2" && entry["THRUM_ERROR"] == "the milk is sour")
    }

    @Test func `loggers are values: what one is set to, its copy is not`() {
        var first = logger
        first.logLevel = .debug
        first[metadataKey: "only-on"] = "first"
        var second = first
        second.logLevel = .error
        second[metadataKey: "only-on"] = "second"
        #expect(first.logLevel == .debug && first[metadataKey: "only-on"] == "first")
        #expect(second.logLevel == .error && second[metadataKey: "only-on"] == "second")
    }

    @Test(arguments: [true, false])
    func `what the journal does not take goes to standard error, and neither is waited for`(isSocket: Bool) throws {
        // A socket, as systemd makes it, and a file, as anybody may.
        var pair: [CInt] = [-1, open(scratch.file("errors"), O_RDWR | O_CREAT, 0o600)]
        if isSocket {
            close(pair[1])
            #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0)
        }
        defer { for descriptor in pair where descriptor >= 0 { close(descriptor) } }
        let journal = try #require(DatagramSender(to: scratch.file("socket")))
        let logger = Logger(label: "thrumd") { JournalLogHandler(label: $0, journal: journal, standardError: pair[1]) }
        for number in 0..<5_000 { logger.warning("number\n\(number)", metadata: ["of": "5000"]) }
        let taken = self.journal.empty().count
        #expect((1..<5_000).contains(taken))
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = isSocket ? recv(pair[0], &bytes, bytes.count, 0) : pread(pair[1], &bytes, bytes.count, 0)
        let lines = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self).split(separator: "\n")
        #expect(lines.first == "<4>number; \(taken) (of=5000)")
        if !isSocket { #expect(lines.count == 5_000 - taken) }
    }

    @Test func `what a terminal would obey is a dot in the log that goes there`() {
        let kept = Records()
        var logger = Logger(label: "thrumd") { _ in PrintableLogHandler(kept) }
        logger[metadataKey: "device"] = "a\u{1B}[2Jb"
        logger.info("it\u{9B}0m\nis \u{202E}so", metadata: ["name": "\u{7}é"])
        #expect(kept.lines.all.withLock { $0 } == ["it·0m·is ·so device=a·[2Jb name=·é"])
    }

    @Test func `only a standard error that goes to the journal is left for it`() {
        var info = stat()
        #expect(fstat(STDERR_FILENO, &info) == 0)
        let stream = "\(info.st_dev):\(info.st_ino)"
        #expect(JournalLogHandler.orStandardError([:])("thrumd") is PrintableLogHandler)
        #expect(JournalLogHandler.orStandardError(["JOURNAL_STREAM": "1:2"])("thrumd") is PrintableLogHandler)
        #expect(JournalLogHandler.orStandardError(["JOURNAL_STREAM": stream])("thrumd") is JournalLogHandler)
    }
}

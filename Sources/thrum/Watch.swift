import ArgumentParser
import FoundationEssentials
import SystemPackage
import Wire

struct Watch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print what thrumd tells, as it comes: sessions, events, cues, what goes wrong.",
        discussion: """
            A line for each, until it is interrupted or the daemon goes. Topics are explained in docs/protocol.md.

            EXAMPLES
              thrum watch
              thrum watch unlock toast intervention
              thrum watch event --json | jq .params.phase
            """)

    @Argument(help: "Of \(Topic.allCases.map(\.rawValue).joined(separator: ", ")). (default: all)",
              completion: .list(Topic.allCases.map(\.rawValue)))
    var topics: [Topic] = []

    @Flag(help: "As JSON, a notification a line.")
    var json = false

    @OptionGroup var daemon: Daemon

    func run() async throws {
        let line = try Message(method: "subscribe", topics: topics.isEmpty ? Topic.allCases : topics).line(id: 1)
        try await daemon.converse { [json] exchange in
            _ = try await exchange.ask(line)
            while let line = try await exchange.receive() {
                // At once, also through a pipe.
                let text = json ? line : Array(try Self.words(line).utf8)
                try FileDescriptor.standardOutput.writeAll(text + [UInt8(ascii: "\n")])
            }
            throw failure("thrumd is gone", Exit.unavailable)
        }
    }

    /// `scroll  cardIndex=3 pChurn=0.2`
    private static func words(_ line: [UInt8]) throws -> String {
        let told = try JSONDecoder().decode(Told.self, from: Data(line))
        let values = told.params.filter { $0.key != "number" }.sorted { $0.key < $1.key }
        let method = told.method + String(repeating: " ", count: max(1, 13 - told.method.count))
        return method + values.map { "\($0.key)=\($0.value.text)" }.joined(separator: " ")
    }

    private struct Told: Decodable {
        var method: String
        var params: [String: JSONValue]
    }
}

extension Topic: ExpressibleByArgument {}

extension JSONValue {
    /// Text without its quotes, anything else as JSON.
    fileprivate var text: String {
        if case .text(let text) = self { return text }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}

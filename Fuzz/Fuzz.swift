import Classifier
import Experience
import Fields
import FoundationEssentials
import Haptics
import JSON
import Journal
import ModelFile
import Registry
import SignedReceipts
import Signals
import Wire

/// What a request asks for, beside events. These readers are the ones that have more to read than nothing.
private enum Asked: Command {
    case query(PieceQuery)
    case words(String?, [String]?)
}

/// The events, what all pieces declare, and a method with text and a list.
private let methods = MethodTable(
    Method.events(turning: pieces.flatMap(\.knobs)) + [.ping] + pieces.flatMap(\.actions).map { .action($0) }
        + pieces.flatMap(\.queries).map { query in
            Method(query.name, .look, query.about, result: query.result, examples: []) { .command(Asked.query(try query.query($0))) }
        } + [
            Method("subscribe", .look, "", result: "", examples: []) {
                .command(Asked.words(try $0.textIfPresent("name"), try $0.choicesIfPresent("topics", of: TopicTable(pieces).names)))
            },
        ])

private let pieces: [Declaration] = Registry.pieces.declarations

/// Readers of what strangers send, each fed with arbitrary bytes: nothing may come of it but a value or an error.
///
/// Built with `-sanitize=fuzzer -D FUZZING` libFuzzer calls it (scripts/fuzz); built as usual it reads the files it is given.
private enum Reader: String, CaseIterable {
    case lines, osc, journal, ahap, receipts, models

    func read(_ bytes: [UInt8]) {
        switch self {
        case .lines:
            var framer = LineFramer()
            for case .complete(let line) in framer.append(bytes + [UInt8(ascii: "\n")]) {
                switch Incoming(line, methods) {
                case .single(let request): answer(request)
                case .batch(let requests): requests.forEach(answer)
                }
            }
        case .osc:
            guard let packet = try? OSCPacket(bytes) else { return }
            for (time, message) in packet.messages {
                _ = time?.unixNanoseconds
                // What is written is read again.
                guard case .message(let again)? = try? OSCPacket(message.bytes) else { preconditionFailure("\(message)") }
                precondition(again.arguments.count == message.arguments.count)
            }
            for request in (try? packet.requests(methods)) ?? [] { _ = request.call.flatMap { $0.read() } }
        case .journal:
            var reader = JournalReader()
            let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            var entries = lines.dropLast().compactMap { try? reader.read($0) }
            if let last = lines.last, !last.isEmpty, let entry = try? reader.readLast(Array(last)) { entries.append(entry) }
            // What is written with sums is right by them.
            var sum = JournalSum()
            var again = JournalReader()
            for entry in entries { _ = try? again.read(sum.seal(JournalLine.encode(entry)).dropLast()[...]) }
            precondition(entries.isEmpty || again.integrity == .intact)
        case .ahap:
            _ = try? AHAP(bytes)
        case .models: predict(bytes)
        case .receipts:
            verify(String(decoding: bytes, as: UTF8.self))
            // Header and payload on two lines: what is in them is not found through base64.
            let parts = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 1).map { Array($0) }
            guard parts.count == 2 else { return }
            verify((parts + [[UInt8](repeating: 1, count: 64)]).map { base64url($0) }.joined(separator: "."))
            guard let text = try? JSONText(parts[1], within: JSONLimits(depth: 8)),
                  let value = try? JSONValue(from: JSONReading(text).decoder), let purchase = try? value.read({ try Purchase($0) }) else { return }
            // What is journaled is read again.
            guard (try? JSONValue.object(purchase.json).read { try Purchase($0) }) == purchase else { preconditionFailure("\(purchase)") }
        }
    }

    /// Whatever is accepted gives a number for whatever is finite.
    private func predict(_ bytes: [UInt8]) {
        let names = pieces.lazy.compactMap(\.prediction).first?.inputs ?? []
        guard let classifier = try? Classifier(bytes, name: "", inputs: names) else { return }
        for value: Float in [0, 1, -2.5, .greatestFiniteMagnitude, -.greatestFiniteMagnitude] {
            let logOdds = classifier.logOdds(Array(repeating: value, count: names.count).span)
            precondition(logOdds.isFinite)
        }
    }

    private func verify(_ receipt: String) {
        for verifier in Shop.verifiers { _ = try? verifier.verify(receipt, at: Shop.now) }
    }

    private func base64url(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    private func answer(_ request: Result<UnreadRequest, ErrorReply>) {
        switch request.flatMap({ $0.read() }) {
        case .success(let request): if let id = request.id { _ = Reply.line(result: Receipt(frame: 0), id: id) }
        case .failure(let error): _ = Reply.line(error: error)
        }
    }
}

#if FUZZING
/// Which of them, is said by the environment.
private let reader: Reader = {
    guard let name = ProcessInfo.processInfo.environment["THRUMDEV_FUZZ"], let reader = Reader(rawValue: name) else {
        fatalError("THRUMDEV_FUZZ is one of \(Reader.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    return reader
}()

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    reader.read(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}
#else
@main private enum Replay {
    /// `Fuzz READER FILE…`
    static func main() {
        let arguments = CommandLine.arguments.dropFirst()
        guard let name = arguments.first, let reader = Reader(rawValue: name) else {
            fatalError("usage: Fuzz \(Reader.allCases.map(\.rawValue).joined(separator: "|")) FILE…")
        }
        for file in arguments.dropFirst() {
            guard let bytes = FileManager.default.contents(atPath: file) else { fatalError("\(file): cannot be read") }
            reader.read(Array(bytes))
        }
        print("\(arguments.count - 1) read")
    }
}
#endif

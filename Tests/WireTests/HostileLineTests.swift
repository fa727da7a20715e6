import JSON
import Signals
import Testing
@testable import Wire

/// What a line costs, by what reading it counts.
private struct Reading {
    var errors: [ErrorReply] = []
    var requests: [Request] = []
    var work = ReadingWork()

    /// As dear as can be: every parameter is read.
    init(_ line: [UInt8]) {
        let unread: [Result<UnreadRequest, ErrorReply>] = switch Incoming(line, table, &work) {
        case .single(let request): [request]
        case .batch(let requests): requests
        }
        for request in unread {
            switch request.flatMap({ $0.read(&work) }) {
            case .success(let request): requests.append(request)
            case .failure(let error): errors.append(error)
            }
        }
    }

    /// No line may cost more than 2 ms, by what its parts cost at most (see `ReadingWork`): a byte is looked at once, and a value has one name
    /// at most.
    var isWithinBounds: Bool {
        let nanoseconds = 6 * work.bytes + 20 * work.nodes + 20 * work.comparisons + 600 * work.values
        return work.bytes <= 65_536 && work.nodes <= 2 * 1_920 && nanoseconds <= 2_000_000
    }
}

private func request(_ method: String, _ parameters: String) -> String { #"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":\#(parameters)}"# }
private func list(_ elements: some Sequence<String>) -> String { "[" + elements.joined(separator: ",") + "]" }
private func list(_ element: String, _ count: Int) -> String { list(repeatElement(element, count: count)) }

@Suite struct HostileLineTests {
    /// Each stopped the loop for a second to two minutes once, before it was known who sent it and for what.
    @Test(arguments: [
        String(repeating: "[", count: 500) + "{}" + String(repeating: "]", count: 500),
        String(repeating: "[", count: 500) + "\"\"" + String(repeating: "]", count: 500),
        list(String(repeating: "[", count: 300) + "{}" + String(repeating: "]", count: 300), 108),
        list(String(repeating: "[", count: 14) + "{}" + String(repeating: "]", count: 14), 1_000),
        String(repeating: #"{"a":"#, count: 500) + "1" + String(repeating: "}", count: 500),
        String(repeating: "[", count: 60_000),
    ])
    func `nesting costs no more than its bytes, and ends where it is too deep`(parameters: String) throws {
        let reading = Reading(Array(request("touch", parameters).utf8))
        let error = try #require(reading.errors.first)
        #expect(error.code == .invalidRequest && error.message == "lists and objects are nested at most 16 deep")
        // What comes after is not even looked at.
        #expect(reading.work.bytes < 200 && reading.work.nodes < 50 && reading.work.comparisons == 0)
    }

    @Test func `what is dear is refused with the limit in words`() throws {
        for (line, message) in [
            (request("subscribe", #"{"topics":\#(list("1", 1_920))}"#), "a line has at most 1920 values"),
            (request("subscribe", "{\"\(String(repeating: "a", count: 257))\":1}"), "a name has at most 256 bytes"),
            (list("{}", 65), "a batch has 1 to 64 requests"),
            (list("{}", 2_000), "a line has at most 1920 values"),
        ] {
            let error = try #require(Reading(Array(line.utf8)).errors.first)
            #expect(error.code == .invalidRequest && error.message == message)
        }
        for (line, field) in [
            (#"{"jsonrpc":"2.0","id":"\#(String(repeating: "a", count: 257))","method":"stop"}"#, "id"),
            (#"{"jsonrpc":"2.0","id":1,"id":2,"method":"stop"}"#, "id"),
            (request("tone", #"{"on":true,"\u006fn":false}"#), "on"),
            (request("chime.play", #"{"name":"a\#(String(repeating: "\u{301}", count: 40))"}"#), "name"),
        ] {
            let error = try #require(Reading(Array(line.utf8)).errors.first)
            #expect(error.fault?.field == field, "\(error)")
        }
    }

    /// Text that is written with many marks may be spelled in many ways, and Swift compares all of them: 64 names of methods cost 160 ms.
    @Test func `names are compared by their bytes`() throws {
        let zalgo = "a" + String(repeating: "\u{301}\u{323}", count: 120)
        for line in [list(#"{"jsonrpc":"2.0","method":"\#(zalgo)"}"#, 64), list(#"{"jsonrpc":"\#(zalgo)","method":"stop"}"#, 64)] {
            #expect(Reading(Array(line.utf8)).errors.allSatisfy { $0.code == .invalidRequest && $0.message.contains("bytes") })
        }
        let reading = Reading(Array(request("haptic.play", #"{"ahap":{"\#("\u{301}\u{323}")":1,"Pattern":[{"Parameter":{"ParameterID":"\#(zalgo)"}}]}}"#).utf8))
        #expect(reading.errors.first?.fault?.field == "ahap.Pattern[0].Parameter.ParameterID")
    }

    @Test func `the largest good requests are read`() throws {
        let event = #"{"time":0.5,"duration":1.5,"intensity":0.5,"sharpness":0.25,"attack":0.1,"decay":0.1,"release":0.1,"sustained":true}"#
        let control = #"{"parameter":"intensity","time":0,"points":[{"time":0,"value":0.5}]}"#
        let own = Reading(Array(request("haptic.play", #"{"pattern":{"events":\#(list(event, 64)),"controls":\#(list(control, 64))},"at":1}"#).utf8))
        guard case .event(.pattern(let pattern), .at(1)) = try #require(own.requests.first).call else { Issue.record("\(own)"); return }
        #expect(pattern.events.count == 64 && pattern.controls.count == 64 && pattern.refusal == nil)

        let parameters = ["HapticIntensity", "HapticSharpness", "AttackTime", "DecayTime", "ReleaseTime", "Sustained"]
            .map { #"{"ParameterID":"\#($0)","ParameterValue":0.5}"# }
        let felt = #"{"Event":{"Time":0,"EventType":"HapticContinuous","EventDuration":1,"EventParameters":\#(list(parameters))}}"#
        let changed = #"{"Parameter":{"ParameterID":"HapticIntensityControl","ParameterValue":0.5,"Time":0}}"#
        let entries = [String](repeating: felt, count: 64) + [String](repeating: changed, count: 64)
        let ahap = Reading(Array(list([request("haptic.play", #"{"ahap":{"Version":1,"Pattern":\#(list(entries))},"delay":1}"#)]).utf8))
        guard case .event(.pattern(let pattern), .after(1)) = try #require(ahap.requests.first).call else { Issue.record("\(ahap)"); return }
        #expect(pattern.events.count == 64 && pattern.controls.count == 64 && pattern.refusal == nil)

        let touch = request("touch", #"{"phase":"moved","id":3,"x":0.123456789,"y":0.987654321,"at":1234567890123456}"#)
        let batch = Reading(Array(list(touch, 64).utf8))
        #expect(batch.requests.count == 64)
        #expect(own.isWithinBounds && ahap.isWithinBounds && batch.isWithinBounds)
    }

    /// A watcher's line was decoded before anybody asked whether it may be sent.
    @Test func `parameters are not read before the request is`() throws {
        let parameters = #"{"pattern":\#(list(#"{"time":0,"intensity":1,"sharpness":1}"#, 400))}"#
        var work = ReadingWork()
        guard case .single(.success(let unread)) = Incoming(Array(request("haptic.play", parameters).utf8), table, &work) else { Issue.record(); return }
        #expect(unread.id == .integer(1) && unread.method.name == "haptic.play")
        #expect(!Role.watch.admits(unread.method.access) && !unread.method.access.canRelease)
        #expect(work.values < 20 && work.comparisons < 40)
        _ = Incoming(Array(request("fly", parameters).utf8), table, &work)
        #expect(work.values < 40 && work.comparisons < 80)
        _ = unread.read(&work)
        #expect(work.values > 1_600)
    }

    @Test func `who only looks may make those requests that change nothing, and stop`() {
        let allowed = table.methods.filter { Role.watch.admits($0.access) }.map(\.name)
        #expect(allowed == ["cards", "hello", "ping", "status", "stop", "subscribe"])
        #expect(table.methods.allSatisfy { Role.operator.admits($0.access) })
    }

    /// 10,000 lines and batches, made to be dear in every way that we know. Each is either refused for the limit that it is over, or read, and
    /// then with what is in it.
    @Test func `no line costs more than is allowed, and none is read wrongly`() {
        var maker = ExpensiveLines(seed: 16)
        var dearest = ReadingWork()
        var kinds: [String: Int] = [:]
        for _ in 0..<10_000 {
            let line = maker.next()
            let reading = Reading(Array(line.text.utf8))
            #expect(reading.isWithinBounds, "\(reading.work): \(line.text.prefix(200))")
            #expect(line.isAnswered(reading.requests, reading.errors), "\(line.text.prefix(300)): \(reading.errors.first.map { "\($0)" } ?? "read")")
            dearest.comparisons = max(dearest.comparisons, reading.work.comparisons)
            dearest.values = max(dearest.values, reading.work.values)
            kinds[line.kind, default: 0] += 1
        }
        // They are dear: near to what is allowed.
        #expect(dearest.comparisons > 10_000 && dearest.values > 1_900, "\(dearest)")
        #expect(kinds.values.allSatisfy { $0 > 500 }, "\(kinds)")
    }
}

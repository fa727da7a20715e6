import Fields
import Foundation
import Signals
import Testing
import Units

@testable import Wire

private func read(_ bytes: [UInt8]) throws -> Request {
    guard case .single(let request) = Incoming(bytes, table) else { preconditionFailure("no batch") }
    return try request.get().read().get()
}

private func read(_ text: String) throws -> Request { try read(Array(text.utf8)) }

private func call(_ method: String, _ parameters: String) throws -> Call {
    try read(#"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":\#(parameters)}"#).call
}

@Suite struct RequestTests {
    @Test func `every method is read with its parameters`() throws {
        #expect(try call("touch", #"{"phase":"began","id":3,"x":0.25,"y":1}"#)
            == .event(.touch(Touch(.began, finger: 3, x: 0.25, y: 1)), at: nil))
        #expect(try call("touch", #"{"phase":"ended"}"#) == .event(.touch(Touch(.ended)), at: nil))
        // What lets go is not refused for where it does so.
        #expect(try call("touch", #"{"phase":"ended","x":-0.2,"y":1.5}"#) == .event(.touch(Touch(.ended, x: 0, y: 1)), at: nil))
        #expect(throws: ErrorReply.self) { try call("touch", #"{"phase":"moved","x":-0.2,"y":0.5}"#) }
        #expect(try call("walk", #"{"steps":12}"#) == .event(.action(Action(Walk(steps: 12))), at: nil))
        #expect(try call("swipe", #"{"direction":"down","velocity":2.5}"#) == .event(.swipe(Swipe(.down, velocity: 2.5)), at: nil))
        #expect(try call("swipe", "{}") == .event(.swipe(Swipe(.up)), at: nil))
        #expect(try call("tone", #"{"on":true,"frequency":440,"level":-12,"glide":0.1}"#)
            == .event(.tone(ToneRequest(on: true, frequency: Hertz(440), level: Decibels(-12), glide: Seconds(0.1))), at: nil))
        #expect(try call("param.set", #"{"name":"is-shy","value":true}"#) == .event(.knob(KnobChange("is-shy", .flag(true))), at: nil))
        #expect(try call("ping", #"{"timeout":250}"#) == .ping(timeout: 250))
        #expect(try call("cards", #"{"from":3,"count":5}"#) == .command(Asked.cards(from: 3, count: 5)))
        #expect(try call("cards", #"{"from":3}"#) == .command(Asked.cards(from: 3, count: 256)))
        #expect(try call("subscribe", #"{"topics":["cue","event"]}"#) == .command(Asked.topics(["cue", "event"])))
        #expect(try call("chime.play", #"{"name":"unlock"}"#) == .event(.chime(name: "unlock"), at: nil))
        #expect(try call("stop", "{}") == .event(.stop, at: nil))
        #expect(try call("touch", #"{"phase":"ended","at":9007199254740993}"#)
            == .event(.touch(Touch(.ended)), at: .at(9_007_199_254_740_993)))
        #expect(try call("hello", #"{"client":"web"}"#) == .command(Asked.greeting(name: "web", gestures: false)))
        #expect(try call("hello", #"{"gestures":true}"#) == .command(Asked.greeting(name: nil, gestures: true)))
        #expect(try read(#"{"jsonrpc":"2.0","id":"a","method":"status"}"#) == Request(id: RequestID(literal: #""a""#), call: .command(Asked.status)))
    }

    @Test func `a request without an id is a notification`() throws {
        #expect(try read(#"{"jsonrpc":"2.0","method":"stop"}"#).id == nil)
        #expect(try read(#"{"jsonrpc":"2.0","method":"stop","id":null}"#).id == .null)
    }

    @Test func `methods named in errors and greetings are exactly those that are read`() throws {
        for method in table.names {
            let error = #expect(throws: ErrorReply.self) { try call(method, #"{"nonsense":1}"#) }
            #expect(error?.code == .invalidParams, "\(method)")
        }
    }

    @Test(arguments: [
        ("tone", #"{"frequency":"high"}"#, "frequency", "a number from 20 to 5000 (Hz)", "\"high\""),
        ("tone", #"{"frequency":5001}"#, "frequency", "a number from 20 to 5000 (Hz)", "5001"),
        ("tone", #"{"frequency":NaN}"#, "frequency", "a number from 20 to 5000 (Hz)", "nan"),
        ("tone", #"{"level":-Infinity}"#, "level", "a number from -120 to 0 (dBFS)", "-inf"),
        ("tone", #"{"level":1e999}"#, "level", "a number from -120 to 0 (dBFS)", nil),
        ("tone", #"{"on":1}"#, "on", "true or false", "1"),
        ("tone", "{}", "on", "at least one of on, frequency, level", "nothing"),
        ("touch", "{}", "phase", "one of began, moved, ended", "nothing"),
        ("touch", #"{"phase":"up"}"#, "phase", "one of began, moved, ended", "\"up\""),
        ("touch", #"{"phase":"began","x":1.5}"#, "x", "a number from 0 to 1", "1.5"),
        ("touch", #"{"phase":"began","id":-1}"#, "id", "a whole number from 0 to 2147483647", "-1"),
        ("cards", #"{"from":0,"count":257}"#, "count", "a whole number from 1 to 256", "257"),
        ("param.set", #"{"name":"speed","value":61}"#, "value", "a number from 0 to 60 (seconds)", "61"),
        ("param.set", #"{"name":"speed"}"#, "value", "a number from 0 to 60 (seconds)", "nothing"),
        ("param.set", #"{"name":"is-shy","value":1}"#, "value", "true or false", "1"),
        ("param.set", #"{"name":"height","value":1}"#, "name", "one of speed, is-shy", "\"height\""),
        ("subscribe", #"{"topics":["weather"]}"#, "topics", "a list of event, cue, meters", "\"weather\""),
        ("subscribe", #"{"topics":"cue"}"#, "topics", "a list of event, cue, meters", "\"cue\""),
        ("walk", #"{"steps":[]}"#, "steps", "a whole number from 0 to 1000000", "a list"),
        ("walk", #"{"steps":1,"speed":2}"#, "speed", "only steps, at, delay", "this field"),
        ("cards", #"{"from":1,"speed":2}"#, "speed", "only from, count", "this field"),
        ("chime.play", #"{"name":{}}"#, "name", "text of 1 to 256 characters", "an object"),
        ("stop", #"{"now":true}"#, "now", "only at, delay", "this field"),
        ("stop", "[1,2,3]", "params", "at most 2 without a name (at, delay)", "3"),
        ("stop", #"{"at":1,"delay":1}"#, "delay", "either at or delay", "both"),
        ("touch", #"["began",-1]"#, "id", "a whole number from 0 to 2147483647", "-1"),
        ("status", "[1]", "params", "none", "1"),
    ] as [(String, String, String, String, String?)])
    func `a bad parameter is named with what was expected`(method: String, parameters: String, field: String,
                                                          expected: String, found: String?) throws {
        let error = try #require(throws: ErrorReply.self) { try call(method, parameters) }
        #expect(error.code == .invalidParams)
        #expect(error.fault?.field == field)
        #expect(error.fault?.expected == expected)
        if let found { #expect(error.fault?.found == found) }
        #expect(error.id == .integer(1))
    }

    @Test func `a method of another piece is refused, and the error names the piece that runs`() throws {
        let error = try #require(throws: ErrorReply.self) { try call("swim", "{}") }
        #expect(error.code == .refused(.notHere) && error.id == .integer(1))
        #expect(error.message == "method: expected none of another piece's, because the experience is park, found \"swim\"")
        let unknown = try #require(throws: ErrorReply.self) { try call("fly", "{}") }
        #expect(unknown.code == .methodNotFound)
        #expect(unknown.message == "unknown method \"fly\": rpc.discover lists all methods")
        #expect(unknown.fault?.expected == "a method that rpc.discover lists")
    }

    @Test func `a method that is nearly one gets a suggestion instead of all names`() throws {
        let error = try #require(throws: ErrorReply.self) { try call("chime.pla", "{}") }
        #expect(error.message == "unknown method \"chime.pla\": did you mean \"chime.play\"? rpc.discover lists all methods")
        #expect(error.fault?.expected == "chime.play" && error.fault?.found == "\"chime.pla\"")
    }

    @Test func `every event that clients may report has a method, and no other method reports one`() {
        let events = Method.events(turning: []).map(\.name)
        let renamed = ["chime.play": "chime", "haptic.play": "haptic", "texture.set": "texture"]
        #expect(events.map { renamed[$0] ?? $0 }.sorted() == EventKind.reportable)
        #expect(EventKind.chime(name: "ding").method == "chime.play" && EventKind.haptic(name: "knock").method == "haptic.play")
        #expect(EventKind.texture(name: "purr", on: true).method == "texture.set" && EventKind.stop.method == "stop")
        #expect(table.methods.filter { $0.access.canRelease }.map(\.name) == ["noise", "output.mute", "stop", "texture.set", "tone", "touch"])
    }

    @Test(arguments: [
        ("", ErrorReply.Code.parseError), ("garbage", .parseError), ("{", .parseError), ("{'a':1}", .parseError), (#"{"id":0x0x}"#, .parseError),
        ("[]", .invalidRequest), ("3", .invalidRequest), ("{}", .invalidRequest), ("null", .invalidRequest),
        (#"{"jsonrpc":"1.0","method":"stop"}"#, .invalidRequest),
        (#"{"jsonrpc":"2.0","method":3}"#, .invalidRequest),
        (#"{"jsonrpc":"2.0","method":"stop","id":{}}"#, .invalidRequest),
        (#"{"jsonrpc":"2.0","method":"fly"}"#, .methodNotFound),
        (#"{"jsonrpc":"2.0","method":"left"}"#, .methodNotFound),
        (#"{"jsonrpc":"2.0","method":"stop","more":1}"#, .invalidRequest),
        (#"{"jsonrpc":"2.0","method":"stop" /* now */}"#, .parseError),
        ("\u{0}\u{1}", .parseError),
    ])
    func `a line that is no request gets the error the specification has for it`(line: String, code: ErrorReply.Code) {
        let error = #expect(throws: ErrorReply.self) { try read(line) }
        #expect(error?.code == code)
    }

    /// A lenient reader of JSON crashed on some of them.
    @Test(arguments: [#"{"id":0x0x}"#, #"{"jsonrpc":"2.0","id":0x0xF,"method":"stop"}"#, #"{"id":0X0X1}"#, #"{"id":+1}"#, #"{"id":.5}"#, "{id:1}"])
    func `numbers that are not JSON are no JSON`(line: String) {
        let error = #expect(throws: ErrorReply.self) { try read(line) }
        #expect(error?.code == .parseError)
    }

    @Test func `words in text are left alone`() throws {
        #expect(try call("hello", #"{"client":"NaN \\\" Infinity"}"#) == .command(Asked.greeting(name: #"NaN \" Infinity"#, gestures: false)))
        let error = #expect(throws: ErrorReply.self) { try call("hello", #"{"client":"NaN","gestures":NaN}"#) }
        #expect(error?.fault?.field == "gestures")
    }

    @Test func `a batch has an end`() throws {
        for count in [64, 65] {
            let line = "[" + [String](repeating: #"{"jsonrpc":"2.0","method":"stop"}"#, count: count).joined(separator: ",") + "]"
            guard case .batch(let requests) = Incoming(Array(line.utf8), table) else {
                #expect(count == 65)
                continue
            }
            #expect(requests.count == 64)
        }
    }

    @Test func `null in a list leaves a parameter out`() throws {
        #expect(try call("chime.play", #"["ding",null,100]"#) == .event(.chime(name: "ding"), at: .after(100)))
    }

    @Test func `bytes that are not UTF-8 and nesting without end are errors, not crashes`() {
        #expect(throws: ErrorReply.self) { try read([0xFF, 0xFE, 0x22]) }
        #expect(throws: ErrorReply.self) { try read([UInt8](repeating: UInt8(ascii: "["), count: 65_536)) }
        #expect(throws: ErrorReply.self) { try read(Array(#"{"a":"#.utf8) + [UInt8](repeating: 0x5B, count: 60_000)) }
    }

    /// 20,000 mutations of good lines: garbage is understood or raises exactly one kind of error.
    @Test func `no line of garbage does anything but fail`() {
        let seeds = [#"{"jsonrpc":"2.0","id":1,"method":"tone","params":{"frequency":440,"on":true}}"#,
                     #"{"jsonrpc":"2.0","id":"x","method":"touch","params":{"phase":"began","id":2,"x":0.5}}"#]
        var state: UInt64 = 42
        func random(_ bound: Int) -> Int {
            state = state &* 6364136223846793005 &+ 1442695040888963407
            return Int((state >> 33) % UInt64(bound))
        }
        var understood = 0
        for round in 0..<20_000 {
            var bytes = Array(seeds[round % 2].utf8)
            for _ in 0...random(3) {
                switch random(3) {
                case 0: bytes[random(bytes.count)] = UInt8(random(256))
                case 1: bytes.remove(at: random(bytes.count))
                default: bytes.insert(UInt8(random(256)), at: random(bytes.count))
                }
            }
            if (try? read(bytes)) != nil { understood += 1 }
        }
        #expect(understood < 20_000)
    }
}

@Suite struct ReplyTests {
    @Test func `an error reply carries code, message and the field at fault`() throws {
        let fault = Fault(field: "x", expected: "a number from 0 to 1", found: "7")
        let line = Reply.line(error: ErrorReply(.invalidParams, fault: fault, id: .integer(5)))
        #expect(String(decoding: line, as: UTF8.self) == """
            {"error":{"code":-32602,"data":{"expected":"a number from 0 to 1","field":"x","found":"7"},\
            "message":"x: expected a number from 0 to 1, found 7"},"id":5,"jsonrpc":"2.0"}\n
            """)
    }

    @Test(arguments: ErrorReply.Reason.allCases)
    func `a refusal carries its reason for programs, with a field at fault or without one`(reason: ErrorReply.Reason) {
        let bare = Reply.line(error: ErrorReply(.refused(reason), "no", id: .integer(5)))
        #expect(String(decoding: bare, as: UTF8.self) == """
            {"error":{"code":-32000,"data":{"reason":"\(reason.rawValue)"},"message":"no"},"id":5,"jsonrpc":"2.0"}\n
            """)
        let fault = Fault(field: "name", expected: "one of ding", found: "gong")
        let blaming = Reply.line(error: ErrorReply(.refused(reason), fault: fault, id: .integer(5)))
        #expect(String(decoding: blaming, as: UTF8.self).contains(
            #""data":{"expected":"one of ding","field":"name","found":"gong","reason":"\#(reason.rawValue)"}"#))
    }

    @Test func `an error without a field and without a reason carries no data`() {
        let line = Reply.line(error: ErrorReply(.parseError, "no", id: .null))
        #expect(String(decoding: line, as: UTF8.self) == #"{"error":{"code":-32700,"message":"no"},"id":null,"jsonrpc":"2.0"}"# + "\n")
    }

    @Test func `a result carries the id it answers`() {
        let line = Reply.line(result: Receipt(frame: 480), id: RequestID(literal: #""a""#))
        #expect(String(decoding: line, as: UTF8.self) == #"{"id":"a","jsonrpc":"2.0","result":{"frame":480}}"# + "\n")
    }

    @Test func `a notification is never answered`() {
        #expect(Reply.line(error: ErrorReply(.methodNotFound, "no", id: nil)).isEmpty)
    }
}

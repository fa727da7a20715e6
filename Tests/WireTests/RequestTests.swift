import ColorScroller
import Direct
import Experience
import Fields
import Foundation
import Signals
import Testing
import Units
import Wire

private func read(_ bytes: [UInt8]) throws -> Request<Call> {
    guard case .single(let request) = Incoming<Call>(bytes) else { preconditionFailure("no batch") }
    return try request.get().read().get()
}

private func read(_ text: String) throws -> Request<Call> { try read(Array(text.utf8)) }

private func call(_ method: String, _ parameters: String) throws -> Call {
    try read(#"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":\#(parameters)}"#).call
}

@Suite struct RequestTests {
    @Test func `every method is read with its parameters`() throws {
        #expect(try call("touch", #"{"phase":"began","id":3,"x":0.25,"y":1}"#)
            == .report(.touch(Touch(.began, finger: 3, x: 0.25, y: 1)), at: nil))
        #expect(try call("touch", #"{"phase":"ended"}"#) == .report(.touch(Touch(.ended)), at: nil))
        #expect(try call("feed.update", #"{"blocksViewed":12}"#) == .report(.action(Action(FeedUpdate(blocksViewed: 12))), at: nil))
        #expect(try call("feed.swipe", #"{"direction":"down","velocity":2.5}"#)
            == .report(.swipe(Swipe(.down, velocity: 2.5)), at: nil))
        #expect(try call("tone", #"{"on":true,"frequency":440,"level":-12,"glide":0.1}"#)
            == .report(.tone(ToneRequest(on: true, frequency: Hertz(440), level: Decibels(-12), glide: Seconds(0.1))), at: nil))
        #expect(try call("feed.scroll", #"{"index":7,"velocity":1.5}"#) == .report(.action(Action(FeedScroll(to: 7, velocity: 1.5))), at: nil))
        #expect(try call("param.set", #"{"name":"force-unlock-all","value":true}"#) == .report(.knob(KnobChange("force-unlock-all", .flag(true))), at: nil))
        #expect(try call("feed.cards", #"{"from":3,"count":5}"#) == .ask(.piece(PieceQuery(name: "feed.cards", body: ColorScroller.Query.cards(from: 3, count: 5)))))
        #expect(try call("feed.cards", #"{"from":3}"#) == .ask(.piece(PieceQuery(name: "feed.cards", body: ColorScroller.Query.cards(from: 3, count: 256)))))
        #expect(try call("feed.state", "{}") == .ask(.piece(PieceQuery(name: "feed.state", body: ColorScroller.Query.state))))
        #expect(try call("feed.inventory", "{}") == .ask(.piece(PieceQuery(name: "feed.inventory", body: ColorScroller.Query.inventory))))
        #expect(try call("feed.leaderboard", "{}") == .ask(.piece(PieceQuery(name: "feed.leaderboard", body: ColorScroller.Query.leaderboard))))
        #expect(try call("param.list", "{}") == .ask(.knobs))
        #expect(try call("param.get", #"{"name":"toast-cooldown"}"#) == .ask(.knob("toast-cooldown")))
        #expect(try call("subscribe", #"{"topics":["toast","unlock","toast"]}"#) == .subscribe(Set(["toast", "unlock"].compactMap(Topic.init(rawValue:))), meterRate: 20))
        #expect(try call("subscribe", "{}") == .subscribe(Topic.usual, meterRate: 20))
        #expect(try call("chime", #"{"name":"unlock"}"#) == .report(.chime(name: "unlock"), at: nil))
        #expect(try call("stop", "{}") == .report(.stop, at: nil))
        #expect(try call("touch", #"{"phase":"ended","at":9007199254740993}"#)
            == .report(.touch(Touch(.ended)), at: .at(9_007_199_254_740_993)))
        #expect(try call("hello", #"{"client":"web"}"#) == .hello(client: "web", gestures: false))
        #expect(try call("hello", #"{"gestures":true}"#) == .hello(client: nil, gestures: true))
        #expect(try read(#"{"jsonrpc":"2.0","id":"a","method":"status"}"#) == Request(id: .text("a"), call: .status))
    }

    @Test func `a request without an id is a notification`() throws {
        #expect(try read(#"{"jsonrpc":"2.0","method":"stop"}"#).id == nil)
        #expect(try read(#"{"jsonrpc":"2.0","method":"stop","id":null}"#).id == .null)
    }

    @Test func `methods named in errors and greetings are exactly those that are read`() throws {
        for method in Call.methods {
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
        ("feed.scroll", #"{"index":-1}"#, "index", "a whole number from 0 to 1000000000", "-1"),
        ("feed.cards", #"{"from":0,"count":257}"#, "count", "a whole number from 1 to 256", "257"),
        ("param.set", #"{"name":"toast-cooldown","value":61}"#, "value", "a number from 0 to 60 (seconds)", "61"),
        ("param.set", #"{"name":"toast-cooldown"}"#, "value", "a number from 0 to 60 (seconds)", "nothing"),
        ("param.set", #"{"name":"force-unlock-all","value":1}"#, "value", "true or false", "1"),
        ("subscribe", #"{"topics":["weather"]}"#, "topics",
         "a list of session, scroll, unlock, toast, palette, intervention, leaderboard, event, cue, device, fault, state, meters", "\"weather\""),
        ("subscribe", #"{"topics":"toast"}"#, "topics",
         "a list of session, scroll, unlock, toast, palette, intervention, leaderboard, event, cue, device, fault, state, meters", "\"toast\""),
        ("feed.update", #"{"blocksViewed":[]}"#, "blocksViewed", "a whole number from 0 to 1000000", "a list"),
        ("feed.update", #"{"blocksViewed":1,"speed":2}"#, "speed", "only blocksViewed, at, in", "this field"),
        ("chime", #"{"name":{}}"#, "name", "text of 1 to 256 characters", "an object"),
        ("stop", #"{"now":true}"#, "now", "only at, in", "this field"),
        ("stop", "[1,2,3]", "params", "at most 2 without a name (at, in)", "3"),
        ("stop", #"{"at":1,"in":1}"#, "in", "either at or in", "both"),
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
        #expect(try call("hello", #"{"client":"NaN \\\" Infinity"}"#) == .hello(client: #"NaN \" Infinity"#, gestures: false))
        let error = #expect(throws: ErrorReply.self) { try call("hello", #"{"client":"NaN","gestures":NaN}"#) }
        #expect(error?.fault?.field == "gestures")
    }

    @Test func `a batch has an end`() throws {
        for count in [64, 65] {
            let line = "[" + [String](repeating: #"{"jsonrpc":"2.0","method":"stop"}"#, count: count).joined(separator: ",") + "]"
            guard case .batch(let requests) = Incoming<Call>(Array(line.utf8)) else {
                #expect(count == 65)
                continue
            }
            #expect(requests.count == 64)
        }
    }

    @Test func `null in a list leaves a parameter out`() throws {
        #expect(try call("chime", #"["ding",null,100]"#) == .report(.chime(name: "ding"), at: .after(100)))
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

    @Test func `a result carries the id it answers`() {
        let line = Reply.line(result: Receipt(frame: 480), id: .text("a"))
        #expect(String(decoding: line, as: UTF8.self) == #"{"id":"a","jsonrpc":"2.0","result":{"frame":480}}"# + "\n")
    }

    @Test func `a notification is never answered`() {
        #expect(Reply.line(error: ErrorReply(.methodNotFound, "no", id: nil)).isEmpty)
    }
}

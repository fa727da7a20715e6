import Fields
import Foundation
import Signals
import Testing
import Units
import Wire

/// Bytes as OSC's specification shows its examples: text with its zeros, and hexadecimal.
private func bytes(_ hex: String) -> [UInt8] {
    let digits = hex.filter(\.isHexDigit)
    return stride(from: 0, to: digits.count, by: 2).map { index in
        let start = digits.index(digits.startIndex, offsetBy: index)
        return UInt8(digits[start...digits.index(after: start)], radix: 16)!
    }
}

private func calls(_ address: String, _ arguments: OSCArgument...) throws -> [Call] {
    try OSCPacket.message(OSCMessage(address, arguments)).requests(table).map { try $0.call.get().read().get() }
}

@Suite struct OSCTests {
    /// The two examples of the OSC 1.0 specification, "OSC Message Examples" (opensoundcontrol.org/spec-1_0-examples).
    @Test func `the specification's examples are read, and written, as it has them`() throws {
        let first = bytes("2f6f7363 696c6c61 746f722f 342f6672 65717565 6e637900 2c660000 43dc0000")
        #expect(try OSCPacket(first) == .message(OSCMessage("/oscillator/4/frequency", [.number(440)])))
        #expect(OSCMessage("/oscillator/4/frequency", [.number(440)]).bytes == first)
        let second = bytes("""
            2f666f6f 00000000 2c696973 66660000 000003e8 ffffffff 68656c6c 6f000000 3f9df3b6 40b5b22d
            """)
        let message = OSCMessage("/foo", [.integer(1000), .integer(-1), .text("hello"), .number(Double(Float(1.234))), .number(Double(Float(5.678)))])
        #expect(try OSCPacket(second) == .message(message))
        #expect(message.bytes == second)
    }

    /// Worked out by Python's struct from the layout of OSC 1.0.
    @Test func `a notification is a bundle of its fields in order, and of its own address last`() throws {
        let line = #"{"jsonrpc":"2.0","method":"state","params":{"tone":{"open":true},"hand":null,"fingers":2,"a b":1}}"# + "\n"
        let packet = try #require(OSCPacket(notification: Array(line.utf8)))
        #expect(packet == .bundle(.immediately, [.message(OSCMessage("/thrum/state/fingers", [.integer(2)])),
                                                 .message(OSCMessage("/thrum/state/tone/open", [.flag(true)])),
                                                 .message(OSCMessage("/thrum/state"))]))
        #expect(packet.bytes == bytes("""
            2362756e 646c6500 00000000 00000001 00000020 2f746872 756d2f73 74617465 2f66696e 67657273 00000000 2c690000 00000002
            0000001c 2f746872 756d2f73 74617465 2f746f6e 652f6f70 656e0000 2c540000 00000014 2f746872 756d2f73 74617465 00000000
            2c000000
            """))
        #expect(try OSCPacket(packet.bytes) == packet)
        let lists = #"{"method":"touch.owner","params":{"apps":["a",{"b":0.5}]}}"#
        #expect(OSCPacket(notification: Array(lists.utf8))?.messages.map(\.message) == [
            OSCMessage("/thrum/touch/owner/apps/0", [.text("a")]), OSCMessage("/thrum/touch/owner/apps/1/b", [.number(0.5)]),
            OSCMessage("/thrum/touch/owner"),
        ])
        for stranger in ["", "[]", #"{"id":1,"result":{}}"#] { #expect(OSCPacket(notification: Array(stranger.utf8)) == nil, "\(stranger)") }
    }

    @Test func `of a notification of many fields so many are told as one datagram may have`() {
        let fields = (0..<100).map { #""f\#($0 + 100)":1"# }.joined(separator: ",")
        let messages = OSCPacket(notification: Array(#"{"method":"x","params":{\#(fields)}}"#.utf8))?.messages.map(\.message) ?? []
        #expect(messages.count == 61 && messages.first?.address == "/thrum/x/f100" && messages.last == OSCMessage("/thrum/x"))
    }

    @Test func `a bundle has a time for its messages, and a bundle in it its own`() throws {
        func element(_ bytes: [UInt8]) -> [UInt8] { [0, 0, UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)] + bytes }
        let stop = OSCMessage("/stop"), ding = OSCMessage("/chime/play", [.text("ding")])
        let inner = Array("#bundle\0".utf8) + bytes("00000000 00000001") + element(ding.bytes)
        let outer = Array("#bundle\0".utf8) + bytes("83aa7e80 80000000") + element(stop.bytes) + element(inner)
        let messages = try OSCPacket(outer).messages
        #expect(messages.map(\.message) == [stop, ding])
        #expect(messages.map(\.time) == [OSCTime(0x83AA_7E80_8000_0000), nil])
        // 1970-01-01 is 2,208,988,800 s after 1900-01-01 (RFC 5905, figure 4).
        #expect(messages[0].time?.unixNanoseconds == 500_000_000)
    }

    @Test(arguments: [
        ("", "address"), ("61626300", "address"), ("2f616263", "address"), ("2fff0000 2c000000", "address"), ("2f610000 69000000", "types"),
        ("2f610000 2c690000", "value"), ("2f610000 2c000000 00000000", "types"),
        ("2f610000 2c660000 7fc00000", "value"), ("2362756e 646c6500", "time tag"), ("2362756e 646c6500 00000000 00000001 00000005", "element"),
        ("2362756e 646c6500 00000000 00000001 ffffffff", "element"),
    ])
    func `what is no packet is named by what is wrong with it`(hex: String, field: String) throws {
        let fault = try #require(throws: Fault.self) { try OSCPacket(bytes(hex)) }
        #expect(fault.field == field, "\(fault)")
    }

    @Test func `bundles within bundles have an end`() throws {
        var packet = OSCMessage("/stop").bytes
        for _ in 0..<100 { packet = Array("#bundle\0".utf8) + bytes("00000000 00000001") + [0, 0, UInt8(packet.count >> 8), UInt8(packet.count & 0xFF)] + packet }
        #expect(throws: Fault.self) { try OSCPacket(packet) }
    }

    /// 20,000 mutations of good packets: each is understood or refused.
    @Test func `no datagram of garbage does anything but fail`() {
        let seeds = [OSCMessage("/{tone,t*n[a-f]}", [.flag(true), .number(440), .nothing]).bytes,
                     Array("#bundle\0".utf8) + bytes("00000000 00000001 00000010") + OSCMessage("/chime/play", [.text("a")]).bytes]
        var state: UInt64 = 7
        func random(_ bound: Int) -> Int {
            state = state &* 6364136223846793005 &+ 1442695040888963407
            return Int((state >> 33) % UInt64(bound))
        }
        var understood = 0
        for round in 0..<20_000 {
            var packet = seeds[round % 2]
            for _ in 0...random(3) { packet[random(packet.count)] = UInt8(random(256)) }
            if let requests = try? OSCPacket(packet).requests(table) { understood += requests.isEmpty ? 0 : 1 }
        }
        #expect(understood > 0 && understood < 20_000)
    }

    @Test func `methods have addresses of their names, and parameters their order`() throws {
        #expect(try calls("/touch", .text("began")) == [.event(.touch(Touch(.began)), at: nil)])
        #expect(try calls("/touch/began", .integer(3), .number(0.5)) == [.event(.touch(Touch(.began, finger: 3, x: 0.5)), at: nil)])
        #expect(try calls("/chime/play/unlock") == [.event(.chime(name: "unlock"), at: nil)])
        #expect(try calls("/swipe", .text("down"), .number(2)) == [.event(.swipe(Swipe(.down, velocity: 2)), at: nil)])
        #expect(try calls("/tone", .nothing, .number(440)) == [.event(.tone(ToneRequest(frequency: Hertz(440))), at: nil)])
        #expect(try calls("/tone", .integer(1)) == [.event(.tone(ToneRequest(on: true)), at: nil)])
        #expect(try calls("/param/set", .text("is-shy"), .flag(true)) == [.event(.knob(KnobChange("is-shy", .flag(true))), at: nil)])
        #expect(try calls("/status") == [.command(Asked.status)])
        #expect(try calls("/walk", .integer(7)) == [.event(.action(Action(Walk(steps: 7))), at: nil)])
    }

    @Test(arguments: [("/fly", "address"), ("/", "address"), ("/touch", "phase"), ("/touch/sideways", "phase"), ("/status/now", "params")])
    func `an address that is none, or lacks something, is refused by name`(address: String, field: String) throws {
        let error = try #require(throws: ErrorReply.self) { try calls(address) }
        #expect(error.fault?.field == field, "\(error)")
    }

    @Test func `a value of the wrong type is refused`() throws {
        for (address, value) in [("/chime/play", OSCArgument.number(1)), ("/tone", .text("on")), ("/walk", .number(1.5)), ("/chime/play/unlock", .text("now"))] {
            #expect(throws: ErrorReply.self, "\(address) \(value)") { try calls(address, value) }
        }
    }

    /// The datagrams of ../shared/cases, as TouchOSC and Pd send them: every number is a float.
    @Test(arguments: [
        ("2f6f7574 7075742f 6d757465 00000000 2c660000 3f800000", EventKind.mute(true)),
        ("2f73746f 70000000 2c660000 3f800000", .stop),
        ("2f746f6e 65000000 2c660000 00000000", .tone(ToneRequest(on: false))),
    ])
    func `a float is true or false where that is meant, and no moment`(hex: String, kind: EventKind) throws {
        #expect(try OSCPacket(bytes(hex)).requests(table).map { try $0.call.get().read().get() } == [.event(kind, at: nil)])
    }

    @Test func `any number but 0 is true, and whatever is sent to stop stops`() throws {
        for number in [OSCArgument.number(1), .number(0.5), .number(-1), .integer(2), .flag(true)] {
            #expect(try calls("/tone", number) == [.event(.tone(ToneRequest(on: true)), at: nil)])
        }
        for number in [OSCArgument.number(0), .number(-0.0), .integer(0), .flag(false)] {
            #expect(try calls("/tone", number) == [.event(.tone(ToneRequest(on: false)), at: nil)])
        }
        for value in [OSCArgument.number(0), .number(-7), .text("now"), .integer(1), .nothing] {
            #expect(try calls("/stop", value, value, value) == [.event(.stop, at: nil)])
        }
    }

    @Test func `the press and the release of a button are one finger, one texture and one chime`() throws {
        for address in ["/touch", "/touch/began"] {
            #expect(try calls(address, .number(1)) == [.event(.touch(Touch(.began)), at: nil)])
            #expect(try calls(address, .number(0)) == [.event(.touch(Touch(.ended)), at: nil)])
        }
        #expect(try calls("/touch/ended", .number(1)) == [.event(.touch(Touch(.ended)), at: nil)])
        // Whole numbers are ids.
        #expect(try calls("/touch/began", .integer(1)) == [.event(.touch(Touch(.began, finger: 1)), at: nil)])
        #expect(try calls("/texture/set/purr", .number(1)) == [.event(.texture(name: "purr", on: true), at: nil)])
        #expect(try calls("/texture/set/purr", .number(0)) == [.event(.texture(name: "purr", on: false), at: nil)])
        #expect(try calls("/chime/play/unlock", .number(1)) == [.event(.chime(name: "unlock"), at: nil)])
        #expect(try calls("/chime/play/unlock", .number(0)) == [])
        #expect(throws: ErrorReply.self) { try calls("/chime/play/unlock", .number(1), .number(1)) }
    }

    @Test func `a type that is not known drops its message and not its bundle, and is told by the message's address`() throws {
        func element(_ bytes: [UInt8]) -> [UInt8] { [0, 0, UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)] + bytes }
        // A blob of four bytes, which OSC 1.0 has and no method.
        let strange = Array("/chime/play\0,b\0\0".utf8) + bytes("00000004 01020304")
        let bundle = Array("#bundle\0".utf8) + bytes("00000000 00000001") + element(strange) + element(OSCMessage("/stop").bytes)
        let requests = try OSCPacket(bundle).requests(table)
        #expect(requests.map(\.address) == ["/chime/play", "/stop"])
        let error = try #require(throws: ErrorReply.self) { try requests[0].call.get() }
        #expect(error.fault == Fault(field: "types", expected: "values of the types i, h, f, d, s, S, T, F, N", found: "\"b\""))
        #expect(try requests[1].call.get().read().get() == .event(.stop, at: nil))
        // What only releases is not refused for it.
        let stop = try OSCPacket(Array("/stop\0\0\0,b\0\0".utf8) + bytes("00000004 01020304")).requests(table)
        #expect(try stop.map { try $0.call.get().read().get() } == [.event(.stop, at: nil)])
    }

    @Test func `a pattern stands for all that it matches`() throws {
        #expect(try calls("/touch/{began,ended}") == [.event(.touch(Touch(.began)), at: nil), .event(.touch(Touch(.ended)), at: nil)])
        #expect(try calls("/s[a-z]op") == [.event(.stop, at: nil)])
        #expect(try calls("/st?p") == [.event(.stop, at: nil)])
        #expect(try calls("/[!a-r]top") == [.event(.stop, at: nil)])
        #expect(throws: ErrorReply.self) { try calls("/[a-r]top") }
        #expect(throws: ErrorReply.self) { try calls("/x*") }
        #expect(throws: ErrorReply.self) { try calls("/st[op") }
    }

    /// Each of them would take years if all ways were tried one after the other.
    @Test(.timeLimit(.minutes(1)), arguments: ["/" + String(repeating: "{,}", count: 60), "/" + String(repeating: "{s,,,,,,,}", count: 20),
                      "/" + String(repeating: "*a", count: 100), "/" + String(repeating: "*", count: 250)])
    func `no pattern takes long: it stands for nothing, or for more than is looked for`(pattern: String) throws {
        do throws(Fault) {
            let requests = try OSCPacket.message(OSCMessage(pattern + "x")).requests(table)
            #expect(requests.count == 1 && requests.allSatisfy { (try? $0.call.get()) == nil })
        } catch {
            #expect(error == Fault(field: "address", expected: "patterns that are simpler, or fewer of them, in a datagram"))
        }
    }

    @Test func `an address has an end`() throws {
        let fault = try #require(throws: Fault.self) { try OSCPacket(OSCMessage("/" + String(repeating: "a", count: 256)).bytes) }
        #expect(fault.field == "address")
    }
}

import Fields
import Foundation
import Signals
import Testing
@testable import Wire
import TestSupport

private func bundle(_ elements: [[UInt8]]) -> [UInt8] {
    Array("#bundle\0".utf8) + [0, 0, 0, 0, 0, 0, 0, 1]
        + elements.flatMap { element in withUnsafeBytes(of: UInt32(element.count).bigEndian) { Array($0) } + element }
}

/// What a datagram asks for, and what it costs to find out.
private struct Reading {
    var fault: Fault?
    var requests: [OSCRequest] = []
    var steps: Int

    init(_ datagram: [UInt8]) {
        var budget = OSCPattern.Budget(left: OSCPacket.stepLimit)
        do throws(Fault) {
            requests = try OSCPacket(datagram).requests(table, &budget)
        } catch {
            fault = error
        }
        steps = OSCPacket.stepLimit - budget.left
    }
}

@Suite struct HostileDatagramTests {
    /// They stopped the loop for 5 s and 107 s once.
    @Test(arguments: [(58, 1_408), (64, 1_600), (2_730, 65_536)])
    func `patterns that match much are refused when they match too much`(count: Int, size: Int) throws {
        let datagram = bundle([[UInt8]](repeating: OSCMessage("/*/*").bytes, count: count))
        #expect(datagram.count <= size)
        let reading = Reading(datagram)
        let fault = try #require(reading.fault)
        #expect(fault == (count > 64 ? Fault(field: "bundle", expected: "at most 64 messages in a datagram")
            : Fault(field: "address", expected: "patterns that match at most 64 addresses in a datagram")))
        #expect(reading.requests.isEmpty && reading.steps < 10_000)
    }

    @Test func `one such pattern may come`() {
        let reading = Reading(OSCMessage("/*/*").bytes)
        #expect(reading.fault == nil && reading.requests.count > 4 && reading.requests.count <= 64)
        #expect(reading.requests.allSatisfy { if case .success = $0.call { true } else { false } })
        #expect(reading.steps < 1_500, "\(reading.steps)")
    }

    @Test(arguments: ["{\(String(repeating: ",", count: 240))}", "[\(String(repeating: "a-z", count: 80))]*x", String(repeating: "*", count: 250),
                      String(repeating: "{c,ch}", count: 40), "{\(String(repeating: "c,", count: 120))}*"])
    func `patterns take no more steps than are allowed`(pattern: String) {
        for prefix in ["/", "/output/", "/*/", "/param/set/"] where prefix.count + pattern.count <= 256 {
            let reading = Reading(bundle([[UInt8]](repeating: OSCMessage(prefix + pattern).bytes, count: 64)))
            #expect(reading.steps <= OSCPacket.stepLimit)
            #expect(reading.fault != nil || reading.requests.count <= 64)
        }
    }

    @Test func `a datagram has a number of messages, bundles and values`() throws {
        let stop = OSCMessage("/stop").bytes
        #expect(Reading(bundle([[UInt8]](repeating: stop, count: 64))).requests.count == 64)
        #expect(Reading(bundle([[UInt8]](repeating: stop, count: 65))).fault?.expected == "at most 64 messages in a datagram")
        #expect(Reading(bundle([[UInt8]](repeating: bundle([]), count: 63))).fault == nil)
        #expect(Reading(bundle([[UInt8]](repeating: bundle([]), count: 64))).fault?.expected == "at most 64 bundles in a datagram")
        let values = [OSCArgument](repeating: .nothing, count: 17)
        #expect(Reading(OSCMessage("/tone", values).bytes).fault == Fault(field: "types", expected: "at most 16 values", found: "17"))
    }

    /// 10,000 datagrams of patterns, messages and bundles. Foundation's own regular expressions say what a pattern matches.
    @Test func `no datagram takes more steps than are allowed, and patterns match what they should`() throws {
        var dice = Dice(16)
        let pieces = ["*", "?", "{a,b,}", "{feed,param}", "[a-z]", "[!a-m]", "s", "t", "o", "p", "/", "touch", "feed", "param", "set", "list", "{be,end}", "**", "{t*}"]
        let known = addresses
        var matched = 0
        for round in 0..<10_000 {
            let isLarge = round % 20 == 0
            let patterns = (0...dice.roll(isLarge ? 70 : 3)).map { _ in
                "/" + (0...dice.roll(isLarge ? 60 : 5)).map { _ in dice.pick(pieces) }.joined()
            }
            let messages = patterns.map { OSCMessage($0, [.number(1)]).bytes }
            let reading = Reading(messages.count == 1 ? messages[0] : bundle(messages))
            #expect(reading.steps <= OSCPacket.stepLimit)
            if reading.fault != nil { continue }
            #expect(reading.requests.count <= 64)
            for pattern in Set(patterns) where !isLarge && pattern.contains(where: { "?*[{".contains($0) }) {
                let found = reading.requests.filter { $0.address == pattern }.compactMap { try? $0.call.get().method.name }
                let expression = try Regex(expression(pattern))
                let expected = known.filter { $0.address.wholeMatch(of: expression) != nil }.map(\.method)
                let times = patterns.count { $0 == pattern }
                #expect(found == [[String]](repeating: expected, count: times).flatMap { $0 }, "\(pattern)")
                matched += expected.count
            }
        }
        #expect(matched > 1_000)
    }

    /// Every address there is, with the choices of methods that begin with one.
    private var addresses: [(address: String, method: String)] {
        table.names.flatMap { method in
            let address = "/" + method.split(separator: ".").joined(separator: "/")
            let choices: [String] = switch method {
            case "touch": ["began", "moved", "ended"]
            case "param.set": knobs.map(\.name)
            default: []
            }
            return choices.isEmpty ? [(address, method)] : choices.map { ("\(address)/\($0)", method) }
        }
    }

    private func expression(_ pattern: String) -> String {
        var inChoice = false
        return pattern.map { letter in
            switch letter {
            case "*" where inChoice: return "\\*"
            case "*": return "[^/]*"
            case "?": return "[^/]"
            case "!": return "^/"
            case "{":
                inChoice = true
                return "(?:"
            case "}":
                inChoice = false
                return ")"
            case ",": return "|"
            default: return String(letter)
            }
        }.joined()
    }
}

@testable import ControlSocket
import NIOCore
import NIOPosix
import Signals
import Synchronization
import Testing
import Wire

/// Writes down what it is asked, and answers each question with so many letters.
private final class Oracle: ControlService {
    let methods = testMethods
    let asked = Mutex<[Request]>([])
    let gone = Mutex<[Int]>([])
    let letters: Int

    init(letters: Int) { self.letters = letters }

    func connected(_ client: Int, as role: Role, isLocal: Bool, identity: Identity, push: @escaping @Sendable ([UInt8]) -> Bool) {}
    func disconnected(_ client: Int, because departure: Departure) { gone.withLock { $0.append(client) } }

    func answer(_ request: Request, from client: Int, reply: @escaping @Sendable ([UInt8]) -> Void) {
        asked.withLock { $0.append(request) }
        guard let id = request.id else { return }
        if case .event(.chime, _) = request.call { return reply(Reply.line(error: ErrorReply(.refused(.notNow), "no", id: id))) }
        reply(Reply.line(result: String(repeating: "a", count: letters), id: id))
    }
}

private func bundle(_ messages: [OSCMessage]) -> [UInt8] {
    Array("#bundle\0".utf8) + [0, 0, 0, 0, 0, 0, 0, 1] + messages.map(\.bytes).flatMap { [0, 0, UInt8($0.count >> 8), UInt8($0.count & 0xFF)] + $0 }
}

@Suite struct OSCDispatcherTests {
    /// What the service was asked, and what went back.
    private func take(_ datagrams: [[UInt8]], letters: Int = 10, rate: Int = 100_000, wayIn: WayIn = .osc) async throws -> (asked: [Request], answers: [OSCMessage]) {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let oracle = Oracle(letters: letters)
        let clients = try await ClientList.open(on: loop)
        let answers = Mutex<[OSCMessage]>([])
        try await loop.submit {
            let dispatcher = OSCDispatcher<String>(oracle, clients, Limits(rate: rate), wayIn: { _ in wayIn }, on: loop) { datagram, _ in
                guard case .message(let message)? = try? OSCPacket(datagram) else { return }
                answers.withLock { $0.append(message) }
            }
            for datagram in datagrams { dispatcher.take(datagram, from: "somebody") }
            dispatcher.close()
        }.get()
        return (oracle.asked.withLock { $0 }, answers.withLock { $0 })
    }

    @Test func `a stranger plays, and is refused what is an operator's`() async throws {
        let refused = [OSCMessage("/output/mute", [.flag(true)]), OSCMessage("/journal/mark", [.text("a")]), OSCMessage("/param/set", [.text("a"), .integer(1)])]
        let (asked, answers) = try await take([bundle(refused + [OSCMessage("/tone", [.flag(false)]), OSCMessage("/chime/play/gong"), OSCMessage("/haptic/play/buzz"), OSCMessage("/tap")])])
        #expect(answers.prefix(3).map(\.arguments) == ["/output/mute", "/journal/mark", "/param/set"].map {
            [.text($0), .text("this client only plays, and may not do this")]
        })
        #expect(!asked.contains { ["output.mute", "journal.mark", "param.set"].contains($0.call.name) })
        #expect(asked.contains { $0.call.name == "tap" } && asked.contains { $0.call.name == "chime" } && asked.contains { $0.call.name == "haptic" })
        let operators = try await take([bundle(Array(refused.prefix(2)))], wayIn: .oscOperator)
        #expect(operators.asked.map(\.call.name) == ["output.mute", "journal.mark"] && operators.answers.isEmpty)
    }

    @Test func `strangers take no place of an operator's`() async throws {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let (oracle, clients) = (Oracle(letters: 1), try await ClientList.open(on: loop))
        try await loop.submit {
            let dispatcher = OSCDispatcher<String>(oracle, clients, Limits(), wayIn: { $0 == "desk" ? .oscOperator : .osc }, on: loop) { _, _ in }
            dispatcher.take(OSCMessage("/tone", [.flag(true)]).bytes, from: "desk")
            for number in 0..<200 { dispatcher.take(OSCMessage("/tap").bytes, from: "\(number)") }
            dispatcher.close()
        }.get()
        // The desk came first, and would be gone if the most silent went whoever it is.
        #expect(oracle.gone.withLock { $0.prefix(100) }.contains(1) == false)
        #expect(oracle.gone.withLock { $0.count } == 201)
    }

    @Test func `what nobody can be told is not asked`() async throws {
        let status = [OSCMessage](repeating: OSCMessage("/status"), count: 40)
        let events = [OSCMessage](repeating: OSCMessage("/tap"), count: 20)
        let (asked, answers) = try await take([bundle(status + events)])
        #expect(asked.count { $0.call.name == "status" } == 16 && answers.count == 16)
        // What happens is done all the same, and no answer is made of it.
        let taps = asked.filter { $0.call.name != "status" }
        #expect(taps.count == 20 && taps.allSatisfy { $0.id == nil })
    }

    @Test func `answers to a datagram have bytes, too`() async throws {
        let (asked, answers) = try await take([bundle([OSCMessage](repeating: OSCMessage("/rpc/discover"), count: 60))], letters: 9_000)
        #expect(asked.count == 2 && answers.count == 2)
    }

    @Test func `each datagram has answers of its own`() async throws {
        let status = bundle([OSCMessage](repeating: OSCMessage("/status"), count: 20))
        #expect(try await take([status, status]).answers.count == 32)
    }

    @Test func `sixteen errors are told, and what goes wrong after that is done without them`() async throws {
        let (asked, answers) = try await take([bundle([OSCMessage](repeating: OSCMessage("/chime/play/gong"), count: 40))])
        #expect(answers == [OSCMessage](repeating: OSCMessage("/error", [.text("/chime/play/gong"), .text("no")]), count: 16))
        #expect(asked.count == 40 && asked.count { $0.id == nil } == 24)
    }

    @Test func `a datagram that asks for too much is refused once, and nothing of it is done`() async throws {
        let stop = OSCMessage("/stop")
        let text = OSCMessage("/journal/mark", [.text(String(repeating: "\u{1}", count: 1_020))])
        for datagram in [bundle([OSCMessage](repeating: text, count: 60)), bundle([stop] + [OSCMessage](repeating: OSCMessage("/*/*"), count: 58)), bundle([OSCMessage](repeating: stop, count: 65))] {
            let (asked, answers) = try await take([datagram])
            #expect(asked.isEmpty && answers.count == 1 && answers[0].address == "/error")
        }
    }

    @Test func `over the rate only what lets go is done`() async throws {
        let (asked, answers) = try await take([bundle([OSCMessage("/tap"), OSCMessage("/tap"), OSCMessage("/stop"), OSCMessage("/touch/moved"),
                                                       OSCMessage("/touch/ended"), OSCMessage("/status")])], rate: 1)
        let events = asked.map { if case .event(let kind, at: nil) = $0.call { kind } else { nil as EventKind? } }
        #expect(events == [.tap(Tap()), .stop, .touch(Touch(.ended))])
        #expect(answers.count == 3 && answers.allSatisfy { $0.arguments.last == .text("more than 1 requests a second (max-rate)") })
    }
}

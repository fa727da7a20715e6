import Fields
import Glibc
import NIOCore
import Signals
import Wire

/// Reads requests from OSC packets, and sends answers as packets, over any kind of datagram socket. Thread: its event loop.
final class OSCDispatcher<Address: Hashable & SendableMetatype> {
    /// The silence after which a sender counts as gone. No datagram says that its sender has left.
    private static var timeout: TimeAmount { .seconds(30) }

    /// The largest number of senders at once. One more displaces a sender that has been silent for long, as `releaseMostSilent` says.
    private static var senderLimit: Int { 64 }
    /// The answers that one datagram may still get: 16, with 16,384 bytes in all. When they are used up, further queries of the datagram
    /// are not carried out.
    private final class AnswerAllowance {
        private(set) var answers = 16
        private var bytes = 16_384

        var isUsedUp: Bool { answers <= 0 || bytes <= 0 }

        /// Takes one answer, before it is made. Returns false when none is left.
        func take() -> Bool {
            guard !isUsedUp else { return false }
            answers -= 1
            return true
        }

        func sent(_ count: Int) { bytes -= count }
    }

    /// The largest number of bytes of a datagram that is read. Larger ones cost too much: reading the worst one of 64 KiB took 2.5 ms.
    private static var datagramLimit: Int { 16_384 }

    private struct Sender {
        var slot: ClientList.Slot
        let wayIn: WayIn
        var heard: NIODeadline
        var timeout = OSCDispatcher.timeout
        var allowance: Allowance
    }

    private let service: any ControlService
    private let clients: ClientList
    private let limits: Limits
    /// Returns the way by which the sender with this address comes in, which decides what it may do.
    private let wayIn: (Address) -> WayIn
    private let loop: any EventLoop
    private let send: (_ datagram: [UInt8], _ address: Address) -> Void
    private var senders: [Address: Sender] = [:]
    private var roundUp: RepeatedTask?

    init(_ service: any ControlService, _ clients: ClientList, _ limits: Limits, wayIn: @escaping (Address) -> WayIn,
         on loop: any EventLoop, send: @escaping (_ datagram: [UInt8], _ address: Address) -> Void) {
        self.service = service
        self.clients = clients
        self.limits = limits
        self.wayIn = wayIn
        self.loop = loop
        self.send = send
    }

    /// Treats all senders as gone.
    func close() { release { _ in true } }

    private func release(_ isGone: (Sender) -> Bool) {
        for (address, sender) in senders where isGone(sender) {
            senders[address] = nil
            service.disconnected(sender.slot.client)
            clients.leave(sender.slot)
        }
        guard senders.isEmpty else { return }
        roundUp?.cancel()
        roundUp = nil
    }

    /// Starts removing, every 250 ms, the senders that have been silent for too long. It stops when there is no sender.
    private func watchSenders() {
        guard roundUp == nil else { return }
        let dispatcher = NIOLoopBound(self, eventLoop: loop)
        roundUp = loop.scheduleRepeatedTask(initialDelay: .milliseconds(250), delay: .milliseconds(250)) { _ in
            dispatcher.value.release { $0.heard + $0.timeout < .now() }
        }
    }

    func take(_ datagram: [UInt8], from address: Address) {
        let allowance = AnswerAllowance()
        guard datagram.count <= Self.datagramLimit else {
            return refuse("", "a datagram has at most \(Self.datagramLimit) bytes", to: address, allowance)
        }
        do throws(Fault) {
            let requests = try OSCPacket(datagram).requests(service.methods)
            guard let client = client(at: address) else {
                return refuse("", clients.refusal(of: wayIn(address).slotKind(isLocal: false)), to: address, allowance)
            }
            let now = Clocks()
            for request in requests { act(on: request, at: request.time.flatMap(now.moment), of: client, address, allowance) }
        } catch {
            refuse("", error.description, to: address, allowance)
        }
    }

    private func act(on request: OSCRequest, at moment: Int64?, of client: Int, _ address: Address,
                     _ allowance: AnswerAllowance) {
        do throws(ErrorReply) {
            guard let call = try admit(request, at: moment, from: address, allowance) else { return }
            if case .ping(let milliseconds?) = call {
                senders[address]?.timeout = milliseconds > 0 ? .milliseconds(Int64(milliseconds)) : Self.timeout
            }
            ask(moment.map { call.heard(at: $0) } ?? call, about: request.address, of: client, address, allowance)
        } catch {
            refuse(request.address, error.message, to: address, allowance)
        }
    }

    /// Returns the call of `request`, whose arguments are read only if the sender may make it. Returns nil for a query whose answer would
    /// not be sent, because the datagram's answers are used up. Throws the refusal if the sender may not make the call.
    private func admit(_ request: OSCRequest, at moment: Int64?, from address: Address, _ allowance: AnswerAllowance)
        throws(ErrorReply) -> Call? {
        let isWithinRate = senders[address]?.allowance.take() == true
        let unread: UnreadCall
        do {
            unread = try request.call.get()
        } catch {
            throw isWithinRate ? error : refusalByRate
        }
        guard isWithinRate || unread.method.access.canRelease else { throw refusalByRate }
        if let refusal = wayIn(address).refusal(of: unread.method.description) { throw refusal }
        guard unread.method.name != "session.end" || moment == nil else {
            throw ErrorReply(.refused(.notNow), "it has no time of its own: send it when it is to happen")
        }
        guard !unread.method.access.onlyLooks || !allowance.isUsedUp else { return nil }
        let call = try unread.read().get()
        guard isWithinRate || call.releases else { throw refusalByRate }
        return call
    }

    /// Passes the call to the service. An error goes back as `/error` with the message's address. The result of a query goes back as
    /// `/reply`, with the address and the result as JSON; an event gets no reply.
    private func ask(_ call: Call, about message: String, of client: Int, _ address: Address,
                     _ allowance: AnswerAllowance) {
        let isEvent = call.hasMoment
        // A query, which surely gets an answer, takes it before it is asked.
        let hasAnswer = !isEvent && allowance.take()
        // A request without an id makes the service send no answer, which nobody could receive.
        let request = Request(id: hasAnswer || (isEvent && !allowance.isUsedUp) ? .integer(0) : nil, call: call)
        let dispatcher = NIOLoopBound((dispatcher: self, allowance: allowance, address: address), eventLoop: loop)
        service.answer(request, from: client) { line in
            guard !line.isEmpty else { return }
            let (dispatcher, allowance, address) = dispatcher.value
            switch Reply.outcome(of: line) {
            case .problem(let problem) where isEvent: dispatcher.refuse(message, problem, to: address, allowance)
            case .problem(let problem): dispatcher.send(.error(message, problem), to: address, allowance)
            case .result where isEvent: break
            case .result(let json):
                let text = String(decoding: json, as: UTF8.self)
                dispatcher.send(OSCMessage("/reply", [.text(message), .text(text)]), to: address, allowance)
            }
        }
    }

    private var refusalByRate: ErrorReply { ErrorReply(.refused(.tooFast), "more than \(limits.rate) requests a second (max-rate)") }

    private func client(at address: Address) -> Int? {
        if let sender = senders[address] {
            senders[address]?.heard = .now()
            return sender.slot.client
        }
        let wayIn = wayIn(address)
        if senders.count >= Self.senderLimit { releaseMostSilent(for: wayIn) }
        let slotKind = wayIn.slotKind(isLocal: false)
        var slot = clients.admit(slotKind)
        if slot == nil, releaseMostSilent(for: wayIn) { slot = clients.admit(slotKind) }
        guard let slot else { return nil }
        senders[address] = Sender(slot: slot, wayIn: wayIn, heard: .now(), allowance: Allowance(rate: limits.rate))
        watchSenders()
        service.connected(slot.client, as: wayIn.role, isLocal: false, identity: .sender) { _ in true }
        return slot.client
    }

    /// Removes the sender that was silent for longest, to make room for one that comes by `wayIn`. An operator is removed only if all
    /// senders are operators, and only to make room for another operator. Returns false when there is none to remove.
    @discardableResult
    private func releaseMostSilent(for wayIn: WayIn) -> Bool {
        let strangers = senders.values.filter { $0.wayIn == .osc }
        let candidates = strangers.isEmpty && wayIn == .oscOperator ? Array(senders.values) : strangers
        guard let silent = candidates.min(by: { $0.heard < $1.heard }) else { return false }
        release { $0.slot.client == silent.slot.client }
        return true
    }

    /// Sends `/error` with the message's address and the problem, if an answer is left.
    private func refuse(_ about: String, _ problem: String, to address: Address, _ allowance: AnswerAllowance) {
        if allowance.take() { send(.error(about, problem), to: address, allowance) }
    }

    private func send(_ message: OSCMessage, to address: Address, _ allowance: AnswerAllowance) {
        let bytes = message.bytes
        allowance.sent(bytes.count)
        send(bytes, address)
    }
}

extension OSCMessage {
    fileprivate static func error(_ about: String, _ problem: String) -> OSCMessage { OSCMessage("/error", [.text(about), .text(problem)]) }
}

extension Call {
    /// Whether the call is an event. Only an event may have a time at which it is to happen.
    fileprivate var hasMoment: Bool {
        if case .event = self { true } else { false }
    }

    fileprivate func heard(at moment: Int64) -> Call {
        if case .event(let kind, _) = self { .event(kind, at: .at(moment)) } else { self }
    }
}

/// The readings of both clocks at one moment. OSC's times are by the wall clock, the engine's by the monotonic clock.
struct Clocks {
    private let wall = Clocks.read(CLOCK_REALTIME)
    private let monotonic = Clocks.read(CLOCK_MONOTONIC)

    /// Returns `time` in nanoseconds of CLOCK_MONOTONIC; nil for a time that has passed: its event happens at once.
    func moment(of time: OSCTime) -> Int64? {
        let ahead = time.unixNanoseconds - wall
        return ahead > 0 ? monotonic + ahead : nil
    }

    private static func read(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}

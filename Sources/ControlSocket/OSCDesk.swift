import NIOCore
import Signals
import Wire

/// Whatever way datagrams come: packets to requests, answers to packets. Thread: its event loop.
final class OSCDesk<Address: Hashable & SendableMetatype, Service: ControlService> {
    /// A datagram does not say that its sender has gone: whoever is silent for so long counts as gone.
    private static var patience: TimeAmount { .seconds(30) }

    /// At once. When there is one more, the one that has been silent for longest goes.
    private static var senderLimit: Int { 64 }
    /// To one datagram.
    private static var answerLimit: Int { 16 }

    private struct Sender {
        var client: Int
        var heard: NIODeadline
        var patience = OSCDesk.patience
        var allowance: Allowance
    }

    private let service: Service
    private let clients: ClientList
    private let limits: Limits
    private let loop: any EventLoop
    private let send: (_ datagram: [UInt8], _ address: Address) -> Void
    private var senders: [Address: Sender] = [:]
    private var roundUp: RepeatedTask?
    /// That may still go to the datagram at hand.
    private var answersLeft = 0

    init(_ service: Service, _ clients: ClientList, _ limits: Limits, on loop: any EventLoop,
         send: @escaping (_ datagram: [UInt8], _ address: Address) -> Void) {
        self.service = service
        self.clients = clients
        self.limits = limits
        self.loop = loop
        self.send = send
        let desk = NIOLoopBound(self, eventLoop: loop)
        roundUp = loop.scheduleRepeatedTask(initialDelay: .milliseconds(250), delay: .milliseconds(250)) { _ in
            desk.value.release { $0.heard + $0.patience < .now() }
        }
    }

    /// Everybody is gone.
    func close() {
        roundUp?.cancel()
        release { _ in true }
    }

    private func release(_ isGone: (Sender) -> Bool) {
        for (address, sender) in senders where isGone(sender) {
            senders[address] = nil
            service.disconnected(sender.client)
            clients.leave()
        }
    }

    func take(_ datagram: [UInt8], from address: Address) {
        answersLeft = Self.answerLimit
        do throws(Fault) {
            let packet = try OSCPacket(datagram)
            guard let client = client(at: address) else {
                return answer("", "\(clients.limit) clients are connected already", to: address)
            }
            let now = Clocks()
            for (time, message) in packet.messages where !["/error", "/reply"].contains(message.address) {
                act(on: message, at: time.flatMap(now.moment), of: client, address)
            }
        } catch {
            answer("", error.description, to: address)
        }
    }

    private func act(on message: OSCMessage, at moment: Int64?, of client: Int, _ address: Address) {
        for call in message.calls {
            switch call {
            // Whatever its arguments are.
            case .success(.subscribe),
                 .failure where message.address.hasPrefix("/subscribe"):
                answer(message.address, "subscriptions are for the socket", to: address)
            case .success(let call) where senders[address]?.allowance.take() != true && !call.letsGo:
                answer(message.address, refusalByRate, to: address)
            case .success(.endSession) where moment != nil:
                answer(message.address, "it has no time of its own: send it when it is to happen", to: address)
            case .success(let call):
                if case .ping(let milliseconds?) = call {
                    senders[address]?.patience = milliseconds > 0 ? .milliseconds(Int64(milliseconds)) : Self.patience
                }
                let request = Request(id: .integer(0), call: moment.map { call.heard(at: $0) } ?? call)
                let desk = NIOLoopBound(self, eventLoop: loop)
                let address = NIOLoopBound(address, eventLoop: loop)
                service.answer(request, from: client) { line in
                    desk.value.answer(message.address, with: line, isEvent: call.hasMoment, to: address.value)
                }
            case .failure(let error):
                let isAdmitted = senders[address]?.allowance.take() == true
                answer(message.address, isAdmitted ? error.message : refusalByRate, to: address)
            }
        }
    }

    private var refusalByRate: String { "more than \(limits.rate) requests a second (max-rate)" }

    private func client(at address: Address) -> Int? {
        if let sender = senders[address] {
            senders[address]?.heard = .now()
            return sender.client
        }
        if senders.count >= Self.senderLimit, let silent = senders.values.min(by: { $0.heard < $1.heard }) {
            release { $0.client == silent.client }
        }
        guard let client = clients.admit() else { return nil }
        senders[address] = Sender(client: client, heard: .now(), allowance: Allowance(rate: limits.rate))
        service.connected(client, as: .control) { _ in true }
        return client
    }

    /// `/error` with the address and what is wrong; `/reply` with the address and the result's JSON to a question; nothing to an event.
    private func answer(_ about: String, with line: [UInt8], isEvent: Bool, to address: Address) {
        switch Reply.outcome(of: line) {
        case .problem(let problem): answer(about, problem, to: address)
        case .result where isEvent: break
        case .result(let json): answer(OSCMessage("/reply", [.text(about), .text(String(decoding: json, as: UTF8.self))]), to: address)
        }
    }

    private func answer(_ about: String, _ problem: String, to address: Address) {
        answer(OSCMessage("/error", [.text(about), .text(problem)]), to: address)
    }

    private func answer(_ message: OSCMessage, to address: Address) {
        guard answersLeft > 0 else { return }
        answersLeft -= 1
        send(message.bytes, address)
    }
}

extension Call {
    /// Whether it is something that happens at a time.
    fileprivate var hasMoment: Bool {
        if case .report = self { true } else { false }
    }

    fileprivate func heard(at moment: Int64) -> Call {
        if case .report(let happening, _) = self { .report(happening, at: .at(moment)) } else { self }
    }
}

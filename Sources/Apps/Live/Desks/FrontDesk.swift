import AudioOutput
import CLinux
import ControlSocket
import Fields
import NIOCore
import Signals
import Synth
import Units
import Wire

/// Answers clients that introduce themselves or subscribe to topics. A plain value. Thread: the event loop.
struct FrontDesk {
    private let metering: Metering

    /// `metering` sends the meters to their subscribers.
    init(_ metering: Metering) { self.metering = metering }

    /// Forgets a client that has disconnected.
    func forget(_ client: Int) { metering.end(for: client) }

    /// Returns what a client is told about the daemon, and about itself, when it introduces itself.
    func greeting(_ client: Int, on stage: isolated Stage) -> Greeting {
        let report = stage.outputs.reports.read()
        let settings = stage.settings.values
        let screens = stage.outputs.devices?.report.screens ?? []
        let capabilities: [(name: String, isThere: Bool)] = [
            ("http", settings.http != nil), ("osc", settings.osc != nil || settings.oscSocket != nil), ("touchscreens", !screens.isEmpty),
            ("transducer", settings.hasTransducer),
        ]
        let presence = stage.clients.presence
        let person: String? = if case .token(let name) = presence.identity(of: client) { TokenName.person(name) } else { nil }
        let mayCall = stage.methods.descriptions.filter { presence.mayCall($0, client) }.map(\.name)
        return Greeting(version: settings.version, sampleRate: Int(settings.rate.hertz), experience: stage.conductor.piece.declaration.name,
                        latencyMilliseconds: settings.rate.seconds(in: report.eventToSound).rawValue * 1000,
                        capabilities: capabilities.filter(\.isThere).map(\.name), role: presence.role(of: client),
                        person: person, client: client, methods: mayCall, touches: stage.desks.touches.report(for: client),
                        timeZone: SystemTime.zone, utcOffset: SystemTime.utcOffset(stage.clock.instant))
    }

    /// Subscribes a client to the topics `wanted`, and answers with the present state. Where `wanted` is nil, the client gets all topics of
    /// `usual` that it may get.
    func subscribe(_ caller: Caller, to wanted: Set<Topic>?, usually usual: Set<Topic>, rate: Double, on stage: isolated Stage) {
        let mayInspect = stage.clients.presence.role(of: caller.client).admits(.inspect)
        let secret = mayInspect ? [] : Topic.inspected
        if let refused = wanted?.intersection(secret).map(\.name).sorted(), !refused.isEmpty {
            let found = refused.joined(separator: ", ")
            let fault = Fault(field: "topics", expected: "none that are only for those who watch, and operators", found: found)
            return caller.refuse(ErrorReply(.refused(.notAllowed), fault: fault))
        }
        let topics = wanted ?? usual.subtracting(secret)
        let limit = stage.settings.values.limits.subscribers
        guard topics.isEmpty || stage.outputs.subscribers.hasRoom(for: caller.client, limit: limit) else {
            return caller.refuse(ErrorReply(.refused(.noRoom), "\(limit) clients are subscribed already (max-subscribers)"))
        }
        let state = StateReport(of: stage)
        let number = stage.outputs.subscribers.subscribe(caller.client, to: topics)
        stage.outputs.remember(state)
        if topics.contains(.meters) {
            metering.begin(for: caller.client, rate: rate) {
                caller.stage.assumeIsolated { $0.outputs.reports.read().clock.frame(at: monotonicNanoseconds()) }
            } tell: { meters in
                caller.stage.assumeIsolated { $0.outputs.subscribers.tell(caller.client, .meters, meters) }
            }
        } else {
            metering.end(for: caller.client)
        }
        let snapshot = Subscription.Snapshot(status: mayInspect ? stage.status() : nil, state: state,
                                             touches: stage.desks.touches.report(for: caller.client),
                                             piece: stage.desks.queries.snapshot(for: caller.client, on: stage))
        let ofPiece = Set(TopicTable([stage.conductor.piece.declaration]).names)
        let silent = topics.map(\.name).filter { !ofPiece.contains($0) }.sorted()
        caller.answer(Subscription(topics: topics.map(\.name).sorted(), silent: silent.isEmpty ? nil : silent, number: number,
                                   snapshot: snapshot))
    }
}

/// Sends each subscriber of the meters (peak and RMS of the sound) their values, at the rate that it wants. Thread: the event loop.
final class Metering {
    private struct Listener {
        var period: TimeAmount
        /// The frame up to which the meters have been sent to the listener.
        var last: Frame
        var heard: () -> Frame
        var tell: (MeterReport) -> Void
        var timer: Scheduled<Void>?
    }

    private let meter: Meter
    private let loop: any EventLoop
    private var listeners: [Int: Listener] = [:]

    init(_ meter: Meter, on loop: any EventLoop) {
        self.meter = meter
        self.loop = loop
    }

    /// Calls `tell`, `rate` times a second from now on, with the meters of the sound since the last time, for a client. `heard` returns the
    /// frame up to which sound has been heard.
    func begin(for client: Int, rate: Double, heard: @escaping () -> Frame, tell: @escaping (MeterReport) -> Void) {
        end(for: client)
        listeners[client] = Listener(period: .nanoseconds(Int64(1e9 / rate)), last: heard(), heard: heard, tell: tell)
        wait(client, until: .now())
    }

    func end(for client: Int) { listeners.removeValue(forKey: client)?.timer?.cancel() }

    /// Schedules the next meters one period after `moment`, so that a late timer does not delay later ones. If that moment has passed, it
    /// sends them at once.
    private func wait(_ client: Int, until moment: NIODeadline) {
        guard let period = listeners[client]?.period else { return }
        let next = max(moment, .now() - period) + period
        listeners[client]?.timer = loop.assumeIsolated().scheduleTask(deadline: next) {
            self.tell(client)
            self.wait(client, until: next)
        }
    }

    private func tell(_ client: Int) {
        guard let listener = listeners[client] else { return }
        let now = listener.heard()
        guard listener.last < now, let reading = meter.reading(of: listener.last..<now) else { return }
        listeners[client]?.last = now
        listener.tell(MeterReport(peak: Magnitude(reading.peak).reported, rms: Magnitude(reading.meanSquare.squareRoot()).reported))
    }
}

import NIOCore
import Synth
import Units
import Wire

/// Sends the meters to each subscriber, at the rate that it asked for. Thread: the event loop.
final class Metering {
    private struct Listener {
        var period: TimeAmount
        /// The frame up to which the listener has been told.
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

    /// Tells a client from now on, `rate` times a second, what was heard until `heard` since it was told before.
    func begin(for client: Int, rate: Double, heard: @escaping () -> Frame, tell: @escaping (MeterReport) -> Void) {
        end(for: client)
        listeners[client] = Listener(period: .nanoseconds(Int64(1e9 / rate)), last: heard(), heard: heard, tell: tell)
        wait(client, until: .now())
    }

    func end(for client: Int) { listeners.removeValue(forKey: client)?.timer?.cancel() }

    /// Waits one period from `moment` on, also if the timer was late.
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

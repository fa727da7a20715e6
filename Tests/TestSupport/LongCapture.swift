import CPulse
import Foundation
import Synchronization

/// Records the monitor of a sink for as long as there is one: when the server is lost, it waits for the next.
public final class LongCapture: Sendable {
    /// What was recorded through one connection.
    public struct Segment: Sendable {
        public var samples: [UInt32] = []
        /// At which moment (CLOCK_MONOTONIC, nanoseconds) how many samples had arrived; in order.
        var arrivals: [(moment: Int64, count: Int)] = []

        /// Whether something arrived in `moments`.
        public func hasArrivals(in moments: Range<Int64>) -> Bool { arrivals.contains { moments.contains($0.moment) } }

        /// When sample `index` arrived.
        public func moment(of index: Int) -> Int64 {
            var (low, high) = (0, arrivals.count - 1)
            while low < high {
                let middle = (low + high) / 2
                if arrivals[middle].count > index { high = middle } else { low = middle + 1 }
            }
            return arrivals.isEmpty ? 0 : arrivals[low].moment
        }
    }

    private struct State {
        var segments: [Segment] = []
        var isOver = false
        var hasEnded = false
    }

    private let state = Mutex(State())
    private let server: String
    private let sink: String

    /// From now on until `finish`. `server` is libpulse's string.
    public init(server: String, sink: String = "stage") {
        self.server = server
        self.sink = sink
        Thread.detachNewThread { [self] in
            while !state.withLock({ $0.isOver }) {
                record()
                usleep(5_000)
            }
            state.withLock { $0.hasEnded = true }
        }
    }

    /// What was recorded since it was asked before.
    public func take() -> [Segment] {
        state.withLock { state in
            defer { state.segments = [Segment()] }
            return state.segments.filter { !$0.samples.isEmpty }
        }
    }

    public func finish() {
        state.withLock { $0.isOver = true }
        while !state.withLock({ $0.hasEnded }) { usleep(1_000) }
    }

    /// Until the connection fails.
    private func record() {
        let mainloop = pa_mainloop_new()
        defer { pa_mainloop_free(mainloop) }
        let context = pa_context_new(pa_mainloop_get_api(mainloop), "capture")
        defer {
            pa_context_disconnect(context)
            pa_context_unref(context)
        }
        guard pa_context_connect(context, server, PA_CONTEXT_NOAUTOSPAWN, nil) >= 0 else { return }
        var spec = pa_sample_spec(format: PA_SAMPLE_FLOAT32LE, rate: 48_000, channels: 1)
        // The less is on its way when the server is lost, the more of what was heard is known.
        var buffer = pa_buffer_attr(maxlength: .max, tlength: .max, prebuf: .max, minreq: .max, fragsize: 48 * 4)
        var stream: OpaquePointer?
        defer { stream.map(pa_stream_unref) }
        state.withLock { $0.segments.append(Segment()) }
        while !state.withLock({ $0.isOver }) {
            guard pa_mainloop_prepare(mainloop, 5_000) >= 0, pa_mainloop_poll(mainloop) >= 0, pa_mainloop_dispatch(mainloop) >= 0
            else { return }
            if let stream { take(from: stream) }
            switch pa_context_get_state(context) {
            case PA_CONTEXT_FAILED, PA_CONTEXT_TERMINATED: return
            case PA_CONTEXT_READY where stream == nil:
                stream = pa_stream_new(context, "capture", &spec, nil)
                pa_stream_connect_record(stream, sink + ".monitor", &buffer, PA_STREAM_ADJUST_LATENCY)
            default: if let stream, pa_stream_get_state(stream) == PA_STREAM_FAILED { return }
            }
        }
    }

    private func take(from stream: OpaquePointer) {
        var data: UnsafeRawPointer?
        var bytes = 0
        while pa_stream_get_state(stream) == PA_STREAM_READY, pa_stream_peek(stream, &data, &bytes) >= 0, bytes > 0 {
            let samples = data.map { Array(UnsafeRawBufferPointer(start: $0, count: bytes).bindMemory(to: UInt32.self)) }
                ?? [UInt32](repeating: 0, count: bytes / 4)
            let moment = monotonic()
            state.withLock { state in
                let last = state.segments.count - 1
                state.segments[last].samples += samples
                state.segments[last].arrivals.append((moment, state.segments[last].samples.count))
            }
            pa_stream_drop(stream)
        }
    }

    private func monotonic() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}

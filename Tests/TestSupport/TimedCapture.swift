import CPulse
import Foundation
import Synchronization

/// Records the monitor of a sink, and asks the server meanwhile which of its samples is heard when: its own account, by a connection that
/// has nothing to do with the one that plays.
public final class TimedCapture: Sendable {
    private struct State {
        var samples: [Float] = []
        /// CLOCK_MONOTONIC, and the frame heard at it, as the server said.
        var readings: [(moment: Int64, frame: Double)] = []
        var isOver = false
        var hasEnded = false
    }

    private static let rate = 48_000.0

    private let state = Mutex(State())

    /// Of the default sink's monitor, from now on until `finish`. `server` is libpulse's string.
    public init(server: String) {
        Thread.detachNewThread { [self] in
            record(server)
            state.withLock { $0.hasEnded = true }
        }
    }

    /// What was recorded, and the moment (CLOCK_MONOTONIC, nanoseconds) at which a frame of it was heard: by the median of the seven
    /// readings nearest to it, 50 ms apart, because a null sink on a machine that stood still goes on with another offset.
    public func finish() -> (samples: [Float], moment: (Int) -> Int64) {
        state.withLock { $0.isOver = true }
        while !state.withLock({ $0.hasEnded }) { usleep(1_000) }
        return state.withLock { state in
            let readings = state.readings
            return (state.samples, { frame in
                let nearest = readings.sorted { abs($0.frame - Double(frame)) < abs($1.frame - Double(frame)) }.prefix(7)
                let starts = nearest.map { Double($0.moment) - $0.frame * 1e9 / Self.rate }.sorted()
                return Int64((starts.isEmpty ? 0 : starts[starts.count / 2]) + Double(frame) * 1e9 / Self.rate)
            })
        }
    }

    private func record(_ server: String) {
        let mainloop = pa_mainloop_new()
        defer { pa_mainloop_free(mainloop) }
        let context = pa_context_new(pa_mainloop_get_api(mainloop), "capture")
        guard pa_context_connect(context, server, PA_CONTEXT_NOAUTOSPAWN, nil) >= 0 else { return }
        while pa_context_get_state(context) != PA_CONTEXT_READY {
            guard pa_mainloop_iterate(mainloop, 1, nil) >= 0, pa_context_get_state(context) != PA_CONTEXT_FAILED else { return }
        }
        var spec = pa_sample_spec(format: PA_SAMPLE_FLOAT32LE, rate: UInt32(Self.rate), channels: 1)
        var buffer = pa_buffer_attr(maxlength: .max, tlength: .max, prebuf: .max, minreq: .max, fragsize: 480 * 4)
        let stream = pa_stream_new(context, "capture", &spec, nil)
        pa_stream_connect_record(stream, "@DEFAULT_MONITOR@", &buffer, PA_STREAM_ADJUST_LATENCY)
        defer {
            pa_stream_disconnect(stream)
            pa_stream_unref(stream)
            pa_context_disconnect(context)
            pa_context_unref(context)
        }
        var asked: Int64 = 0
        while !state.withLock({ $0.isOver }) {
            pa_mainloop_prepare(mainloop, 5_000)
            pa_mainloop_poll(mainloop)
            guard pa_mainloop_dispatch(mainloop) >= 0 else { return }
            guard pa_stream_get_state(stream) == PA_STREAM_READY else { continue }
            take(from: stream)
            guard monotonic() - asked > 50_000_000 else { continue }
            asked = monotonic()
            let operation = pa_stream_update_timing_info(stream, { stream, isGood, capture in
                guard isGood != 0, let capture else { return }
                Unmanaged<TimedCapture>.fromOpaque(capture).takeUnretainedValue().note(stream)
            }, Unmanaged.passUnretained(self).toOpaque())
            operation.map(pa_operation_unref)
        }
    }

    private func take(from stream: OpaquePointer?) {
        var data: UnsafeRawPointer?
        var bytes = 0
        while pa_stream_peek(stream, &data, &bytes) >= 0, bytes > 0 {
            let samples = data.map { UnsafeRawBufferPointer(start: $0, count: bytes).bindMemory(to: Float.self).map { $0 } }
                ?? [Float](repeating: 0, count: bytes / 4)
            state.withLock { $0.samples += samples }
            pa_stream_drop(stream)
        }
    }

    private func note(_ stream: OpaquePointer?) {
        var time: pa_usec_t = 0
        guard pa_stream_get_time(stream, &time) >= 0 else { return }
        let reading = (moment: monotonic(), frame: Double(time) * Self.rate / 1e6)
        state.withLock { $0.readings.append(reading) }
    }

    private func monotonic() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}

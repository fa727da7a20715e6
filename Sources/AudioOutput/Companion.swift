import CPulse
import Units

/// A stream that never plays: while it is there, the sink works in small blocks, which the stream that plays, with its long
/// queue, would not ask for. Thread: render.
final class Companion {
    private let stream: PulseStream

    init?(_ context: OpaquePointer, sink: String, latency: Seconds, rate: SampleRate) {
        guard let stream = PulseStream(context, rate: rate, name: "Thrum: small blocks, please") else { return nil }
        self.stream = stream
        var attributes = pa_buffer_attr(maxlength: .max, tlength: UInt32(rate.frames(in: latency).rawValue * 4),
                                        prebuf: .max, minreq: .max, fragsize: .max)
        let flags = pa_stream_flags_t(rawValue: PA_STREAM_START_CORKED.rawValue | PA_STREAM_ADJUST_LATENCY.rawValue
            | PA_STREAM_DONT_MOVE.rawValue)
        if pa_stream_connect_playback(stream.pointer, sink, &attributes, flags, nil, nil) < 0 { return nil }
    }

    deinit { stream.close() }

    var isBroken: Bool {
        let state = pa_stream_get_state(stream.pointer)
        return state == PA_STREAM_FAILED || state == PA_STREAM_TERMINATED
    }
}

extension pa_stream_flags_t {
    static var none: pa_stream_flags_t { pa_stream_flags_t(rawValue: 0) }
}

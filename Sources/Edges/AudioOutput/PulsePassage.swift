import CPulse
import Synth

/// Hears from the server when somebody mutes our stream or its sink, or turns one of them down. Thread: render.
final class PulsePassage {
    private let context: OpaquePointer
    private let changed: (Passage) -> Void
    private var stream = UInt32.max
    private var sink = UInt32.max
    private var passage = Passage()

    init(_ context: OpaquePointer, changed: @escaping (Passage) -> Void) {
        self.context = context
        self.changed = changed
        pa_context_set_subscribe_callback(context, { _, event, index, passage in
            PulsePassage.from(passage)?.heard(of: event.rawValue & PA_SUBSCRIPTION_EVENT_FACILITY_MASK.rawValue, index)
        }, reference)
        let kinds = PA_SUBSCRIPTION_MASK_SINK.rawValue | PA_SUBSCRIPTION_MASK_SINK_INPUT.rawValue
        release(pa_context_subscribe(context, pa_subscription_mask_t(rawValue: kinds), nil, nil))
    }

    /// To be called before the context is let go of.
    func close() { pa_context_set_subscribe_callback(context, nil, nil) }

    /// `stream` plays, or plays on another sink.
    func follow(_ stream: OpaquePointer) {
        self.stream = pa_stream_get_index(stream)
        sink = pa_stream_get_device_index(stream)
        askForStream()
        askForSink()
    }

    private func heard(of facility: UInt32, _ index: UInt32) {
        if facility == PA_SUBSCRIPTION_EVENT_SINK.rawValue, index == sink { askForSink() }
        if facility == PA_SUBSCRIPTION_EVENT_SINK_INPUT.rawValue, index == stream { askForStream() }
    }

    private func askForSink() {
        release(pa_context_get_sink_info_by_index(context, sink, { _, info, _, passage in
            guard let info = info?.pointee else { return }
            PulsePassage.from(passage)?.learn { $0.sink = Passage.Stage(isMuted: info.mute != 0, magnitude: magnitude(info.volume)) }
        }, reference))
    }

    private func askForStream() {
        release(pa_context_get_sink_input_info(context, stream, { _, info, _, passage in
            guard let info = info?.pointee else { return }
            PulsePassage.from(passage)?.learn { $0.stream = Passage.Stage(isMuted: info.mute != 0, magnitude: magnitude(info.volume)) }
        }, reference))
    }

    private func learn(_ change: (inout Passage) -> Void) {
        change(&passage)
        changed(passage)
    }

    private func release(_ operation: OpaquePointer?) { if let operation { pa_operation_unref(operation) } }

    private var reference: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    /// It outlives its callbacks: the context is let go of before it is.
    private static func from(_ reference: UnsafeMutableRawPointer?) -> PulsePassage? {
        reference.map { Unmanaged<PulsePassage>.fromOpaque($0).takeUnretainedValue() }
    }
}

/// The loudest channel's, 1 leaving everything as it is.
func magnitude(_ volume: pa_cvolume) -> Double {
    withUnsafePointer(to: volume) { pa_sw_volume_to_linear(pa_cvolume_max($0)) }
}

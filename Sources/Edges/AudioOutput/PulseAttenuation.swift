import CPulse
import Synth

/// Follows the volumes and mutes of our stream and its sink. Thread: render.
final class PulseAttenuation {
    private let context: OpaquePointer
    private let changed: (Attenuation) -> Void
    private var stream = UInt32.max
    private var sink = UInt32.max
    private var attenuation = Attenuation()

    init(_ context: OpaquePointer, changed: @escaping (Attenuation) -> Void) {
        self.context = context
        self.changed = changed
        pa_context_set_subscribe_callback(context, { _, event, index, attenuation in
            PulseAttenuation.from(attenuation)?.heard(of: event.rawValue & PA_SUBSCRIPTION_EVENT_FACILITY_MASK.rawValue, index)
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
        queryStream()
        querySink()
    }

    private func heard(of facility: UInt32, _ index: UInt32) {
        if facility == PA_SUBSCRIPTION_EVENT_SINK.rawValue, index == sink { querySink() }
        if facility == PA_SUBSCRIPTION_EVENT_SINK_INPUT.rawValue, index == stream { queryStream() }
    }

    private func querySink() {
        release(pa_context_get_sink_info_by_index(context, sink, { _, info, _, attenuation in
            guard let info = info?.pointee else { return }
            PulseAttenuation.from(attenuation)?.learn { $0.sink = Attenuation.Stage(info.mute, info.volume) }
        }, reference))
    }

    private func queryStream() {
        release(pa_context_get_sink_input_info(context, stream, { _, info, _, attenuation in
            guard let info = info?.pointee else { return }
            PulseAttenuation.from(attenuation)?.learn { $0.stream = Attenuation.Stage(info.mute, info.volume) }
        }, reference))
    }

    private func learn(_ change: (inout Attenuation) -> Void) {
        change(&attenuation)
        changed(attenuation)
    }

    private func release(_ operation: OpaquePointer?) { if let operation { pa_operation_unref(operation) } }

    private var reference: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    /// It outlives its callbacks: the context is let go of before it is.
    private static func from(_ reference: UnsafeMutableRawPointer?) -> PulseAttenuation? {
        reference.map { Unmanaged<PulseAttenuation>.fromOpaque($0).takeUnretainedValue() }
    }
}

extension Attenuation.Stage {
    fileprivate init(_ mute: CInt, _ volume: pa_cvolume) { self.init(isMuted: mute != 0, magnitude: loudestChannel(volume)) }
}

/// The magnitude of the loudest channel; 1 changes nothing.
func loudestChannel(_ volume: pa_cvolume) -> Double {
    withUnsafePointer(to: volume) { pa_sw_volume_to_linear(pa_cvolume_max($0)) }
}

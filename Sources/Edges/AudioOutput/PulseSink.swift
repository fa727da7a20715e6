import CLinux
import CPulse
import Synth

/// Watches the volumes and mutes of Thrum's stream and its sink. Thread: render.
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

    /// Removes the callbacks. Call this before the context is released.
    func close() { pa_context_set_subscribe_callback(context, nil, nil) }

    /// Watches `stream`, which now plays, or plays on another sink.
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

    /// Returns the object to which a callback belongs. The object outlives its callbacks, because the context is released first.
    private static func from(_ reference: UnsafeMutableRawPointer?) -> PulseAttenuation? {
        reference.map { Unmanaged<PulseAttenuation>.fromOpaque($0).takeUnretainedValue() }
    }
}

extension Attenuation.Stage {
    fileprivate init(_ mute: CInt, _ volume: pa_cvolume) { self.init(isMuted: mute != 0, magnitude: loudestChannel(volume)) }
}

/// Returns the linear gain of the loudest channel; 1 is no change.
func loudestChannel(_ volume: pa_cvolume) -> Double {
    withUnsafePointer(to: volume) { pa_sw_volume_to_linear(pa_cvolume_max($0)) }
}

/// Listens to the monitor of Thrum's sink while the output is in use, at a low rate, in order to notice a sink that stays silent.
///
/// The monitor's stream requests no latency, so the size of the sink's blocks does not change. The stream does not keep the sink from being
/// suspended. A server that refuses the stream is asked again after a minute. Thread: render.
final class PulseMonitor {
    /// The sample rate, in Hz. Each sample is the peak of 40 ms.
    private static let rate: UInt32 = 25
    /// The number of samples that the server sends at once: 200 ms.
    private static let pieceLength = 5
    /// How long the output must be in use before listening begins, in nanoseconds.
    private static let listeningDelay: Int64 = 1_000_000_000
    private static let retry: Int64 = 60_000_000_000

    private let context: OpaquePointer
    private let name: String
    private var stream: OpaquePointer?
    private var hasFailed = false
    private var useBegan: Int64?
    private var nextTry = Int64.min
    /// What was heard of the monitor; nil while not listening, and before the first samples arrive.
    private(set) var heard: Monitor?

    /// Prepares to listen to the source `name`, the monitor of a sink.
    init(_ context: OpaquePointer, name: String) {
        self.context = context
        self.name = name
    }

    /// Removes the callbacks and ends listening. Call this before the context is released.
    func close() {
        heard = nil
        guard let stream else { return }
        pa_stream_set_state_callback(stream, nil, nil)
        pa_stream_set_read_callback(stream, nil, nil)
        pa_stream_disconnect(stream)
        pa_stream_unref(stream)
        self.stream = nil
    }

    /// Begins or ends listening, depending on the time and on whether the output is in use. Must not be called within a callback of
    /// libpulse.
    func tend(isInUse: Bool, now: Int64) {
        if hasFailed {
            hasFailed = false
            close()
            nextTry = now + Self.retry
        }
        guard isInUse else {
            useBegan = nil
            return close()
        }
        let began = useBegan ?? now
        useBegan = began
        if stream == nil, now >= nextTry, now - began >= Self.listeningDelay { open() }
    }

    private func open() {
        var spec = pa_sample_spec(format: PA_SAMPLE_FLOAT32LE, rate: Self.rate, channels: 1)
        guard let stream = pa_stream_new(context, "Thrum listens whether the sink is silent", &spec, nil) else { return hasFailed = true }
        self.stream = stream
        pa_stream_set_state_callback(stream, { _, monitor in PulseMonitor.from(monitor).changed() }, reference)
        pa_stream_set_read_callback(stream, { _, _, monitor in PulseMonitor.from(monitor).read() }, reference)
        let piece = UInt32(Self.pieceLength * MemoryLayout<Float>.size)
        var attributes = pa_buffer_attr(maxlength: .max, tlength: .max, prebuf: .max, minreq: .max, fragsize: piece)
        let flags = PA_STREAM_PEAK_DETECT | PA_STREAM_DONT_MOVE | PA_STREAM_DONT_INHIBIT_AUTO_SUSPEND
        if pa_stream_connect_record(stream, name, &attributes, flags) < 0 { hasFailed = true }
    }

    private func changed() {
        guard let stream else { return }
        let state = pa_stream_get_state(stream)
        if state == PA_STREAM_FAILED || state == PA_STREAM_TERMINATED { hasFailed = true }
    }

    private func read() {
        guard let stream else { return }
        var isWhole = true
        var peak: Float = 0
        while pa_stream_readable_size(stream) > 0 {
            var memory: UnsafeRawPointer?
            var size = 0
            guard pa_stream_peek(stream, &memory, &size) >= 0, size > 0 else { break }
            if let memory {
                let samples = UnsafeRawBufferPointer(start: memory, count: size)
                for offset in stride(from: 0, through: size - MemoryLayout<Float>.size, by: MemoryLayout<Float>.size) {
                    peak = max(peak, samples.loadUnaligned(fromByteOffset: offset, as: Float.self).magnitude)
                }
            } else {
                isWhole = false
            }
            pa_stream_drop(stream)
        }
        let now = monotonicNanoseconds()
        var monitor = heard ?? Monitor(at: now)
        monitor.hear(isWhole ? peak : nil, at: now)
        heard = monitor
    }

    private var reference: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    /// Returns the object to which a callback belongs. The object outlives its callbacks, because its owner closes it first.
    private static func from(_ reference: UnsafeMutableRawPointer?) -> PulseMonitor {
        guard let reference else { preconditionFailure("libpulse returns the pointer it was given") }
        return Unmanaged<PulseMonitor>.fromOpaque(reference).takeUnretainedValue()
    }
}

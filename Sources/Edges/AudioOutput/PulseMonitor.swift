import CLinux
import CPulse
import Synth

/// Listens to the monitor of our sink while a visitor is there, at a low rate, so that a sink that stays silent is noticed.
///
/// It asks for no latency, so the sink goes on in the blocks it works in, and it does not keep the sink from being suspended.
/// A server that refuses it is not asked again within a minute. Thread: render.
final class PulseMonitor {
    /// Samples a second; each is the peak of its time.
    private static let rate: UInt32 = 25
    /// Samples that the server sends at once: 200 ms.
    private static let pieceLength = 5
    /// A visitor who leaves sooner has nothing listened to.
    private static let patience: Int64 = 1_000_000_000
    private static let retry: Int64 = 60_000_000_000

    private let context: OpaquePointer
    private let name: String
    private var stream: OpaquePointer?
    private var hasFailed = false
    private var visitorCame: Int64?
    private var nextTry = Int64.min
    /// Nil while nothing is listened to, or has come yet.
    private(set) var heard: Monitor?

    /// `name` is of the monitor, a source.
    init(_ context: OpaquePointer, name: String) {
        self.context = context
        self.name = name
    }

    /// To be called before the context is let go of.
    func close() {
        heard = nil
        guard let stream else { return }
        pa_stream_set_state_callback(stream, nil, nil)
        pa_stream_set_read_callback(stream, nil, nil)
        pa_stream_disconnect(stream)
        pa_stream_unref(stream)
        self.stream = nil
    }

    /// Does what time and visitors ask for. Not to be called by libpulse.
    func tend(hasVisitor: Bool, now: Int64) {
        if hasFailed {
            hasFailed = false
            close()
            nextTry = now + Self.retry
        }
        guard hasVisitor else {
            visitorCame = nil
            return close()
        }
        let came = visitorCame ?? now
        visitorCame = came
        if stream == nil, now >= nextTry, now - came >= Self.patience { open() }
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

    /// It outlives its callbacks: whoever has it closes it first.
    private static func from(_ reference: UnsafeMutableRawPointer?) -> PulseMonitor {
        guard let reference else { preconditionFailure("libpulse returns the pointer it was given") }
        return Unmanaged<PulseMonitor>.fromOpaque(reference).takeUnretainedValue()
    }
}

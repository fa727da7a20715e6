import CPulse
import Synth
import Units

/// The render thread of a PulseAudio output: libpulse's main loop, the connection, the stream, and the renderer that
/// fills it. Thread: render, from beginning to end.
final class PulseLoop {
    private static let retryNanoseconds: Int64 = 500_000_000
    private let mainloop: Mainloop
    private let settings: PulseSettings
    /// A server that has asked for nothing for so long is stuck or suspended.
    private let stallNanoseconds: Int64
    private var renderer: Renderer
    private var pacer: Pacer
    private var context: OpaquePointer?
    private var stream: OpaquePointer?
    private var isReady = false
    private var requests = 0
    private var isLost = false
    private var lastAttempt = Int64.min
    private var lastRequest: Int64 = 0
    private var isPacing = true

    init(_ renderer: consuming Renderer, _ mainloop: Mainloop, _ settings: PulseSettings) {
        pacer = Pacer(rate: renderer.rate, now: monotonicNanoseconds())
        self.renderer = renderer
        self.mainloop = mainloop
        self.settings = settings
        stallNanoseconds = max(200_000_000, Int64(settings.buffer.rawValue * 2e9))
    }

    func run(until flag: StopFlag) {
        while !flag.isRaised {
            let now = monotonicNanoseconds()
            if isLost { disconnect() }
            if context == nil, lastAttempt == .min || now - lastAttempt >= Self.retryNanoseconds { connect(now) }
            pace(now)
            // A stalled server must be noticed; one that works wakes the loop by itself.
            let timeout = isPacing ? Pacer.periodNanoseconds : stallNanoseconds / 2
            guard pa_mainloop_prepare(mainloop.pointer, Int32(timeout / 1000)) >= 0,
                  pa_mainloop_poll(mainloop.pointer) >= 0,
                  pa_mainloop_dispatch(mainloop.pointer) >= 0
            else { preconditionFailure("poll failed: without it there is no sound, and a supervisor should know") }
        }
        disconnect()
    }

    /// Lets time go on while nobody asks for frames.
    private func pace(_ now: Int64) {
        let isStalled = !isReady || now - lastRequest > stallNanoseconds
        // From where the server left off: no time is lost.
        if isStalled, !isPacing { pacer.restart(now: lastRequest) }
        isPacing = isStalled
        if isStalled { pacer.catchUp(&renderer, now: now, state: .waiting) }
    }

    private func connect(_ now: Int64) {
        lastAttempt = now
        guard let context = pa_context_new(pa_mainloop_get_api(mainloop.pointer), "Thrum") else { return }
        self.context = context
        pa_context_set_state_callback(context, { _, loop in PulseLoop.from(loop).contextChanged() }, reference)
        // Starting a server is its supervisor's business; a second one of our making would only be in its way.
        if pa_context_connect(context, settings.server, PA_CONTEXT_NOAUTOSPAWN, nil) < 0 { lose() }
    }

    private func disconnect() {
        if let stream {
            pa_stream_set_state_callback(stream, nil, nil)
            pa_stream_set_write_callback(stream, nil, nil)
            pa_stream_set_underflow_callback(stream, nil, nil)
            pa_stream_disconnect(stream)
            pa_stream_unref(stream)
        }
        if let context {
            pa_context_set_state_callback(context, nil, nil)
            pa_context_disconnect(context)
            pa_context_unref(context)
        }
        stream = nil
        context = nil
        isReady = false
        isLost = false
        requests = 0
    }

    /// The connection is of no use any more; it is taken down when libpulse is not in the middle of it.
    private func lose() {
        renderer.note(.waiting, fault: context.map { pa_context_errno($0) } ?? 0)
        isLost = true
    }

    private func contextChanged() {
        guard let context else { return }
        switch pa_context_get_state(context) {
        case PA_CONTEXT_READY: openStream(context)
        case PA_CONTEXT_FAILED, PA_CONTEXT_TERMINATED: lose()
        default: break
        }
    }

    private func openStream(_ context: OpaquePointer) {
        let frameBytes = UInt32(MemoryLayout<Float>.size)
        // One channel: the server sends it to every speaker.
        var spec = pa_sample_spec(format: PA_SAMPLE_FLOAT32LE, rate: UInt32(renderer.rate.hertz), channels: 1)
        let buffer = UInt32(renderer.rate.frames(in: settings.buffer).rawValue) * frameBytes
        var attributes = pa_buffer_attr(maxlength: .max, tlength: buffer, prebuf: 0, minreq: buffer / 4, fragsize: .max)
        guard let stream = pa_stream_new(context, "Thrum", &spec, nil) else { return lose() }
        self.stream = stream
        pa_stream_set_state_callback(stream, { _, loop in PulseLoop.from(loop).streamChanged() }, reference)
        pa_stream_set_write_callback(stream, { _, bytes, loop in PulseLoop.from(loop).write(bytes) }, reference)
        pa_stream_set_underflow_callback(stream, { _, loop in PulseLoop.from(loop).renderer.noteUnderrun() }, reference)
        if pa_stream_connect_playback(stream, settings.sink, &attributes, PA_STREAM_ADJUST_LATENCY, nil, nil) < 0 { lose() }
    }

    private func streamChanged() {
        guard let stream else { return }
        switch pa_stream_get_state(stream) {
        case PA_STREAM_READY:
            isReady = true
            lastRequest = monotonicNanoseconds()
        case PA_STREAM_FAILED, PA_STREAM_TERMINATED: lose()
        default: break
        }
    }

    /// The server has room for `bytes` more.
    private func write(_ bytes: Int) {
        guard let stream else { return }
        let now = monotonicNanoseconds()
        lastRequest = now
        isPacing = false
        requests += 1
        // The first request is for the empty buffer; only the next one shows that the server plays.
        if requests == 2 { renderer.note(.connected, fault: 0) }
        var left = bytes / MemoryLayout<Float>.size
        while left > 0 {
            var memory: UnsafeMutableRawPointer?
            var size = left * MemoryLayout<Float>.size
            guard pa_stream_begin_write(stream, &memory, &size) >= 0, let memory else { return lose() }
            let count = min(left, size / MemoryLayout<Float>.size)
            guard count > 0 else {
                pa_stream_cancel_write(stream)
                return
            }
            let frames = UnsafeMutableBufferPointer(
                start: memory.bindMemory(to: Float.self, capacity: count), count: count)
            frames.initialize(repeating: 0)
            var span = frames.mutableSpan
            renderer.render(into: &span, now: now, state: requests > 1 ? .connected : .waiting)
            guard pa_stream_write(stream, memory, count * MemoryLayout<Float>.size, nil, 0, PA_SEEK_RELATIVE) >= 0 else {
                return lose()
            }
            left -= count
        }
    }

    private var reference: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    /// The loop outlives its callbacks: they are taken off before it goes.
    private static func from(_ reference: UnsafeMutableRawPointer?) -> PulseLoop {
        guard let reference else { preconditionFailure("libpulse returns the pointer it was given") }
        return Unmanaged<PulseLoop>.fromOpaque(reference).takeUnretainedValue()
    }
}

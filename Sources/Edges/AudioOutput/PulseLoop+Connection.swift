import CLinux
import CPulse
import Realtime
import Synth
import Units

/// The connection to the server, the stream, and the sink. Thread: render.
extension PulseLoop {
    func connect(_ now: Int64) {
        lastAttempt = now
        guard let context = pa_context_new(pa_mainloop_get_api(mainloop), "Thrum") else { return }
        self.context = context
        pa_context_set_state_callback(context, { _, loop in PulseLoop.from(loop).contextChanged() }, reference)
        // Starting a server is up to its supervisor. A second server, started from here, would only disturb it.
        if pa_context_connect(context, settings.server, PA_CONTEXT_NOAUTOSPAWN, nil) < 0 { lose() }
    }

    func disconnect() {
        stream?.close()
        stream = nil
        if let context {
            player.closeStream(fault: isLost ? pa_context_errno(context) : 0, now: monotonicNanoseconds())
            pa_context_set_state_callback(context, nil, nil)
            attenuation?.close()
            monitor?.close()
            pa_context_disconnect(context)
            pa_context_unref(context)
        }
        context = nil
        attenuation = nil
        monitor = nil
        player.report.attenuation = Attenuation()
        player.report.isSuspended = false
        isLost = false
        hasAskedFirst = false
        isAnswered = false
        parts = ChangeParts(of: 0, first: 0)
        queries.removeAll(keepingCapacity: true)
        // With another server, revision is tried again.
        if !isFallingBack { player.report.revises = settings.revises }
        isFallingBack = false
    }

    /// Marks the connection as lost. It is closed later, when libpulse is not in a callback.
    func lose() { isLost = true }

    private func contextChanged() {
        guard let context else { return }
        switch pa_context_get_state(context) {
        case PA_CONTEXT_READY:
            // `self` outlives `attenuation`.
            attenuation = PulseAttenuation(context) { [unowned self] in self.player.attenuate($0, now: monotonicNanoseconds()) }
            release(pa_context_get_server_info(context, { _, info, loop in
                guard let info else { return }
                PulseLoop.from(loop).met(server: PulseLoop.describe(info.pointee))
            }, reference))
        case PA_CONTEXT_FAILED, PA_CONTEXT_TERMINATED: lose()
        default: break
        }
    }

    private func met(server: String) {
        player.report.server = FixedText(server)
        isPipeWire = server.contains("PipeWire")
        guard let context, stream == nil else { return }
        guard player.channels > 1 else { return openStream(context, sink: nil) }
        // The channels of a stream with transducers are the sink's, so those must be known first.
        release(pa_context_get_sink_info_by_name(context, settings.sink ?? "@DEFAULT_SINK@", { context, info, isLast, loop in
            let loop = PulseLoop.from(loop)
            guard let context, loop.stream == nil else { return }
            if info != nil || isLast != 0 { loop.openStream(context, sink: info?.pointee.channel_map) }
        }, reference))
    }

    private static func describe(_ info: pa_server_info) -> String {
        [info.server_name, info.server_version].compactMap { $0.map { String(cString: $0) } }.joined(separator: " ")
    }

    private func openStream(_ context: OpaquePointer, sink: pa_channel_map?) {
        let map = ChannelMap(transducers: player.channels > 1 ? settings.transducers : [], sinkChannels: Int(sink?.channels ?? 0))
        guard let stream = PulseStream(context, rate: player.rate, map: map, sink: sink) else { return lose() }
        self.stream = stream
        let pointer = stream.pointer
        pa_stream_set_state_callback(pointer, { _, loop in PulseLoop.from(loop).streamChanged() }, reference)
        pa_stream_set_write_callback(pointer, { _, bytes, loop in PulseLoop.from(loop).wasAsked(bytes) }, reference)
        pa_stream_set_underflow_callback(pointer, { _, loop in PulseLoop.from(loop).ranDry() }, reference)
        pa_stream_set_suspended_callback(pointer, { _, loop in PulseLoop.from(loop).suspensionChanged() }, reference)
        pa_stream_set_moved_callback(pointer, { _, loop in PulseLoop.from(loop).moved() }, reference)
        isSetForUse = false
        var attributes = attributes
        let flags = player.report.revises ? stream.flags : stream.flags | PA_STREAM_ADJUST_LATENCY
        if pa_stream_connect_playback(pointer, settings.sink, &attributes, flags, nil, nil) < 0 { lose() }
    }

    private func ranDry() {
        guard let stream else { return }
        let now = monotonicNanoseconds()
        if let stretch = player.ranDry(at: stream.underflow, now: now) { write(stretch) }
        nextQuery = now
    }

    /// Reacts when the sink was suspended or resumed.
    private func suspensionChanged() {
        guard let stream else { return }
        let now = monotonicNanoseconds()
        player.report.isSuspended = stream.isSuspended
        if stream.isSuspended, let stretch = player.halt(now: now) { write(stretch) }
        nextQuery = now
    }

    private func streamChanged() {
        guard let stream else { return }
        switch pa_stream_get_state(stream.pointer) {
        case PA_STREAM_READY:
            player.openStream(step: isPipeWire ? settings.pipeWireBlock(at: player.rate) : nil)
            hurries = 0
            // PipeWire's graph stands still for up to 80 ms when its block size changes, so the blocks stay small.
            if isPipeWire, player.report.revises { stream.askPipeWire(forBlock: settings.pipeWireBlock(at: player.rate).rawValue) }
            moved()
        case PA_STREAM_FAILED, PA_STREAM_TERMINATED: lose()
        default: break
        }
    }

    /// Reacts when the stream begins on its first sink, or moves to another.
    private func moved() {
        guard let stream else { return }
        player.sinkChanged()
        player.report.sink = FixedText(stream.sink)
        player.report.isSuspended = stream.isSuspended
        attenuation?.follow(stream.pointer)
        lastChange = monotonicNanoseconds()
        nextQuery = lastChange
        release(pa_context_get_sink_info_by_name(context, stream.sink, { _, info, _, loop in
            if let info { PulseLoop.from(loop).met(sink: info.pointee) }
        }, reference))
    }

    var frameBytes: Int { stream?.frameBytes ?? MemoryLayout<Float>.size }

    private func met(sink: pa_sink_info) {
        player.report.sinkChannels = Int(sink.sample_spec.channels)
        monitor?.close()
        monitor = context.flatMap { context in sink.monitor_source_name.map { PulseMonitor(context, name: String(cString: $0)) } }
        let hardware = sink.flags.rawValue & PA_SINK_HARDWARE.rawValue != 0
        guard hardware != isHardware else { return }
        isHardware = hardware
        // The attributes that were requested before were meant for another kind of sink.
        isSetForUse = false
    }
}

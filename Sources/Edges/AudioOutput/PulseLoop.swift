import CLinux
import CPulse
import Realtime
import Synth
import Units

/// The render thread of a PulseAudio output: libpulse's main loop, the connection, and the stream. What is written when is
/// the player's business. Thread: render, from beginning to end.
final class PulseLoop {
    private static let retryNanoseconds: Int64 = 500_000_000
    /// A server that has taken nothing for so long is stuck or suspended.
    private static let stallNanoseconds: Int64 = 300_000_000
    /// Who wakes up so late was stopped, or kept from running.
    private static let standstillNanoseconds: Int64 = 50_000_000

    private let mainloop: OpaquePointer
    private let settings: PulseSettings
    private let bells: Doorbells
    private var player: Player
    private var context: OpaquePointer?
    private var stream: PulseStream?
    private var attenuation: PulseAttenuation?
    private var monitor: PulseMonitor?
    private var isLost = false
    private var lastAttempt = Int64.min
    private var nextQuery: Int64 = 0
    /// When `poll` is to return at the latest.
    private var wakeUp = Int64.max
    /// When a visitor came, or the sink changed: for a while the server is asked more often.
    private var lastChange: Int64 = 0
    private var isAttended = false
    private var isPipeWire = false
    /// Whether the sink is a card; a null sink is none.
    private var isHardware = true
    private var rewriteLimit = RewriteLimit()
    /// The answer that is awaited is for an event that waits for it.
    private var hasAskedFirst = false
    /// The connection is given up to be made again without revision.
    private var isFallingBack = false
    private var hurries = 0
    /// Answers the server owes, and for each the change that was written just before it was asked.
    private var queries: [Landing?] = []

    private struct Landing {
        /// In frames of the stream.
        var start: Int64
        var moment: Int64
    }

    init(_ renderer: consuming Renderer, _ settings: PulseSettings, bells: Doorbells, isRealtime: Bool) {
        guard let mainloop = pa_mainloop_new() else { preconditionFailure("a main loop needs memory and a pipe only") }
        self.mainloop = mainloop
        self.settings = settings
        self.bells = bells
        player = Player(renderer, queue: settings.queue, bell: bells.control, state: .waiting, now: monotonicNanoseconds())
        player.report.isRealtime = isRealtime
        player.report.revises = settings.revises
        queries.reserveCapacity(16)
    }

    deinit { pa_mainloop_free(mainloop) }

    func run(until flag: StopFlag) {
        let api = pa_mainloop_get_api(mainloop)
        let bell = api?.pointee.io_new(api, bells.render.descriptor, PA_IO_EVENT_INPUT, { _, _, _, _, loop in
            PulseLoop.from(loop).heardBell()
        }, reference)
        while !flag.isRaised {
            let now = monotonicNanoseconds()
            tend(now)
            let wait = timeout(now)
            wakeUp = monotonicNanoseconds() + Int64(wait) * 1000
            guard pa_mainloop_prepare(mainloop, wait) >= 0, pa_mainloop_poll(mainloop) >= 0,
                  pa_mainloop_dispatch(mainloop) >= 0
            else { preconditionFailure("poll failed: without it there is no sound, and a supervisor should know") }
            player.report.wakeUps += 1
        }
        disconnect()
        // What has been sent last takes effect, and is answered, whatever the server did.
        player.runFree(now: monotonicNanoseconds())
        api?.pointee.io_free(bell)
    }

    /// Does what time alone asks for.
    private func tend(_ now: Int64) {
        if now > wakeUp, now - wakeUp > Self.standstillNanoseconds { player.stoodStill(until: now) }
        if isLost { disconnect() }
        monitor?.tend(hasVisitor: player.hasVisitor, now: now)
        player.report.monitor = monitor?.heard
        if context == nil, lastAttempt == .min || now - lastAttempt >= Self.retryNanoseconds { connect(now) }
        // In either case whoever watches the report sees that this thread goes on.
        if player.mode == .live { player.publish(now) } else { player.runFree(now: now) }
        guard stream != nil, player.mode != .free else { return }
        if let stretch = player.stall(after: Self.stallNanoseconds, now: now) { write(stretch) }
        attend()
        if isHolding { revise(hasAsked: false) }
        if now >= nextQuery, canAsk { ask(now) }
    }

    /// A server that owes four answers is not asked again.
    private var canAsk: Bool { stream != nil && player.mode != .free && queries.count < 4 }

    private var isHolding: Bool { rewriteLimit.isHolding && player.hasInstructions }

    /// In microseconds, until `tend` has something to do.
    private func timeout(_ now: Int64) -> Int32 {
        // A server that owes an answer may have stalled.
        let idle: Int64 = player.mode == .live && queries.isEmpty ? 1_000_000_000 : 50_000_000
        let query = canAsk ? max(0, nextQuery - now) : idle
        return Int32(min(idle, query, isHolding ? RewriteLimit.period / 8 : idle) / 1000)
    }

    // MARK: The connection

    private func connect(_ now: Int64) {
        lastAttempt = now
        guard let context = pa_context_new(pa_mainloop_get_api(mainloop), "Thrum") else { return }
        self.context = context
        pa_context_set_state_callback(context, { _, loop in PulseLoop.from(loop).contextChanged() }, reference)
        // Starting a server is its supervisor's business; a second one of our making would only be in its way.
        if pa_context_connect(context, settings.server, PA_CONTEXT_NOAUTOSPAWN, nil) < 0 { lose() }
    }

    private func disconnect() {
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
        queries.removeAll(keepingCapacity: true)
        // Another server may do better.
        if !isFallingBack { player.report.revises = settings.revises }
        isFallingBack = false
    }

    /// The connection is of no use any more; it is taken down when libpulse is not in the middle of it.
    private func lose() { isLost = true }

    private func contextChanged() {
        guard let context else { return }
        switch pa_context_get_state(context) {
        case PA_CONTEXT_READY:
            // The loop outlives it.
            attenuation = PulseAttenuation(context) { [unowned self] in self.player.report.attenuation = $0 }
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
        // A stream with transducers is laid over the sink's channels, so they must be known.
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
        isAttended = false
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

    /// The sink takes nothing any more, or does again.
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
            player.openStream(step: isPipeWire ? pipeWireBlock : nil)
            hurries = 0
            // Its graph stands still for up to 80 ms when its blocks change, so they stay small.
            if isPipeWire, player.report.revises { stream.askPipeWire(forBlock: pipeWireBlock.rawValue) }
            moved()
        case PA_STREAM_FAILED, PA_STREAM_TERMINATED: lose()
        default: break
        }
    }

    /// The stream plays on another sink now, or on its first.
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

    private var frameBytes: Int { stream?.frameBytes ?? MemoryLayout<Float>.size }

    private func met(sink: pa_sink_info) {
        player.report.sinkChannels = Int(sink.sample_spec.channels)
        monitor?.close()
        monitor = context.flatMap { context in sink.monitor_source_name.map { PulseMonitor(context, name: String(cString: $0)) } }
        let hardware = sink.flags.rawValue & PA_SINK_HARDWARE.rawValue != 0
        guard hardware != isHardware else { return }
        isHardware = hardware
        // What was asked for was meant for another kind of sink.
        isAttended = false
    }

    // MARK: Presence

    /// While a visitor is there the sink is kept at small blocks; otherwise it is left alone, and fed in big steps.
    private func attend() {
        guard let stream, player.report.revises, player.hasVisitor != isAttended else { return }
        isAttended = player.hasVisitor
        lastChange = monotonicNanoseconds()
        nextQuery = lastChange
        if !isPipeWire {
            var attributes = attributes
            release(pa_stream_set_buffer_attr(stream.pointer, &attributes, nil, nil))
        }
    }

    /// A power of two, as PipeWire takes it.
    private var pipeWireBlock: FrameCount {
        var frames: Int64 = 32
        while frames < player.rate.frames(in: Seconds(settings.sinkLatency.rawValue / 2)).rawValue { frames *= 2 }
        return FrameCount(frames)
    }

    /// PulseAudio has the sink work in blocks of what is left of the queue after twice `minreq` (its traditional mode:
    /// protocol-native.c, fix_playback_buffer_attr). A quarter is what a stream gets that asks for a latency. A card cannot
    /// always keep up with that: it runs dry, audibly, until PulseAudio allows it more.
    private var attributes: pa_buffer_attr {
        let isRevising = player.report.revises
        let held = isAttended || isPipeWire ? settings.queue : settings.idleQueue
        let queue = (isRevising ? held : PulseSettings.shortQueue).rawValue
        let block = isAttended ? settings.sinkLatency.rawValue / (isHardware ? 1 : 4) : PulseSettings.idleBlock.rawValue
        let request = isRevising ? isPipeWire ? queue / 4 : max(queue / 4, (queue - block) / 2) : queue / 4
        func bytes(_ seconds: Double) -> UInt32 { UInt32(Int(player.rate.frames(in: Seconds(seconds)).rawValue) * frameBytes) }
        return pa_buffer_attr(maxlength: .max, tlength: bytes(queue), prebuf: 0, minreq: bytes(request), fragsize: .max)
    }

    // MARK: Writing

    /// The server has room for `bytes` more.
    private func wasAsked(_ bytes: Int) {
        let now = monotonicNanoseconds()
        // A stream that has not begun is written to in small pieces: see `hurry`.
        let frames = Int64(bytes / frameBytes)
        let piece = player.mode == .filling ? max(1, frames / 16) : frames
        var left = frames
        while left > 0 {
            write(Stretch(offset: 0, count: min(piece, left)))
            left -= min(piece, left)
        }
        player.wasAsked(now: now)
        // A question now saves a wake-up.
        if player.mode == .live, nextQuery - now < 150_000_000 { nextQuery = now }
    }

    /// An idle null sink has played silence up to two seconds ahead. It goes back by a block for every packet of a stream
    /// that has not begun, so a few packets more have it begin at once (observed with PulseAudio 16.1).
    private func hurry() {
        guard hurries < 100 else { return }
        hurries += 1
        for _ in 0..<8 { write(Stretch(offset: -1, count: 1)) }
        nextQuery = 0
    }

    private func heardBell() {
        bells.render.clear()
        revise(hasAsked: false)
    }

    /// One question or change at a time is on its way, and so many in a while: a flood of events does not become one of
    /// messages to the server.
    private func revise(hasAsked: Bool) {
        guard player.hasInstructions, queries.isEmpty else { return }
        let now = monotonicNanoseconds()
        if !hasAsked {
            guard rewriteLimit.allows(now) else { return }
            rewriteLimit.count(now)
            hasAskedFirst = player.shouldAskFirst(now: now)
            if hasAskedFirst { return ask(now) }
        }
        let end = player.written
        guard let stretch = player.revise(now: now) else { return }
        write(stretch)
        player.wasRevised(now: monotonicNanoseconds())
        ask(now, Landing(start: end + stretch.offset, moment: now))
    }

    private func write(_ stretch: Stretch) {
        guard let stream else { return }
        player.seek(stretch)
        if !stream.write(stretch, { player.render(into: &$0) }) { lose() }
    }

    // MARK: Questions to the server

    private func ask(_ now: Int64, _ landing: Landing? = nil) {
        guard let stream else { return }
        guard let operation = pa_stream_update_timing_info(stream.pointer, { _, isGood, loop in
            PulseLoop.from(loop).answered(isGood != 0)
        }, reference) else { return lose() }
        pa_operation_unref(operation)
        queries.append(landing)
        nextQuery = now + period(now)
    }

    /// In a session the server is asked so often because a gap is journaled from the last answer on, if the server is lost.
    private func period(_ now: Int64) -> Int64 {
        player.hasVisitor ? 15_000_000 : player.mode != .live || now - lastChange < 2_000_000_000 ? 20_000_000 : 1_000_000_000
    }

    private func answered(_ isGood: Bool) {
        guard let stream, !queries.isEmpty else { return }
        let landing = queries.removeFirst()
        let now = monotonicNanoseconds()
        if isGood, let timing = stream.timing(now: now) {
            defer { if player.isBehindOthers { hurry() } }
            if let landing, !player.landed(from: landing.start, at: landing.moment, timing, now: now) {
                player.report.revises = false
                isFallingBack = true
                return lose()
            }
            if let stretch = player.learn(timing, now: now) { begin(stretch, now) }
        }
        let hasAsked = hasAskedFirst
        hasAskedFirst = false
        revise(hasAsked: hasAsked)
        attend()
    }

    /// Writes what `learn` returned.
    private func begin(_ stretch: Stretch, _ now: Int64) {
        let start = player.written + stretch.offset
        write(stretch)
        if player.isComingBack { ask(now, Landing(start: start, moment: now)) }
    }

    private func release(_ operation: OpaquePointer?) { if let operation { pa_operation_unref(operation) } }

    private var reference: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    /// The loop outlives its callbacks: they are taken off before it goes.
    private static func from(_ reference: UnsafeMutableRawPointer?) -> PulseLoop {
        guard let reference else { preconditionFailure("libpulse returns the pointer it was given") }
        return Unmanaged<PulseLoop>.fromOpaque(reference).takeUnretainedValue()
    }
}

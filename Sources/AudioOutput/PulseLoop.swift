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

    private let mainloop: OpaquePointer
    private let settings: PulseSettings
    private let bells: Doorbells
    private var player: Player
    private var context: OpaquePointer?
    private var stream: PulseStream?
    private var companion: Companion?
    private var isLost = false
    private var lastAttempt = Int64.min
    private var nextQuery: Int64 = 0
    /// When a visitor came, or the sink changed: for a while the server is asked more often.
    private var lastChange: Int64 = 0
    private var isAttended = false
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
        player = Player(renderer, bell: bells.control, state: .waiting, now: monotonicNanoseconds())
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
            guard pa_mainloop_prepare(mainloop, timeout(now)) >= 0, pa_mainloop_poll(mainloop) >= 0,
                  pa_mainloop_dispatch(mainloop) >= 0
            else { preconditionFailure("poll failed: without it there is no sound, and a supervisor should know") }
            player.report.wakeUps += 1
        }
        disconnect()
        api?.pointee.io_free(bell)
    }

    /// Does what time alone asks for.
    private func tend(_ now: Int64) {
        if isLost { disconnect() }
        if context == nil, lastAttempt == .min || now - lastAttempt >= Self.retryNanoseconds { connect(now) }
        if player.mode != .live { player.runFree(now: now) }
        guard stream != nil, player.mode != .free else { return }
        if let stretch = player.stall(after: Self.stallNanoseconds, now: now) { write(stretch) }
        attend(now)
        if now >= nextQuery, queries.count < 4 { ask(now) }
    }

    /// In microseconds, until `tend` has something to do.
    private func timeout(_ now: Int64) -> Int32 {
        let idle: Int64 = player.mode == .live ? 1_000_000_000 : 50_000_000
        let query = stream == nil ? idle : max(0, nextQuery - now)
        return Int32(min(idle, query) / 1000)
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
        companion = nil
        stream?.close()
        stream = nil
        if let context {
            player.closeStream(fault: isLost ? pa_context_errno(context) : 0, now: monotonicNanoseconds())
            pa_context_set_state_callback(context, nil, nil)
            pa_context_disconnect(context)
            pa_context_unref(context)
        }
        context = nil
        isLost = false
        queries.removeAll(keepingCapacity: true)
    }

    /// The connection is of no use any more; it is taken down when libpulse is not in the middle of it.
    private func lose() { isLost = true }

    private func contextChanged() {
        guard let context else { return }
        switch pa_context_get_state(context) {
        case PA_CONTEXT_READY:
            release(pa_context_get_server_info(context, { _, info, loop in
                guard let info else { return }
                PulseLoop.from(loop).player.report.server = FixedText(PulseLoop.describe(info.pointee))
            }, reference))
            openStream(context)
        case PA_CONTEXT_FAILED, PA_CONTEXT_TERMINATED: lose()
        default: break
        }
    }

    private static func describe(_ info: pa_server_info) -> String {
        [info.server_name, info.server_version].compactMap { $0.map { String(cString: $0) } }.joined(separator: " ")
    }

    private func openStream(_ context: OpaquePointer) {
        guard let stream = PulseStream(context, rate: player.rate) else { return lose() }
        self.stream = stream
        let pointer = stream.pointer
        pa_stream_set_state_callback(pointer, { _, loop in PulseLoop.from(loop).streamChanged() }, reference)
        pa_stream_set_write_callback(pointer, { _, bytes, loop in PulseLoop.from(loop).wasAsked(bytes) }, reference)
        pa_stream_set_underflow_callback(pointer, { _, loop in
            PulseLoop.from(loop).player.ranDry(now: monotonicNanoseconds())
        }, reference)
        pa_stream_set_moved_callback(pointer, { _, loop in PulseLoop.from(loop).moved() }, reference)
        isAttended = false
        var attributes = attributes
        let flags = player.report.revises ? pa_stream_flags_t.none : PA_STREAM_ADJUST_LATENCY
        if pa_stream_connect_playback(pointer, settings.sink, &attributes, flags, nil, nil) < 0 { lose() }
    }

    private func streamChanged() {
        guard let stream else { return }
        switch pa_stream_get_state(stream.pointer) {
        case PA_STREAM_READY:
            player.openStream()
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
        companion = nil
        lastChange = monotonicNanoseconds()
        nextQuery = lastChange
    }

    // MARK: Presence

    /// While a visitor is there the sink is kept at small blocks; otherwise it is left alone, and fed in big steps.
    private func attend(_ now: Int64) {
        guard let stream, let context, player.report.revises else { return }
        if player.hasVisitor != isAttended {
            isAttended = player.hasVisitor
            lastChange = now
            var attributes = attributes
            release(pa_stream_set_buffer_attr(stream.pointer, &attributes, nil, nil))
        }
        if !isAttended {
            companion = nil
        } else if companion == nil || companion?.isBroken == true {
            companion = Companion(context, sink: stream.sink, latency: settings.sinkLatency, rate: player.rate)
        }
    }

    /// The server asks for more when `minreq` is missing, and has the sink work in blocks of what is left of the queue
    /// after twice that (PulseAudio's traditional mode, protocol-native.c, fix_playback_buffer_attr).
    private var attributes: pa_buffer_attr {
        let queue = player.report.revises ? settings.queue.rawValue : PulseSettings.shortQueue.rawValue
        let request = player.report.revises && !isAttended ? queue * 0.45 : queue * 0.2
        func bytes(_ seconds: Double) -> UInt32 { UInt32(player.rate.frames(in: Seconds(seconds)).rawValue * 4) }
        return pa_buffer_attr(maxlength: .max, tlength: bytes(queue), prebuf: 0, minreq: bytes(request), fragsize: .max)
    }

    // MARK: Writing

    /// The server has room for `bytes` more.
    private func wasAsked(_ bytes: Int) {
        let now = monotonicNanoseconds()
        player.wasAsked(now: now)
        write(Stretch(offset: 0, count: Int64(bytes / 4)))
        // Asking now saves a wake-up.
        if player.mode == .live, nextQuery - now < 150_000_000 { nextQuery = now }
    }

    private func heardBell() {
        bells.render.clear()
        revise(hasAsked: false)
    }

    /// One change at a time is on its way: a flood of events cannot make the server's queue of messages grow.
    private func revise(hasAsked: Bool) {
        guard player.hasInstructions, !queries.contains(where: { $0 != nil }) else { return }
        let now = monotonicNanoseconds()
        if !hasAsked, player.shouldAskFirst(now: now) { return ask(now) }
        let end = player.written
        guard let stretch = player.revise(now: now) else { return }
        write(stretch)
        ask(now, Landing(start: end + stretch.offset, moment: now))
    }

    private func write(_ stretch: Stretch) {
        guard let stream else { return }
        player.seek(stretch)
        if !stream.write(stretch, { player.render(into: &$0) }) { lose() }
    }

    // MARK: Asking

    private func ask(_ now: Int64, _ landing: Landing? = nil) {
        guard let stream else { return }
        guard let operation = pa_stream_update_timing_info(stream.pointer, { _, isGood, loop in
            PulseLoop.from(loop).answered(isGood != 0)
        }, reference) else { return lose() }
        pa_operation_unref(operation)
        queries.append(landing)
        nextQuery = now + period(now)
    }

    private func period(_ now: Int64) -> Int64 {
        if player.mode != .live || now - lastChange < 1_000_000_000 { return 20_000_000 }
        return isAttended ? 50_000_000 : 1_000_000_000
    }

    private func answered(_ isGood: Bool) {
        guard let stream, !queries.isEmpty else { return }
        let landing = queries.removeFirst()
        let now = monotonicNanoseconds()
        if isGood, let timing = stream.timing(now: now) {
            if let stretch = player.learn(timing, now: now) { write(stretch) }
            if let landing, !player.landed(from: landing.start, written: landing.moment, timing, now: now) {
                player.report.revises = false
                lose()
            }
        }
        revise(hasAsked: true)
    }

    private func release(_ operation: OpaquePointer?) { if let operation { pa_operation_unref(operation) } }

    private var reference: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    /// The loop outlives its callbacks: they are taken off before it goes.
    private static func from(_ reference: UnsafeMutableRawPointer?) -> PulseLoop {
        guard let reference else { preconditionFailure("libpulse returns the pointer it was given") }
        return Unmanaged<PulseLoop>.fromOpaque(reference).takeUnretainedValue()
    }
}

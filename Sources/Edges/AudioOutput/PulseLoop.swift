import CLinux
import CPulse
import Realtime
import Synth
import Units

/// The render thread of a PulseAudio output: libpulse's main loop, the connection, and the stream. `Player` decides what is written when.
/// Thread: render, from beginning to end.
final class PulseLoop {
    private static let retryNanoseconds: Int64 = 500_000_000
    /// The time without progress after which a server counts as stuck or suspended.
    private static let stallNanoseconds: Int64 = 300_000_000
    /// A wake-up that comes this much too late shows that this process was stopped, or kept from running.
    private static let standstillNanoseconds: Int64 = 50_000_000

    let mainloop: OpaquePointer
    let settings: PulseSettings
    private let bells: Doorbells
    var player: Player
    var context: OpaquePointer?
    var stream: PulseStream?
    var attenuation: PulseAttenuation?
    var monitor: PulseMonitor?
    var isLost = false
    var lastAttempt = Int64.min
    var nextQuery: Int64 = 0
    /// The time at which poll(2) must return at the latest.
    private var wakeUp = Int64.max
    /// When use of the output began or ended, or the sink changed. For some time after that, the server is asked more often.
    var lastChange: Int64 = 0
    /// Whether the sink was asked for the small blocks that it has while the output is in use.
    var isSetForUse = false
    var isPipeWire = false
    /// Whether the sink is a hardware device, unlike a null sink.
    var isHardware = true
    private var rewriteLimit = RewriteLimit()
    /// Whether the bell has rung since changes were last looked for.
    private var hasRung = false
    /// Whether an event waits for the server's next answer.
    var hasAskedFirst = false
    /// Whether the answer has come for which an event waited.
    var isAnswered = false
    /// The parts of a change that were not written yet.
    var parts = ChangeParts(of: 0, first: 0)
    /// Whether the connection is being closed, to be opened again without revising queued audio.
    var isFallingBack = false
    var hurries = 0
    /// The questions that the server has not answered yet.
    var queries: [Question] = []

    enum Question {
        case whereItStands
        /// Whether the change written just before, at `moment` from frame `start` of the stream on, arrived in time.
        case landing(start: Int64, moment: Int64)
        /// Whether a later part of a change, from frame `start` of the stream on, arrived in time.
        case followed(start: Int64)
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
            turn(within: wait)
            player.report.wakeUps += 1
        }
        disconnect()
        // The last commands take effect and are answered, whatever state the server is in.
        player.runFree(now: monotonicNanoseconds())
        api?.pointee.io_free(bell)
    }

    /// Runs libpulse's main loop once: sends what was written, and handles what the server sends within `wait` microseconds.
    private func turn(within wait: Int32) {
        guard pa_mainloop_prepare(mainloop, wait) >= 0, pa_mainloop_poll(mainloop) >= 0, pa_mainloop_dispatch(mainloop) >= 0
        else { preconditionFailure("poll failed: without it there is no sound, and a supervisor should know") }
    }

    /// Does what is due because of the time or the bell, outside of libpulse's callbacks.
    private func tend(_ now: Int64) {
        if now > wakeUp, now - wakeUp > Self.standstillNanoseconds { player.stoodStill(until: now) }
        if isLost { disconnect() }
        revise()
        monitor?.tend(isInUse: player.isInUse, now: now)
        player.report.monitor = monitor?.heard
        if context == nil, lastAttempt == .min || now - lastAttempt >= Self.retryNanoseconds { connect(now) }
        // Either call updates the report, so that its readers see that this thread is running.
        if player.mode == .live { player.publish(now) } else { player.runFree(now: now) }
        guard stream != nil, player.mode != .free else { return }
        if let stretch = player.stall(after: Self.stallNanoseconds, now: now) { write(stretch) }
        attend()
        if now >= nextQuery, canAsk { ask(now) }
    }

    /// Whether the server may be asked: not if four answers are outstanding.
    private var canAsk: Bool { stream != nil && player.mode != .free && queries.count < 4 }

    private var isHolding: Bool { rewriteLimit.isHolding && player.hasInstructions }

    /// Returns the microseconds until `tend` has something to do.
    private func timeout(_ now: Int64) -> Int32 {
        if hasRung { return 0 }
        // A server that does not answer may have stalled.
        let idle: Int64 = player.mode == .live && queries.isEmpty ? 1_000_000_000 : 50_000_000
        let query = canAsk ? max(0, nextQuery - now) : idle
        return Int32(min(idle, query, isHolding ? RewriteLimit.period / 8 : idle) / 1000)
    }

    // MARK: Presence

    /// Keeps the sink's blocks small while the output is in use; otherwise the sink gets large blocks.
    private func attend() {
        guard let stream, player.report.revises, player.isInUse != isSetForUse else { return }
        isSetForUse = player.isInUse
        lastChange = monotonicNanoseconds()
        nextQuery = lastChange
        if !isPipeWire {
            var attributes = attributes
            release(pa_stream_set_buffer_attr(stream.pointer, &attributes, nil, nil))
        }
    }

    var attributes: pa_buffer_attr {
        settings.attributes(isRevising: player.report.revises, isInUse: isSetForUse, isPipeWire: isPipeWire, isHardware: isHardware,
                            rate: player.rate, frameBytes: frameBytes)
    }

    // MARK: Writing

    /// Writes `bytes` bytes of further audio, because the server has asked for that much.
    func wasAsked(_ bytes: Int) {
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
        // Asking now saves a wake-up later.
        if player.mode == .live, nextQuery - now < 150_000_000 { nextQuery = now }
    }

    /// Makes a sink play at once that has taken silence up to two seconds ahead, as an idle null sink does. Such a sink goes back by a
    /// block for every packet of a stream that has not begun, so a few packets are enough (observed with PulseAudio 16.1).
    private func hurry() {
        guard hurries < 100 else { return }
        hurries += 1
        for _ in 0..<8 { write(Stretch(offset: -1, count: 1)) }
        nextQuery = 0
    }

    private func heardBell() {
        bells.render.clear()
        hasRung = true
    }

    /// Asks the server, or writes a change, for the commands that have come. Only one question or change is under way at a time, and at a
    /// limited rate, so that a flood of events does not cause a flood of messages to the server. Each part of a change is sent before the
    /// next one is rendered.
    private func revise() {
        let hasAsked = isAnswered
        (hasRung, isAnswered) = (false, false)
        guard stream != nil, player.mode != .free, player.hasInstructions, queries.isEmpty else { return }
        let now = monotonicNanoseconds()
        if !hasAsked {
            guard rewriteLimit.allows(now) else { return }
            rewriteLimit.count(now)
            hasAskedFirst = player.shouldAskFirst(now: now)
            if hasAskedFirst { return ask(now) }
        }
        let end = player.written
        guard let stretch = player.revise(now: now) else { return }
        parts = player.parts(of: stretch)
        guard let first = parts.next() else { return }
        write(Stretch(offset: stretch.offset, count: first))
        ask(now, .landing(start: end + stretch.offset, moment: now))
        turn(within: 0)
        player.wasRevised(now: monotonicNanoseconds())
        while !isLost, let count = parts.next() {
            follow(count)
            if parts.left > 0 { turn(within: 0) }
        }
    }

    /// Writes the rest of a change. It is called before anything else is written or learned.
    private func finishChange() {
        guard parts.left > 0 else { return }
        let count = parts.left
        parts = ChangeParts(of: 0, first: 0)
        if !isLost { follow(count) }
    }

    private func follow(_ count: Int64) {
        let start = player.written
        write(Stretch(offset: 0, count: count))
        ask(monotonicNanoseconds(), .followed(start: start))
    }

    func write(_ stretch: Stretch) {
        guard let stream else { return }
        player.seek(stretch)
        if !stream.write(stretch, { player.render(into: &$0) }) { lose() }
    }

    // MARK: Questions to the server

    private func ask(_ now: Int64, _ question: Question = .whereItStands) {
        guard let stream else { return }
        guard let operation = pa_stream_update_timing_info(stream.pointer, { _, isGood, loop in
            PulseLoop.from(loop).answered(isGood != 0)
        }, reference) else { return lose() }
        pa_operation_unref(operation)
        queries.append(question)
        nextQuery = now + period(now)
    }

    /// Returns the nanoseconds until the server is asked again. They are few while the output is in use: if the server is lost, the journal
    /// has a gap from the last answer on.
    private func period(_ now: Int64) -> Int64 {
        player.isInUse ? 15_000_000 : player.mode != .live || now - lastChange < 2_000_000_000 ? 20_000_000 : 1_000_000_000
    }

    private func answered(_ isGood: Bool) {
        guard let stream, !queries.isEmpty else { return }
        let question = queries.removeFirst()
        isAnswered = hasAskedFirst
        hasAskedFirst = false
        let now = monotonicNanoseconds()
        guard isGood, let timing = stream.timing(now: now) else { return }
        switch question {
        case .whereItStands: break
        case .landing(let start, let moment):
            guard player.landed(from: start, at: moment, timing, now: now) else {
                player.report.revises = false
                isFallingBack = true
                return lose()
            }
        case .followed(let start): player.followed(from: start, timing)
        }
        if let stretch = player.learn(timing, now: now) { begin(stretch, now) }
        if player.isBehindOthers { hurry() }
    }

    /// Writes the stretch that `learn` has returned.
    private func begin(_ stretch: Stretch, _ now: Int64) {
        let start = player.written + stretch.offset
        write(stretch)
        if player.isComingBack { ask(now, .landing(start: start, moment: now)) }
    }

    func release(_ operation: OpaquePointer?) { if let operation { pa_operation_unref(operation) } }

    var reference: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    /// Returns the loop to which a callback of libpulse belongs, after writing the rest of a change. The loop outlives its callbacks,
    /// because they are removed first.
    static func from(_ reference: UnsafeMutableRawPointer?) -> PulseLoop {
        guard let reference else { preconditionFailure("libpulse returns the pointer it was given") }
        let loop = Unmanaged<PulseLoop>.fromOpaque(reference).takeUnretainedValue()
        loop.finishChange()
        return loop
    }
}

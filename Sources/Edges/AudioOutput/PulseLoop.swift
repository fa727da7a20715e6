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
    /// The delay of a wake-up from which on this process was stopped, or kept from running.
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
    /// The time at which poll(2) is to return at the latest.
    private var wakeUp = Int64.max
    /// The time at which a visitor came or the sink changed: for a while the server is asked more often.
    var lastChange: Int64 = 0
    var isAttended = false
    var isPipeWire = false
    /// Whether the sink is a card; a null sink is none.
    var isHardware = true
    private var rewriteLimit = RewriteLimit()
    /// Whether the bell has rung since the last change was tried.
    private var hasRung = false
    /// Whether an event waits for the server's next answer.
    var hasAskedFirst = false
    /// Whether the answer that an event waited for has come.
    var isAnswered = false
    /// The parts of a change that are yet to be written.
    var parts = ChangeParts(of: 0, first: 0)
    /// Whether the connection is given up to be made again without revision.
    var isFallingBack = false
    var hurries = 0
    /// The questions whose answers the server owes.
    var queries: [Question] = []

    enum Question {
        case whereItStands
        /// Whether the change written just before, from frame `start` of the stream on, at `moment`, has come in time.
        case landing(start: Int64, moment: Int64)
        /// Whether a later part of a change, from frame `start` of the stream on, has come in time.
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
        // What has been sent last takes effect, and is answered, whatever the server did.
        player.runFree(now: monotonicNanoseconds())
        api?.pointee.io_free(bell)
    }

    /// Turns libpulse's main loop once: sends what is written, and takes what the server says within `wait` microseconds.
    private func turn(within wait: Int32) {
        guard pa_mainloop_prepare(mainloop, wait) >= 0, pa_mainloop_poll(mainloop) >= 0, pa_mainloop_dispatch(mainloop) >= 0
        else { preconditionFailure("poll failed: without it there is no sound, and a supervisor should know") }
    }

    /// Does what is due by time or by the bell, outside of libpulse's turns.
    private func tend(_ now: Int64) {
        if now > wakeUp, now - wakeUp > Self.standstillNanoseconds { player.stoodStill(until: now) }
        if isLost { disconnect() }
        revise()
        monitor?.tend(hasVisitor: player.hasVisitor, now: now)
        player.report.monitor = monitor?.heard
        if context == nil, lastAttempt == .min || now - lastAttempt >= Self.retryNanoseconds { connect(now) }
        // In either case whoever watches the report sees that this thread goes on.
        if player.mode == .live { player.publish(now) } else { player.runFree(now: now) }
        guard stream != nil, player.mode != .free else { return }
        if let stretch = player.stall(after: Self.stallNanoseconds, now: now) { write(stretch) }
        attend()
        if now >= nextQuery, canAsk { ask(now) }
    }

    /// Whether the server may be asked: one that owes four answers is not.
    private var canAsk: Bool { stream != nil && player.mode != .free && queries.count < 4 }

    private var isHolding: Bool { rewriteLimit.isHolding && player.hasInstructions }

    /// The microseconds until `tend` has something to do.
    private func timeout(_ now: Int64) -> Int32 {
        if hasRung { return 0 }
        // A server that owes an answer may have stalled.
        let idle: Int64 = player.mode == .live && queries.isEmpty ? 1_000_000_000 : 50_000_000
        let query = canAsk ? max(0, nextQuery - now) : idle
        return Int32(min(idle, query, isHolding ? RewriteLimit.period / 8 : idle) / 1000)
    }

    // MARK: Presence

    /// Keeps the sink at small blocks while a visitor is there; otherwise it is fed in big steps.
    private func attend() {
        guard let stream, player.report.revises, player.hasVisitor != isAttended else { return }
        isAttended = player.hasVisitor
        lastChange = monotonicNanoseconds()
        nextQuery = lastChange
        if !isPipeWire {
            var attributes = attributes
            release(pa_stream_set_buffer_attr(stream.pointer, &attributes, nil, nil))
            player.blocksChange()
        }
    }

    var attributes: pa_buffer_attr {
        settings.attributes(isRevising: player.report.revises, isAttended: isAttended, isPipeWire: isPipeWire, isHardware: isHardware,
                            rate: player.rate, frameBytes: frameBytes)
    }

    // MARK: Writing

    /// Writes `bytes` more, for which the server has room.
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
        // A question now saves a wake-up.
        if player.mode == .live, nextQuery - now < 150_000_000 { nextQuery = now }
    }

    /// Has a sink begin at once that has played silence up to two seconds ahead, as an idle null sink has. It goes back by a block for
    /// every packet of a stream that has not begun, so a few packets suffice (observed with PulseAudio 16.1).
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

    /// Asks or writes for what has come. One question or change at a time is on its way, and at a limited rate: a flood of events does not
    /// become a flood of messages to the server. Each part of a change is sent before the next one is rendered.
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

    /// Writes the rest of a change. It comes before whatever else is written or learned.
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

    /// The nanoseconds until the server is asked again. While a visitor is there they are few: if the server is lost, a gap is journaled
    /// from the last answer on.
    private func period(_ now: Int64) -> Int64 {
        player.hasVisitor ? 15_000_000 : player.mode != .live || now - lastChange < 2_000_000_000 ? 20_000_000 : 1_000_000_000
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

    /// Writes the stretch that `learn` returned.
    private func begin(_ stretch: Stretch, _ now: Int64) {
        let start = player.written + stretch.offset
        write(stretch)
        if player.isComingBack { ask(now, .landing(start: start, moment: now)) }
    }

    func release(_ operation: OpaquePointer?) { if let operation { pa_operation_unref(operation) } }

    var reference: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    /// The loop of a callback of libpulse's, with no change half written. It outlives its callbacks: they are taken off before it goes.
    static func from(_ reference: UnsafeMutableRawPointer?) -> PulseLoop {
        guard let reference else { preconditionFailure("libpulse returns the pointer it was given") }
        let loop = Unmanaged<PulseLoop>.fromOpaque(reference).takeUnretainedValue()
        loop.finishChange()
        return loop
    }
}

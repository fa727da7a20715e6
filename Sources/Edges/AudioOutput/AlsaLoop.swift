import CAlsa
import CLinux
import Realtime
import Synth
import Units

/// The render thread of an output on a card: opens the card, keeps its ring filled, and writes changes into it. `Player` decides what is
/// written when. Thread: render, from beginning to end.
final class AlsaLoop {
    private static let retryNanoseconds: Int64 = 500_000_000
    /// The time without progress after which a card counts as stalled. Then the sound in its ring is faded out. After `stuckNanoseconds`
    /// the card is opened again.
    private static let stallNanoseconds: Int64 = 300_000_000
    private static let stuckNanoseconds: Int64 = 1_000_000_000
    /// A wake-up that comes this much too late shows that this process was stopped, or kept from running.
    private static let standstillNanoseconds: Int64 = 50_000_000
    private static let mixerNanoseconds: Int64 = 1_000_000_000
    /// The length of the part of a change that is written first, because the rest is not urgent.
    private static let urgent = Seconds.milliseconds(20)

    private let settings: AlsaSettings
    private let bells: Doorbells
    private var player: Player
    private var card: Card?
    private var lastAttempt = Int64.min
    private var wakeUp = Int64.max
    private var rewriteLimit = RewriteLimit()

    private struct Card {
        let stream: CardStream
        let mixer: CardMixer?
        /// The last frame that the card is known to have read. `lastMove` is when this frame last changed.
        var read: Int64 = 0
        var lastMove: Int64
        var nextMixerCheck: Int64
    }

    init(_ renderer: consuming Renderer, _ settings: AlsaSettings, bells: Doorbells, isRealtime: Bool) {
        thrum_alsa_print_nothing()
        self.settings = settings
        self.bells = bells
        player = Player(renderer, queue: settings.queue, bell: bells.control, state: .waiting, now: monotonicNanoseconds(), isCard: true)
        player.report.isRealtime = isRealtime
    }

    func run(until flag: StopFlag) {
        while !flag.isRaised {
            let now = monotonicNanoseconds()
            tend(now)
            let wait = timeout
            wakeUp = monotonicNanoseconds() + wait
            bells.render.hasRung(within: Int32(wait / 1_000_000))
            player.report.wakeUps += 1
        }
        close(nil)
        // The last commands take effect and are answered, whatever state the card is in.
        player.runFree(now: monotonicNanoseconds())
    }

    /// The nanoseconds until `tend` has something to do. While the output is in use, it is at most 20 ms until the card is read again: when
    /// the card is unplugged, every frame since the last reading counts as unheard in the journal.
    private var timeout: Int64 {
        guard card != nil else { return 50_000_000 }
        if player.mode == .filling || rewriteLimit.isHolding && player.hasInstructions { return 5_000_000 }
        // The queue was filled a quarter above its length, so that half of its length is still left after this time.
        let spare = player.queue.rawValue * 3 / 4 * 1_000_000_000 / Int64(player.rate.hertz)
        return player.isInUse ? min(spare, 20_000_000) : spare
    }

    private func tend(_ now: Int64) {
        if now > wakeUp, now - wakeUp > Self.standstillNanoseconds { player.stoodStill(until: now) }
        if card == nil, lastAttempt == .min || now - lastAttempt >= Self.retryNanoseconds { open(now) }
        look(now)
        revise()
        checkMixer(now)
        // Either call updates the report, so that its readers see that this thread is running.
        if player.mode == .live { player.publish(monotonicNanoseconds()) } else { player.runFree(now: monotonicNanoseconds()) }
    }

    // MARK: The card

    private func open(_ now: Int64) {
        lastAttempt = now
        do throws(CardFault) {
            // Room for the longest queue, including the quarter by which it is overfilled.
            let room = Seconds(settings.idleQueue.rawValue * 1.375)
            let stream = try CardStream(settings, rate: player.rate, room: player.rate.frames(in: room))
            player.openStream()
            player.report.server = FixedText(stream.name)
            player.report.sink = FixedText(settings.device)
            player.report.sinkChannels = stream.channels
            card = Card(stream: stream, mixer: CardMixer(card: stream.card), lastMove: now, nextMixerCheck: now)
            try begin()
        } catch {
            close(error)
        }
    }

    /// Starts the card, beginning with the frame after those that were written already. It gets silence until it is known to play.
    private func begin() throws(CardFault) {
        guard let stream = card?.stream else { return }
        let start = player.written
        try stream.prepare(at: start)
        card?.read = start
        card?.lastMove = monotonicNanoseconds()
        fill()
        try stream.start()
    }

    private func close(_ fault: CardFault?) {
        if card != nil || player.mode != .free || fault != nil {
            player.closeStream(fault: fault?.code ?? 0, now: monotonicNanoseconds())
        }
        card = nil
        player.report.attenuation = Attenuation()
        player.report.isSuspended = false
    }

    /// Starts a card again that has stopped.
    private func restart() {
        do throws(CardFault) { try begin() } catch { close(error) }
    }

    private func look(_ now: Int64) {
        guard let card else { return }
        // The queue never exceeds what the ring can hold.
        let queue = player.rate.frames(in: player.isInUse ? settings.queue : settings.idleQueue).rawValue
        player.queue = FrameCount(min(queue, card.stream.size * 3 / 4))
        switch card.stream.reading(written: player.written, now: now) {
        case .plays(let timing):
            follow(timing, now)
            // Until the card plays again, its suspension is the reason why nothing is heard.
            if player.mode == .live { player.report.isSuspended = false }
        case .ranDry:
            _ = player.ranDry(at: nil, now: now)
            restart()
        case .sleeps:
            player.report.isSuspended = true
            if let stretch = player.halt(now: now) { write(stretch) }
            restart()
        case .lost(let fault): close(fault)
        }
    }

    private func follow(_ timing: Timing, _ now: Int64) {
        guard let last = card else { return }
        if timing.read > last.read { card?.lastMove = now }
        card?.read = timing.read
        if let stretch = player.learn(timing, now: now) {
            let start = player.written + stretch.offset
            write(stretch)
            if player.isComingBack, let timing = reading() {
                _ = player.landed(from: start, at: now, timing, now: monotonicNanoseconds())
            }
        }
        if player.mode == .filling { fill() }
        if let stretch = player.stall(after: Self.stallNanoseconds, now: now) { write(stretch) }
        if let card, now - card.lastMove > Self.stuckNanoseconds { close(.standsStill) }
    }

    private func reading() -> Timing? {
        guard let card, case .plays(let timing) = card.stream.reading(written: player.written, now: monotonicNanoseconds())
        else { return nil }
        self.card?.read = timing.read
        return timing
    }

    private func checkMixer(_ now: Int64) {
        guard let card, now >= card.nextMixerCheck, let mixer = card.mixer else { return }
        self.card?.nextMixerCheck = now + Self.mixerNanoseconds
        var attenuation = player.report.attenuation
        attenuation.sink.isMuted = mixer.isMuted
        player.attenuate(attenuation, now: now)
    }

    // MARK: Writing

    /// Writes silence to a card that is not known to play yet.
    private func fill() {
        guard let card else { return }
        let missing = player.queue.rawValue - (player.written - card.read)
        if missing > 0 { write(Stretch(offset: 0, count: missing)) }
    }

    /// Renders anew and writes the frames that commands have changed, at a limited rate, so that a flood of events does not cause a flood
    /// of rendering.
    private func revise() {
        guard player.hasInstructions, player.mode == .live else { return }
        let now = monotonicNanoseconds()
        guard rewriteLimit.allows(now) else { return }
        rewriteLimit.count(now)
        let end = player.written
        guard let stretch = player.revise(now: now) else { return }
        let start = end + stretch.offset
        let first = min(stretch.count, player.rate.frames(in: Self.urgent).rawValue)
        write(Stretch(offset: stretch.offset, count: first))
        player.wasRevised(now: monotonicNanoseconds())
        if let timing = reading() { _ = player.landed(from: start, at: now, timing, now: monotonicNanoseconds()) }
        guard first < stretch.count else { return }
        write(Stretch(offset: 0, count: stretch.count - first))
        if let timing = reading() { player.followed(from: start + first, timing) }
    }

    /// Renders the frames of `stretch` and writes them, as far as the ring has room.
    private func write(_ stretch: Stretch) {
        guard let card else { return }
        let start = player.written + stretch.offset
        let count = min(stretch.count, card.read + card.stream.size - start)
        guard count > 0 else { return }
        player.seek(stretch)
        card.stream.write(count, from: start, channels: player.channels) { player.render(into: &$0) }
        card.stream.commit(until: player.written, read: card.read)
    }
}

import Synth
import Units

/// Decides what a sound server is given: keeps the audio that it holds in step with the events and with the clock. Knows
/// no server; whoever does calls it, and writes what it says.
///
/// Thread: render.
struct Player: ~Copyable {
    private(set) var mode = Mode.free
    private(set) var margin = Margin()
    var report = OutputReport()
    private var renderer: Renderer
    var clock: ClockModel
    private var fade = Fade.none
    /// The frame at the stream's beginning.
    private(set) var origin: Int64 = 0
    /// Frames of the stream written.
    private(set) var written: Int64 = 0
    var timing: Timing?
    /// Where the sink tells only in steps where it stands.
    var quantized: QuantizedPosition?
    private(set) var forecast: StepForecast
    private var lastAdvance: Int64 = 0
    private var heardSoFar = Heard()
    /// When the first event of the last revision happened, if it says so; and how long such took to be written.
    private var stamp: Int64?
    private var travels = Window()
    private var unheeded = 0
    /// Whether this stream has.
    private var hasPlayed = false
    private let bell: Doorbell
    /// Frames the server or the card is to hold.
    var queue: FrameCount
    /// Whether it plays on a card itself: a change is in its memory at once, and it takes frames all the time.
    let isCard: Bool

    private static let fadeTime = Seconds.milliseconds(5)
    /// A server's timer and what it says of its time may be so far off, in nanoseconds.
    static let timer: Int64 = 200_000
    /// Of where a sink is that tells it only in steps, in nanoseconds.
    static let leastDoubt: Int64 = 400_000
    /// What a server has played and not yet handed on is lost when it is killed, in nanoseconds.
    private static let onItsWay: Int64 = 2_000_000
    /// A card has taken so much more than it says, in nanoseconds.
    static let prefetch: Int64 = 300_000

    /// `speed` other than 1 only where there is never a server.
    init(_ renderer: consuming Renderer, queue: Seconds, bell: Doorbell, state: OutputState, now: Int64, speed: Double = 1,
         isCard: Bool = false) {
        clock = ClockModel(rate: renderer.rate, now: now, speed: speed)
        forecast = StepForecast(rate: renderer.rate)
        self.queue = renderer.rate.frames(in: queue)
        self.isCard = isCard
        self.renderer = renderer
        self.bell = bell
        report.state = state
        // With the null output nobody waits for sound.
        if state == .null { report.settled = Frame(.max) } else { tell(.silent(from: command(at: 0))) }
    }

    var rate: SampleRate { renderer.rate }
    /// Samples a frame, as they are rendered.
    var channels: Int { renderer.channels }
    var hasInstructions: Bool { renderer.hasInstructions }
    var hasVisitor: Bool { renderer.hasVisitor }

    // MARK: Without a server that plays

    /// Lets time go on: takes in what has come, and keeps a little ahead of the frame that would be heard.
    mutating func runFree(now: Int64) {
        takeSilently(now)
        if report.state == .connected, now - lastAdvance > 500_000_000 { report.state = .waiting }
        let ahead = clock.line.frame(at: now) + rate.frames(in: .milliseconds(100))
        if renderer.position < ahead { renderer.move(to: ahead) }
        publish(now)
    }

    private mutating func takeSilently(_ now: Int64) {
        guard hasInstructions else { return }
        _ = renderer.revise(from: clock.line.frame(at: now))
        publish(now)
        bell.ring()
    }

    // MARK: A stream's life

    /// `step`: of a server that tells where its sink stands only in whole blocks, the least they are.
    mutating func openStream(step: FrameCount? = nil) {
        quantized = step.map(QuantizedPosition.init)
        forecast.forget()
        mode = .filling
        origin = 0
        written = 0
        timing = nil
        unheeded = 0
        hasPlayed = false
        margin.forgetSink()
    }

    /// `fault` is libpulse's error code, 0 for none.
    mutating func closeStream(fault: Int32, now: Int64) {
        leave(now)
        mode = .free
        report.state = .waiting
        report.fault = fault
        publish(now)
    }

    /// The stream plays elsewhere now.
    mutating func sinkChanged() {
        margin.forgetSink()
        quantized?.forget()
        forecast.forgetBlock()
        timing = nil
    }

    /// The sink is to take other blocks from now on.
    mutating func blocksChange() { forecast.forgetBlock() }

    /// The server has run out of frames at `index` of the stream, if it says where. Returns what takes back what was written after
    /// that: it would be heard in pieces.
    mutating func ranDry(at index: Int64?, now: Int64) -> Stretch? {
        guard mode == .live else { return nil }
        report.counters.underruns += 1
        var end = min(written, index ?? written)
        // Nor has a card played what its time has not come for: a kernel that was kept from running may be wrong about that.
        if isCard { end = min(end, Int64(clock.position(at: now)) - origin) }
        // Everything before it was played, but for what the sink took with it: a block is filled up with silence.
        heardSoFar.observe(until: origin + end - Int64(frames(margin.block + Self.onItsWay)))
        leave(now)
        publish(now)
        return report.revises && end < written ? Stretch(offset: end - written, count: written - end) : nil
    }

    /// This process itself did not run for a while, until now: what the server has done meanwhile is not known yet.
    mutating func stoodStill(until now: Int64) { lastAdvance = max(lastAdvance, now) }

    /// The frame at which a command acts that is heard at `frame`: the limiter's look-ahead before it.
    private func command(at frame: Int64) -> Frame { Frame(frame - renderer.latency.rawValue) }

    /// Whether the sink has taken nothing for so long that it must be taken for stuck.
    mutating func stall(after limit: Int64, now: Int64) -> Stretch? { now - lastAdvance > limit ? halt(now: now) : nil }

    /// The sink takes nothing any more. What it still holds is to be faded out: it would be old news when it plays on.
    mutating func halt(now: Int64) -> Stretch? {
        guard mode == .live else { return nil }
        let end = renderer.position
        // From where the sink stands, not from where it should be by now.
        let start = Frame(origin + (timing?.read ?? written) + Int64(frames(margin.flight)))
        leave(now)
        report.state = .waiting
        publish(now)
        guard report.revises, start < end else { return nil }
        renderer.move(to: start)
        fade = .out(from: renderer.position)
        return Stretch(offset: (renderer.position - end).rawValue, count: (end - renderer.position).rawValue)
    }

    private mutating func leave(_ now: Int64) {
        if mode == .live, let frame = heardSoFar.lose() { tell(.silent(from: command(at: frame))) }
        clock.runFree(now: now)
        mode = .filling
        timing = nil
        quantized?.stoodStill()
        fade = .none
    }

    // MARK: What is written

    /// The server has room for more: fills `span` with frames to follow what was written last.
    mutating func render(into span: inout MutableSpan<Float>) {
        let channels = renderer.channels
        let count = span.count / channels
        forecast.wrote(from: written)
        switch (mode, fade) {
        case (.live, let fade):
            let start = renderer.position
            renderer.render(into: &span, at: 0, count: count)
            fade.apply(to: &span, from: start, length: fadeLength, channels: channels)
        case (_, .out):
            let start = renderer.position
            let sounding = min(count, Int(fadeLength))
            renderer.render(into: &span, at: 0, count: sounding)
            fade.apply(to: &span, from: start, length: fadeLength, channels: channels)
            for index in sounding * channels..<span.count { span[index] = 0 }
            fade = .none
        default:
            for index in 0..<span.count { span[index] = 0 }
        }
        written += Int64(count)
    }

    /// The next frames go to where `stretch` says.
    mutating func seek(_ stretch: Stretch) { written += stretch.offset }

    /// The sink has taken frames, since the server asks for more.
    mutating func wasAsked(now: Int64) {
        if mode == .live { lastAdvance = now }
        // Without revision, what is written is what is certain.
        if mode == .live, !report.revises { margin.observe(block: nanoseconds(Double(origin + written) - clock.position(at: now))) }
    }

    /// Whether the server should be asked first where its sink is: an event that cannot take effect when it is due by what
    /// is certain now can do so sooner by what is certain then.
    func shouldAskFirst(now: Int64) -> Bool {
        guard mode == .live, report.revises, quantized == nil, known(now) == nil, let due = renderer.nextDue else { return false }
        return due.frame + renderer.latency < earliest(now)
    }

    /// Takes in what has come. Returns what has to be written again, if anything has.
    mutating func revise(now: Int64) -> Stretch? {
        guard hasInstructions else { return nil }
        guard mode == .live else {
            takeSilently(now)
            return nil
        }
        let end = renderer.position
        let start = report.revises ? min(earliest(now), end) : end
        stamp = renderer.nextDue?.stamp
        if let stamp { margin.observe(travel: now - stamp) }
        let isChanged = renderer.revise(from: start)
        bell.ring()
        publish(now)
        guard isChanged, renderer.position < end else { return nil }
        report.counters.rewrites += 1
        return Stretch(offset: (renderer.position - end).rawValue, count: (end - renderer.position).rawValue)
    }

    /// How what `revise` returned is written: first the sink's next block and 5 ms more.
    func parts(of stretch: Stretch) -> ChangeParts {
        ChangeParts(of: stretch.count, first: rate.frames(in: .milliseconds(5)).rawValue + Int64(frames(margin.block)))
    }

    /// The first part of a change has been written.
    mutating func wasRevised(now: Int64) {
        guard let stamp else { return }
        travels.add(now - stamp)
        report.travel = travels.median
    }

    // MARK: What the server says

    /// Learns from what the server says. Returns what has to be written because it has begun to play.
    mutating func learn(_ timing: Timing, now: Int64) -> Stretch? {
        let before = self.timing
        forecast.observe(timing, doubt: Self.timer)
        self.timing = timing
        quantized?.observe(timing.read)
        margin.observe(reserve: timing.held)
        let heard = Double(timing.read) - frames(timing.held)
        switch mode {
        case .free: return nil
        case .live:
            if let before, timing.read > before.read {
                lastAdvance = now
                hear(timing)
            }
            observe(timing, heard: heard, now: now)
            publish(now)
            return lack(timing)
        case .filling:
            guard let before, timing.read > before.read, timing.held < 5_000_000_000 else { return nil }
            return goLive(heard: heard, timing, now)
        }
    }

    private mutating func observe(_ timing: Timing, heard: Double, now: Int64) {
        let position = Double(origin) + heard
        let expected = clock.position(at: timing.moment)
        if abs(position - expected) < frames(Int64(ClockModel.strange)) {
            quantized?.observe(timing.read, at: timing.moment, rate: clock.rate)
        } else if position < expected {
            quantized?.stoodStill()
        }
        clock.observe((position - Double(quantized?.step ?? 0))...position, at: timing.moment, now: now)
        // Where the sink tells only steps, it is taken to stand a whole one ahead.
        let ahead = quantized.map { Double($0.step) + frames(timing.held) }
        margin.observe(block: nanoseconds(ahead ?? Double(origin + timing.read) - expected))
    }

    /// What is missing from a queue filled to the brim, a quarter above its length, if it is worth writing unasked: the
    /// server asks only when half of it is gone, and between two readings it is not to fall far below its length.
    private func lack(_ timing: Timing) -> Stretch? {
        let missing = queue.rawValue * 5 / 4 - (written - timing.read)
        return report.revises && missing > queue.rawValue / 8 ? Stretch(offset: 0, count: missing) : nil
    }

    /// The change that was written from frame `start` of the stream on, at `moment`, has arrived. Returns whether the
    /// server puts writes where they are to go.
    mutating func landed(from start: Int64, at moment: Int64, _ timing: Timing, now: Int64) -> Bool {
        unheeded = timing.written == written ? 0 : unheeded + 1
        let slack = slack(before: start, timing)
        margin.landed(flight: timing.moment - moment, slack: slack)
        let missed = slack < 0 ? max(1, mostTaken(timing) - start) : 0
        if isComingBack {
            // The fade is not what is rendered either.
            tell(.heard(from: command(at: origin + start + max(missed, fadeLength))))
            heardSoFar.comeBack()
        } else if missed > 0 {
            report.counters.lateRewrites += 1
            tell(.late(at: command(at: origin + start), FrameCount(missed)))
        }
        // The sink may be about to go back for it, and then takes its steps at other moments.
        if missed > 0 { forecast.forgetBlock() }
        publish(now)
        return unheeded < 3
    }

    /// A later part of a change, from frame `start` of the stream on, has been written: some of it may have come too late.
    mutating func followed(from start: Int64, _ timing: Timing) {
        guard slack(before: start, timing) < 0 else { return }
        forecast.forgetBlock()
        report.counters.lateRewrites += 1
        tell(.late(at: command(at: origin + start), FrameCount(max(1, mostTaken(timing) - start))))
    }

    /// Whether the sink has yet to play, for longer than our whole queue, what it took before this stream was there.
    var isBehindOthers: Bool {
        guard mode == .filling, let timing else { return false }
        return timing.read == 0 && frames(timing.held) > Double(queue.rawValue)
    }

    /// The frames heard go on where the clock is, whatever was lost.
    private mutating func goLive(heard: Double, _ timing: Timing, _ now: Int64) -> Stretch {
        origin = Int64((clock.position(at: timing.moment) - heard).rounded())
        mode = .live
        lastAdvance = now
        report.state = .connected
        report.fault = 0
        if !hasPlayed { report.counters.connections += 1 }
        hasPlayed = true
        let end = origin + written
        renderer.move(to: report.revises ? earliest(now) : Frame(end))
        fade = .in(from: renderer.position)
        let start = renderer.position.rawValue
        heardSoFar.awaitLanding()
        publish(now)
        return Stretch(offset: start - end, count: max(end - start, rate.frames(in: .milliseconds(20)).rawValue))
    }

    /// Whether what was written last is where sound comes back: then `landed` is to be called for it.
    var isComingBack: Bool { heardSoFar.isComingBack }

    /// What the sink has taken, and holds no longer, was heard. One that tells only steps may have a whole one in hand. After the
    /// end of what is written a server plays silence.
    private mutating func hear(_ timing: Timing) {
        guard timing.read <= timing.written else { return }
        let position = Double(timing.read - (quantized?.step ?? 0)) - frames(timing.held + Self.onItsWay)
        heardSoFar.observe(until: origin + Int64(position.rounded(.down)))
    }

    /// What others do to the sound is another. Whoever follows the report hears of it at once.
    mutating func attenuate(_ attenuation: Attenuation, now: Int64) {
        guard attenuation != report.attenuation else { return }
        report.attenuation = attenuation
        if mode == .live { publish(now) }
        bell.ring()
    }

    private var fadeLength: Int64 { rate.frames(in: Self.fadeTime).rawValue }

    func nanoseconds(_ frames: Double) -> Int64 { Int64(frames * 1e9 / Double(rate.hertz)) }
    func frames(_ nanoseconds: Int64) -> Double { Double(nanoseconds) * Double(rate.hertz) / 1e9 }

    private mutating func tell(_ notice: Notice) {
        renderer.tell(notice)
        bell.ring()
    }

    mutating func publish(_ now: Int64) {
        report.clock = clock.line
        if report.state != .null { report.settled = command(at: heardSoFar.settled(now: Int64(clock.position(at: now)))) }
        report.rendered = renderer.position
        report.lead = rate.frames(inNanoseconds: margin.lead + caution(now))
        report.margin = rate.frames(inNanoseconds: margin.reach)
        report.fill = mode == .live ? FrameCount(origin + written - Int64(clock.position(at: now))) : .zero
        report.sinkBlock = rate.frames(inNanoseconds: margin.block)
        report.clockErrorNanoseconds = clock.errorNanoseconds
        report.drift = clock.drift
        renderer.publish(report)
    }
}

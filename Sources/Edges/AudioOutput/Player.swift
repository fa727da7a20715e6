import Synth
import Units

/// Decides what a sound server or card gets, and keeps the audio in its queue in step with the events and with the clock. It does not
/// depend on the server's kind: the loop that talks to the server calls the player, and writes what the player returns. Thread: render.
struct Player: ~Copyable {
    enum Mode {
        /// There is no stream. Time goes on by the clock.
        case free
        /// The stream does not play yet, or not any more. It gets silence.
        case filling
        case live
    }

    private(set) var mode = Mode.free
    private(set) var margin = Margin()
    var report = OutputReport()
    private var renderer: Renderer
    var clock: ClockModel
    private var fade = Fade.none
    /// The frame of the output at the stream's beginning.
    private(set) var origin: Int64 = 0
    /// The number of frames of the stream that were written.
    private(set) var written: Int64 = 0
    var timing: Timing?
    /// The sink's position, if the sink reports only whole blocks; nil for a sink that reports its position exactly.
    var quantized: QuantizedPosition?
    private(set) var forecast: StepForecast
    private var lastAdvance: Int64 = 0
    private var heardSoFar = Heard()
    /// The time stamp of the first event in the last revision; nil where that revision had no event with a stamp. `travels` has the times
    /// from such events to the writing of their changes.
    private var stamp: Int64?
    private var travels = Window()
    private var unheeded = 0
    /// Whether this stream has played.
    private var hasPlayed = false
    private let bell: Doorbell
    /// The number of frames that the server or card should hold.
    var queue: FrameCount
    /// Whether the sink is a card, which has a change in its memory at once and takes frames continuously.
    let isCard: Bool

    private static let fadeTime = Seconds.milliseconds(5)
    /// The error of a server's timer and of its times, in nanoseconds.
    static let timer: Int64 = 200_000
    /// The least uncertainty of the position of a sink that reports only steps, in nanoseconds.
    static let leastDoubt: Int64 = 400_000
    /// How long sound travels from a server to the card, in nanoseconds. Such sound is lost when the server is killed.
    private static let onItsWay: Int64 = 2_000_000
    /// How far a card has read beyond the position that it reports, in nanoseconds.
    static let prefetch: Int64 = 300_000

    /// Starts without a stream. `speed` may differ from 1 only if there is never a server.
    init(_ renderer: consuming Renderer, queue: Seconds, bell: Doorbell, state: OutputState, now: Int64, speed: Double = 1,
         isCard: Bool = false) {
        clock = ClockModel(rate: renderer.rate, now: now, speed: speed)
        forecast = StepForecast(rate: renderer.rate)
        self.queue = renderer.rate.frames(in: queue)
        self.isCard = isCard
        self.bell = bell
        report.state = state
        // With the null output, no sound has to be waited for.
        if state == .null {
            report.settled = Frame(.max)
        } else {
            renderer.tell(.silent(from: Frame(-renderer.latency.rawValue)))
            bell.ring()
        }
        self.renderer = renderer
    }

    var rate: SampleRate { renderer.rate }
    /// The number of samples per rendered frame.
    var channels: Int { renderer.channels }
    var hasInstructions: Bool { renderer.hasInstructions }
    var hasVisitor: Bool { renderer.hasVisitor }

    // MARK: Without a server that plays

    /// Goes on without a stream: carries out commands, and stays a little ahead of the frame that would be heard now.
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

    /// Begins a stream. `step` is the least block of a server that reports only whole blocks of its sink; nil for other servers.
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

    /// Ends the stream. `fault` is an error code, or 0 for none.
    mutating func closeStream(fault: Int32, now: Int64) {
        leave(now)
        mode = .free
        report.state = .waiting
        report.fault = fault
        publish(now)
    }

    /// Notes that the stream now plays on another sink.
    mutating func sinkChanged() {
        margin.forgetSink()
        quantized?.forget()
        forecast.forgetBlock()
        timing = nil
    }

    /// Notes that the sink uses other blocks from now on.
    mutating func blocksChange() { forecast.forgetBlock() }

    /// Notes that the server has run out of frames, at frame `index` of the stream if that is known. Returns the stretch that replaces the
    /// frames written after `index`, because they would be heard in pieces.
    mutating func ranDry(at index: Int64?, now: Int64) -> Stretch? {
        guard mode == .live else { return nil }
        report.counters.underruns += 1
        var end = min(written, index ?? written)
        // A card cannot have played frames before their time; a kernel that was kept from running may report that wrongly.
        if isCard { end = min(end, Int64(clock.position(at: now)) - origin) }
        // Everything before that was played, except for what the sink took last: a block is filled up with silence.
        heardSoFar.observe(until: origin + end - Int64(frames(margin.block + Self.onItsWay)))
        leave(now)
        publish(now)
        return report.revises && end < written ? Stretch(offset: end - written, count: written - end) : nil
    }

    /// Notes that this process was stopped until `now`, so that nobody knows what the server did meanwhile.
    mutating func stoodStill(until now: Int64) { lastAdvance = max(lastAdvance, now) }

    /// Returns the frame for which a command must be given to be heard at `frame`. The limiter's look-ahead makes it an earlier one.
    private func command(at frame: Int64) -> Frame { Frame(frame - renderer.latency.rawValue) }

    /// Treats the sink as stuck if it has taken nothing for `limit` nanoseconds. In that case returns what `halt` returns.
    mutating func stall(after limit: Int64, now: Int64) -> Stretch? { now - lastAdvance > limit ? halt(now: now) : nil }

    /// Notes that the sink takes nothing any more. Returns the stretch in which the sound that it still holds is faded out: that sound
    /// would be too old when the sink plays on.
    mutating func halt(now: Int64) -> Stretch? {
        guard mode == .live else { return nil }
        let end = renderer.position
        // The fade begins where the sink stands, and not where it should be by now.
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

    /// Fills `span` with the frames after those that were written last.
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

    /// Moves the position at which the next frames are written to the beginning of `stretch`.
    mutating func seek(_ stretch: Stretch) { written += stretch.offset }

    /// Notes that the server asks for more frames, which shows that the sink has taken some.
    mutating func wasAsked(now: Int64) {
        if mode == .live { lastAdvance = now }
        // Without revision, nothing that was written can be changed.
        if mode == .live, !report.revises { margin.observe(block: nanoseconds(Double(origin + written) - clock.position(at: now))) }
    }

    /// Says whether the server should be asked for the sink's position before a change: the answer may show that an event is still in time.
    func shouldAskFirst(now: Int64) -> Bool {
        guard mode == .live, report.revises, quantized == nil, known(now) == nil, let due = renderer.nextDue else { return false }
        return due.frame + renderer.latency < earliest(now)
    }

    /// Carries out commands. Returns the stretch that must be written again; nil where there is none.
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

    /// Returns the parts in which `stretch`, which `revise` has returned, is written. The first is the sink's next block and 5 ms more.
    func parts(of stretch: Stretch) -> ChangeParts {
        ChangeParts(of: stretch.count, first: rate.frames(in: .milliseconds(5)).rawValue + Int64(frames(margin.block)))
    }

    /// Notes that the first part of a change was written.
    mutating func wasRevised(now: Int64) {
        guard let stamp else { return }
        travels.add(now - stamp)
        report.travel = travels.median
    }

    // MARK: What the server says

    /// Learns from a reading. Returns the stretch to be written because the sink has begun to play, or because the queue is too short.
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
        // A sink that reports only steps is assumed to be a whole step ahead.
        let ahead = quantized.map { Double($0.step) + frames(timing.held) }
        margin.observe(block: nanoseconds(ahead ?? Double(origin + timing.read) - expected))
    }

    /// Returns the stretch that fills the queue to a quarter more than its length; nil where too few frames are missing, or the queue is
    /// not revised. The server itself asks only when half of the queue has been played, and between two readings the queue should not
    /// become much shorter than its length.
    private func lack(_ timing: Timing) -> Stretch? {
        let missing = queue.rawValue * 5 / 4 - (written - timing.read)
        return report.revises && missing > queue.rawValue / 8 ? Stretch(offset: 0, count: missing) : nil
    }

    /// Notes that a change, written at `moment` from frame `start` of the stream on, has arrived. Returns false if the server turns out to
    /// write changes to wrong frames.
    mutating func landed(from start: Int64, at moment: Int64, _ timing: Timing, now: Int64) -> Bool {
        unheeded = timing.written == written ? 0 : unheeded + 1
        let slack = slack(before: start, timing)
        margin.landed(flight: timing.moment - moment, slack: slack)
        let missed = slack < 0 ? max(1, mostTaken(timing) - start) : 0
        if isComingBack {
            // The faded frames are not heard as they were rendered, either.
            tell(.heard(from: command(at: origin + start + max(missed, fadeLength))))
            heardSoFar.comeBack()
        } else if missed > 0 {
            report.counters.lateRewrites += 1
            tell(.late(at: command(at: origin + start), FrameCount(missed)))
        }
        // The sink may go back for the change, and then takes its steps at other moments.
        if missed > 0 { forecast.forgetBlock() }
        publish(now)
        return unheeded < 3
    }

    /// Notes that a later part of a change, from frame `start` of the stream on, was written, and reports it if some of it came too late.
    mutating func followed(from start: Int64, _ timing: Timing) {
        guard slack(before: start, timing) < 0 else { return }
        forecast.forgetBlock()
        report.counters.lateRewrites += 1
        tell(.late(at: command(at: origin + start), FrameCount(max(1, mostTaken(timing) - start))))
    }

    /// Whether the sink will first play frames that it took before this stream began, for longer than our whole queue.
    var isBehindOthers: Bool {
        guard mode == .filling, let timing else { return false }
        return timing.read == 0 && frames(timing.held) > Double(queue.rawValue)
    }

    /// Begins to play. The frames that are heard continue at the clock's frame, even if earlier frames were lost. Returns the first stretch
    /// to be written.
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

    /// Whether sound comes back with the frames that were written last. `landed` must then be called for them.
    var isComingBack: Bool { heardSoFar.isComingBack }

    /// Notes which frames were heard: the frames that the sink has taken and no longer holds. A sink that reports only steps may hold a
    /// whole step. After the last written frame, a server plays silence.
    private mutating func hear(_ timing: Timing) {
        guard timing.read <= timing.written else { return }
        let position = Double(timing.read - (quantized?.step ?? 0)) - frames(timing.held + Self.onItsWay)
        heardSoFar.observe(until: origin + Int64(position.rounded(.down)))
    }

    /// Reports that others have changed the volume or mute. Listeners to the report learn of it at once.
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

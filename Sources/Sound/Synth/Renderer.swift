import Realtime
import Signals
import Units

/// Renders the timeline ahead of the listener, and revises it when an event comes. This is the whole work of the render thread.
///
/// Audio is rendered as far ahead as the output asks for. If an event takes effect within that time, the timeline goes back to a
/// checkpoint. The output then renders from there again, and overwrites what has not been played yet.
///
/// Thread: the render thread, which runs the output.
public struct Renderer: ~Copyable, Sendable {
    /// How far the timeline can go back from its position.
    public static let reach = Seconds(0.75)
    /// How long rendered sound is stored for meters: sound may be rendered half a second ahead, and it may take somewhat more than a second
    /// until somebody asks for its level.
    private static let memory = Seconds(2)

    /// The length of each note's sound that is stored. It is longer than the time by which a revisable output is ahead of what is heard.
    private static let notesReach = Seconds(0.25)

    private var timeline: Timeline
    private var checkpoints: Checkpoints
    private var schedule = Schedule()
    private var sent: SentFrames
    private let kept: KeptNotesMemory
    private let scratch: Scratch
    /// The rendered sound, for a `Meter`. It is what people hear, or would hear if there were a sound server.
    public let frames: RenderedFrames
    private let bank: WaveformBank?
    private let speech: SpokenSound?
    private var instructions: RingConsumer<Instruction>
    private var notices: RingProducer<Notice>
    private var reports: LatestWriter<OutputReport>
    private var lastPlaced = Frame.zero
    /// The frame before which commands may have been discarded, so that the timeline cannot go back further.
    private var retired = Frame.zero
    /// Whether the output is in use: a visitor is present, or the piece waits for a tick at an exact frame.
    public private(set) var isInUse = false

    /// Creates a renderer. `bank` and `speech` own the samples that `settings` refers to.
    public init(_ settings: EngineSettings, bank: WaveformBank? = nil, speech: SpokenSound? = nil,
                instructions: consuming RingConsumer<Instruction>, notices: consuming RingProducer<Notice>,
                reports: consuming LatestWriter<OutputReport>) {
        timeline = Timeline(settings)
        let reach = settings.rate.frames(in: Self.reach)
        checkpoints = Checkpoints(settings, reach: reach)
        sent = SentFrames(rate: settings.rate, reach: Self.memory, channels: settings.channels)
        frames = sent.reader
        kept = KeptNotesMemory(rate: settings.rate, reach: Self.notesReach, count: Notes.slots)
        scratch = Scratch()
        self.bank = bank
        self.speech = speech
        self.instructions = instructions
        self.notices = notices
        self.reports = reports
    }

    /// The number of samples in each frame.
    public var channels: Int { @_noLocks @_noAllocation get { timeline.engine.settings.channels } }

    public var rate: SampleRate { @_noLocks @_noAllocation get { timeline.engine.settings.rate } }

    /// The next frame to be rendered.
    public var position: Frame { @_noLocks @_noAllocation get { timeline.position } }

    /// The number of frames from a command to the first sample that it changes.
    public var latency: FrameCount { @_noLocks @_noAllocation get { timeline.engine.latency } }

    public var hasInstructions: Bool {
        @_noLocks @_noAllocation get { if case .some = instructions.peek() { true } else { false } }
    }

    /// When the next instruction in the queue is due, if it is an event; nil if it is not, or if the queue is empty.
    public var nextDue: Due? {
        @_noLocks @_noAllocation get { if case .event(let due, _) = instructions.peek() { due } else { nil } }
    }

    /// Renders the next `count` frames into `out`, from frame `start` on. Each command is applied at its frame.
    @_noLocks @_noAllocation
    public mutating func render(into out: inout MutableSpan<Float>, at start: Int, count: Int) {
        let from = position
        advance(to: from + FrameCount(Int64(count)), into: &out, at: start)
        sent.keep(out, at: start, count: count, as: from)
    }

    /// Takes in the instructions that other threads have sent. Each event takes effect at the frame at which it is due. But no frame before
    /// `earliest` changes, because the output can no longer change it.
    ///
    /// Returns whether sound that was rendered already changes. If so, `position` has gone back to the first frame that must be rendered
    /// again.
    @_noLocks @_noAllocation
    public mutating func revise(from earliest: Frame) -> Bool {
        let earliest = max(earliest, oldest + latency)
        retire(before: earliest)
        let first = schedule.end
        takeEvents(notBefore: Frame(earliest.rawValue - latency.rawValue))
        guard first < schedule.end else { return false }
        let from = schedule[first].frame
        // An event without commands does not change any rendered sound.
        let isRendered = from < position && schedule.hasCommands(from: first)
        if isRendered {
            restore(notAfter: from)
            skip(to: from)
            // The sound changes only after the limiter's look-ahead. So a command may be applied by that much before `earliest`, provided
            // that the frames in between do not change: the limiter may react earlier to a loud sound that is coming.
            if from < earliest, !rendersTheSame(until: earliest) {
                schedule.delay(from: first, to: earliest)
                lastPlaced = max(lastPlaced, earliest)
                restore(notAfter: from)
                skip(to: earliest)
            }
        }
        announce(from: first)
        return isRendered
    }

    /// Moves to `frame`, forward or back, without any sound. It goes back only as far as the checkpoints reach.
    @_noLocks @_noAllocation
    public mutating func move(to frame: Frame) {
        if frame < position { restore(notAfter: max(frame, oldest)) }
        skip(to: frame)
    }

    /// Sends `notice` to the code that sends instructions. The notice is lost if that code has not read notices for long.
    @_noLocks @_noAllocation
    public mutating func tell(_ notice: Notice) {
        _ = notices.push(notice)
    }

    /// Adds the engine's counters to `report`, and publishes it.
    @_noLocks @_noAllocation
    public mutating func publish(_ report: OutputReport) {
        var report = report
        report.engine = timeline.engine.counters
        reports.publish(report)
    }

    /// The earliest frame to which the timeline can go back.
    private var oldest: Frame { @_noLocks @_noAllocation get { max(checkpoints.oldest, retired) } }

    /// Discards commands that have been applied and that are not needed any more to render again from a checkpoint. In a flood of events,
    /// also discards those that are only needed to go back further than `earliest`.
    @_noLocks @_noAllocation
    private mutating func retire(before earliest: Frame) {
        schedule.retire(before: checkpoints.oldest)
        guard schedule.room < Schedule.capacity / 4 else { return }
        retired = max(retired, Frame(earliest.rawValue - latency.rawValue))
        schedule.retire(before: Frame(retired.rawValue - checkpoints.spacing))
    }

    @_noLocks @_noAllocation
    private mutating func takeEvents(notBefore earliest: Frame) {
        var due = lastPlaced
        var answers = 0
        while let next = instructions.peek() {
            switch next {
            case .event(let wanted, let gap):
                // An event is only taken if there is room for all of it: for its answer, and for its commands, which must take effect at
                // one frame.
                guard notices.room > answers, schedule.room > CommandBatch.capacity else { return }
                // An event that is due more than a second ahead has been stamped by a wrong clock. Waiting for it would hold up all later
                // events.
                let horizon = position + FrameCount(Int64(rate.hertz))
                due = max(max(wanted.frame > horizon ? earliest : wanted.frame, earliest), lastPlaced + gap)
                lastPlaced = due
                answers += 1
                _ = schedule.add(Schedule.Step(nil, at: due))
            case .command(let command):
                _ = schedule.add(Schedule.Step(command, at: due))
            case .aside(let command):
                guard schedule.room > 0 else { return }
                due = max(earliest, lastPlaced)
                lastPlaced = due
                _ = schedule.add(Schedule.Step(command, at: due))
            case .inUse(let now): isInUse = now
            }
            instructions.drop()
        }
    }

    @_noLocks @_noAllocation
    private mutating func announce(from first: Int) {
        for number in first..<schedule.end where schedule[number].command == nil {
            tell(.placed(schedule[number].frame))
        }
    }

    /// Goes back to the last checkpoint at or before `frame`. `frame` must not be before `oldest`.
    @_noLocks @_noAllocation
    private mutating func restore(notAfter frame: Frame) {
        guard checkpoints.restore(&timeline, notAfter: frame) else {
            preconditionFailure("the checkpoints reach as far back as any revision")
        }
        schedule.rewind(to: position)
    }

    /// Renders up to `frame`, without any output; only the meter sees the sound.
    @_noLocks @_noAllocation
    private mutating func skip(to frame: Frame) {
        while position < frame {
            let end = min(frame, position + FrameCount(Int64(scratch.samples.count / channels)))
            let from = position
            var span = scratch.samples.mutableSpan
            advance(to: end, into: &span, at: 0)
            sent.keep(span, at: 0, count: Int((end - from).rawValue), as: from)
        }
    }

    /// Renders up to `frame`. Returns whether the samples are the same as those rendered before.
    @_noLocks @_noAllocation
    private mutating func rendersTheSame(until frame: Frame) -> Bool {
        while position < frame {
            let from = position
            let end = min(frame, from + FrameCount(Int64(scratch.samples.count / channels)))
            var span = scratch.samples.mutableSpan
            advance(to: end, into: &span, at: 0)
            guard sent.agree(with: span, count: Int((end - from).rawValue), from: from) else { return false }
        }
        return true
    }

    @_noLocks @_noAllocation
    private mutating func advance(to end: Frame, into out: inout MutableSpan<Float>, at start: Int) {
        var written = start
        while position < end {
            checkpoints.keep(&timeline)
            let stop = min(end, checkpoints.next(after: position))
            while let (step, number) = schedule.next(before: stop) {
                written += timeline.render(until: step.frame, into: &out, at: written, kept.notes)
                if let command = step.command { timeline.apply(command, number: number) }
                schedule.advance()
            }
            written += timeline.render(until: stop, into: &out, at: written, kept.notes)
        }
    }
}

/// Room for samples that are rendered but not heard.
// Safe to send: the samples belong to this value alone, which cannot be copied.
private struct Scratch: ~Copyable, @unchecked Sendable {
    let samples: UnsafeMutableBufferPointer<Float>

    init() {
        samples = .allocate(capacity: 512)
        samples.initialize(repeating: 0)
    }

    deinit { samples.deallocate() }
}

/// A message to the render thread. It contains no pointers, and is sent through a ring.
@frozen
public enum Instruction: Sendable, BitwiseCopyable {
    /// An event, which is due as `due` says, but at least `gap` frames after the event before it. Its commands follow this instruction, and
    /// a `Notice.placed` answers it.
    case event(due: Due, gap: FrameCount)
    case command(SynthCommand)
    /// A command that belongs to no event and is not answered. It takes effect as soon as possible.
    case aside(SynthCommand)
    /// Says whether the output is in use: a visitor is present, or the piece waits for a tick at an exact frame. An output that is not in
    /// use may queue more sound.
    case inUse(Bool)
}

/// A message from the render thread to the code that sends it instructions. It contains no pointers, and is sent through a ring.
@frozen
public enum Notice: Sendable, BitwiseCopyable {
    /// Answers the oldest event that has no answer yet: the event takes effect at this frame.
    case placed(Frame)
    /// A change, which was due at the frame `at`, was written too late, or may have been: from this frame on, at most this many frames were
    /// played without it.
    case late(at: Frame, FrameCount)
    /// Silence has begun. Sound before this frame was certainly heard; from this frame on it is not, or may not have been.
    case silent(from: Frame)
    /// Silence has ended: from this frame on, rendered sound is heard again.
    case heard(from: Frame)
}

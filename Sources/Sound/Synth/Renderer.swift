import Realtime
import Signals
import Units

/// Renders the timeline ahead of the listener, and revises it when an event comes: the render thread's side of everything.
///
/// Audio is rendered as far ahead as the output wants it. An event that takes effect before that takes the timeline back to a checkpoint;
/// the output renders from there again and overwrites what was not played yet.
///
/// Thread: render, which is the thread that runs the output.
public struct Renderer: ~Copyable, Sendable {
    /// How far back from its position the timeline can go.
    public static let reach = Seconds(0.75)
    /// How long rendered sound is kept for meters: the half second that it may be rendered ahead, and more than the second that may pass
    /// until somebody asks for its level.
    private static let memory = Seconds(2)

    /// How much of each note is kept: more than a revisable output is ahead of what is heard.
    private static let notesReach = Seconds(0.25)

    private var timeline: Timeline
    private var checkpoints: Checkpoints
    private var schedule = Schedule()
    private var sent: SentFrames
    private let kept: KeptNotesMemory
    private let scratch: Scratch
    /// The sound that is heard, or would be with a sound server, for a `Meter`.
    public let frames: RenderedFrames
    private let bank: WaveformBank?
    private var instructions: RingConsumer<Instruction>
    private var notices: RingProducer<Notice>
    private var reports: LatestWriter<OutputReport>
    private var lastPlaced = Frame.zero
    /// The frame before which steps may be gone.
    private var retired = Frame.zero
    /// Whether a session is under way.
    public private(set) var hasVisitor = false

    /// Creates a renderer. `bank` owns the waveforms of `settings`.
    public init(_ settings: EngineSettings, bank: WaveformBank? = nil, instructions: consuming RingConsumer<Instruction>,
                notices: consuming RingProducer<Notice>, reports: consuming LatestWriter<OutputReport>) {
        timeline = Timeline(settings)
        let reach = settings.rate.frames(in: Self.reach)
        checkpoints = Checkpoints(settings, reach: reach)
        sent = SentFrames(rate: settings.rate, reach: Self.memory, channels: settings.channels)
        frames = sent.reader
        kept = KeptNotesMemory(rate: settings.rate, reach: Self.notesReach, count: Notes.slots)
        scratch = Scratch()
        self.bank = bank
        self.instructions = instructions
        self.notices = notices
        self.reports = reports
    }

    /// The number of samples in a frame.
    public var channels: Int { @_noLocks @_noAllocation get { timeline.engine.settings.channels } }

    public var rate: SampleRate { @_noLocks @_noAllocation get { timeline.engine.settings.rate } }

    /// The next frame to be rendered.
    public var position: Frame { @_noLocks @_noAllocation get { timeline.position } }

    /// Frames from a command to its first sample.
    public var latency: FrameCount { @_noLocks @_noAllocation get { timeline.engine.latency } }

    public var hasInstructions: Bool {
        @_noLocks @_noAllocation get { if case .some = instructions.peek() { true } else { false } }
    }

    /// When the next event in the queue is due; nil when there is none.
    public var nextDue: Due? {
        @_noLocks @_noAllocation get { if case .event(let due, _) = instructions.peek() { due } else { nil } }
    }

    /// Renders the next `count` frames into `out` from frame `start` on, each command on its frame.
    @_noLocks @_noAllocation
    public mutating func render(into out: inout MutableSpan<Float>, at start: Int, count: Int) {
        let from = position
        advance(to: from + FrameCount(Int64(count)), into: &out, at: start)
        sent.keep(out, at: start, count: count, as: from)
    }

    /// Takes in the instructions of the control side. Each event takes effect at the frame at which it is due, but changes nothing before
    /// `earliest`, because that cannot be changed any more.
    ///
    /// Returns whether rendered sound changes. If so, `position` has gone back to the first frame that has to be rendered again.
    @_noLocks @_noAllocation
    public mutating func revise(from earliest: Frame) -> Bool {
        let earliest = max(earliest, oldest + latency)
        retire(before: earliest)
        let first = schedule.end
        takeEvents(notBefore: Frame(earliest.rawValue - latency.rawValue))
        guard first < schedule.end else { return false }
        let from = schedule[first].frame
        // Events that change no sound change nothing that was rendered.
        let isRendered = from < position && schedule.hasCommands(from: first)
        if isRendered {
            restore(notAfter: from)
            skip(to: from)
            // A command shows the limiter's look-ahead later, so it may act that much before `earliest`, if the frames
            // between come out as they were: the limiter may see a loud one coming.
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

    /// Moves to `frame`, back or forward, without anything being heard; back no further than it can.
    @_noLocks @_noAllocation
    public mutating func move(to frame: Frame) {
        if frame < position { restore(notAfter: max(frame, oldest)) }
        skip(to: frame)
    }

    /// Sends a notice to the control side. It is lost when nobody has listened for long.
    @_noLocks @_noAllocation
    public mutating func tell(_ notice: Notice) {
        _ = notices.push(notice)
    }

    /// Publishes `report`, completed with the engine's own counters.
    @_noLocks @_noAllocation
    public mutating func publish(_ report: OutputReport) {
        var report = report
        report.engine = timeline.engine.counters
        reports.publish(report)
    }

    /// The first frame to which the timeline can go back.
    private var oldest: Frame { @_noLocks @_noAllocation get { max(checkpoints.oldest, retired) } }

    /// Discards steps that are done: those that no checkpoint could bring back, and only in a flood all that are not needed for going back
    /// to `earliest`.
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
                // An event is taken whole or not yet: it is answered, and its commands belong on one frame.
                guard notices.room > answers, schedule.room > CommandBatch.capacity else { return }
                // One that is due further ahead than a second was stamped by a clock gone wrong; waiting for it would
                // hold up all others.
                let horizon = position + FrameCount(Int64(rate.hertz))
                due = max(max(wanted.frame > horizon ? earliest : wanted.frame, earliest), lastPlaced + gap)
                lastPlaced = due
                answers += 1
                _ = schedule.add(Schedule.Step(nil, at: due))
            case .command(let command):
                _ = schedule.add(Schedule.Step(command, at: due))
            case .visitor(let present): hasVisitor = present
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

    /// Goes back to the last checkpoint at or before `frame`, which is not before the oldest.
    @_noLocks @_noAllocation
    private mutating func restore(notAfter frame: Frame) {
        guard checkpoints.restore(&timeline, notAfter: frame) else {
            preconditionFailure("the checkpoints reach as far back as any revision")
        }
        schedule.rewind(to: position)
    }

    /// Renders up to `frame` for the meter only.
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

    /// Renders up to `frame`. Returns whether the samples equal those that were sent before.
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

/// Samples that nobody hears.
// Safe to send, because the samples belong to this value alone, and it cannot be copied.
private struct Scratch: ~Copyable, @unchecked Sendable {
    let samples: UnsafeMutableBufferPointer<Float>

    init() {
        samples = .allocate(capacity: 512)
        samples.initialize(repeating: 0)
    }

    deinit { samples.deallocate() }
}

/// A message of the control side to the render thread. Plain bits, through a ring.
@frozen
public enum Instruction: Sendable, BitwiseCopyable {
    /// An event and when it is due, but not earlier than `gap` after the event before it. Its commands follow, and `Notice.placed` answers
    /// it.
    case event(due: Due, gap: FrameCount)
    case command(SynthCommand)
    /// Whether a session is under way.
    case visitor(present: Bool)
}

/// A message of the render thread to the control side. Plain bits, through a ring.
@frozen
public enum Notice: Sendable, BitwiseCopyable {
    /// The next event in order takes effect at this frame.
    case placed(Frame)
    /// A change was written too late, or may have been: at most this many frames from its own on were played without it.
    case late(at: Frame, FrameCount)
    /// Nothing that is rendered is heard from this frame on, as far as is certain.
    case silent(from: Frame)
    /// Rendered sound is heard again from this frame on.
    case heard(from: Frame)
}

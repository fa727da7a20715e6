import Realtime
import Signals
import Units

/// The timeline rendered ahead of the listener, and revised when an event comes: the render thread's side of everything.
///
/// Audio is rendered as far ahead as the output wants it. An event that takes effect before that takes the timeline back
/// to a checkpoint, and the output renders from there again and overwrites what was not played yet.
///
/// Thread: render, whichever thread runs the output.
public struct Renderer: ~Copyable, Sendable {
    /// How far back from its position it can go.
    public static let reach = Seconds(0.75)
    /// How long what is rendered is kept for meters: the half second that it may be rendered ahead, and more than the second that may pass
    /// until somebody asks how loud it was.
    private static let memory = Seconds(2)

    /// How much of each note is kept: more than outputs that can be revised are ahead of what is heard.
    private static let notesReach = Seconds(0.25)

    private var timeline: Timeline
    private var checkpoints: Checkpoints
    private var schedule = Schedule()
    private var sent: SentFrames
    private let kept: KeptNotesMemory
    private let scratch: Scratch
    /// What is heard, or would be if there were a sound server, for a `Meter`.
    public let frames: RenderedFrames
    private let bank: WaveformBank?
    private var instructions: RingConsumer<Instruction>
    private var notices: RingProducer<Notice>
    private var reports: LatestWriter<OutputReport>
    private var lastPlaced = Frame.zero
    /// Steps before this frame may be gone.
    private var retired = Frame.zero
    /// Whether a session is under way.
    public private(set) var hasVisitor = false

    /// `bank` is what `settings` has its waveforms from.
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

    /// Samples a frame.
    public var channels: Int { @_noLocks @_noAllocation get { timeline.engine.settings.channels } }

    public var rate: SampleRate { @_noLocks @_noAllocation get { timeline.engine.settings.rate } }

    /// The next frame to be rendered.
    public var position: Frame { @_noLocks @_noAllocation get { timeline.position } }

    /// Frames from a command to its first sample.
    public var latency: FrameCount { @_noLocks @_noAllocation get { timeline.engine.latency } }

    public var hasInstructions: Bool {
        @_noLocks @_noAllocation get { if case .some = instructions.peek() { true } else { false } }
    }

    /// When the next event to be taken in is due.
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

    /// Takes in what the control side has sent. Each event takes effect at the frame it is due at, but changes nothing
    /// before `earliest`, because that cannot be changed any more.
    ///
    /// Returns whether something changes that had been rendered already: then `position` has gone back to the first
    /// frame that has to be rendered again.
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

    /// Goes to `frame`, back or on, without anything being heard; back no further than it can.
    @_noLocks @_noAllocation
    public mutating func move(to frame: Frame) {
        if frame < position { restore(notAfter: max(frame, oldest)) }
        skip(to: frame)
    }

    /// Tells the control side something. Lost when nobody has listened for long.
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

    /// The first frame it can go back to.
    private var oldest: Frame { @_noLocks @_noAllocation get { max(checkpoints.oldest, retired) } }

    /// Lets go of what is done: what no checkpoint could bring back, and only in a flood all that is not needed for going
    /// back to `earliest`.
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

    /// Back to the last checkpoint at or before `frame`, which is not before the oldest.
    @_noLocks @_noAllocation
    private mutating func restore(notAfter frame: Frame) {
        guard checkpoints.restore(&timeline, notAfter: frame) else {
            preconditionFailure("the checkpoints reach as far back as any revision")
        }
        schedule.rewind(to: position)
    }

    /// Renders up to `frame` for nobody but the meter.
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

    /// Renders up to `frame`, and says whether the samples are those that were sent before.
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

/// Frames nobody hears.
// Safe to send, because the samples belong to this value alone, and it cannot be copied.
private struct Scratch: ~Copyable, @unchecked Sendable {
    let samples: UnsafeMutableBufferPointer<Float>

    init() {
        samples = .allocate(capacity: 512)
        samples.initialize(repeating: 0)
    }

    deinit { samples.deallocate() }
}

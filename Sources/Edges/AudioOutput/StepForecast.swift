import Units

/// Foretells the steps of a sink that takes the next one at the moment the last one has been played, as PulseAudio's null sink does.
///
/// A step is a block long. If the frames of one write end within the block, the sink takes those, and after them up to a whole block of the
/// next write (PulseAudio 16.1: module-null-sink.c, process_render; sink-input.c, pa_sink_input_peek). So one answer of the server tells
/// all steps that follow, once the block is known. The block is learned, and each answer is compared with what was foretold: for a sink
/// that takes frames in another way nothing is foretold. An answer may be held up, and then its moment is too late, but none is too early:
/// the steps are as early as any of the answers said. Positions are frames of the stream; times are nanoseconds.
struct StepForecast {
    /// The frames at which writes begin, in ascending order.
    private var seams = InlineArray<64, Int64>(repeating: 0)
    private var count = 0
    /// The greatest common divisor of all steps within one write, in frames; 0 when none has been seen.
    private var block: Int64 = 0
    /// The sink's position by the last answer that said when the next step is; nil before the first.
    private var standing: Standing?
    /// The moment of that answer.
    private var lastAnswer: Int64 = 0
    /// The number of answers in a row that were foretold.
    private var confirmations = 0
    /// The longest time, in nanoseconds, for which the sink still had frames to play.
    private var longestHeld: Int64 = 0
    private let rate: Int64

    /// The confirmations that suffice: a wrong block is found out by every second answer or so.
    private static let enough = 8
    /// The least block, in frames: a smaller divisor is that of two kinds of steps.
    private static let leastBlock: Int64 = 16
    /// The longest time, in nanoseconds, for which an answer says anything: after it clocks may have drifted.
    private static let longest: Int64 = 100_000_000

    /// The position of a sink after a step, and the moment of the next.
    private struct Standing {
        var read: Int64
        var next: Int64
    }

    init(rate: SampleRate) { self.rate = Int64(rate.hertz) }

    /// Whether the block is certain enough. Answers in step with the sink may make many blocks look like one; but the sink never holds half
    /// as much as that.
    private var isReliable: Bool { confirmations >= Self.enough && 2 * longestHeld >= nanoseconds(block) }

    /// Notes that a write begins at `start`. What had been written from there on is written anew.
    mutating func wrote(from start: Int64) {
        while count > 0, seams[count - 1] >= start { count -= 1 }
        if count == seams.count {
            for index in 1..<count { seams[index - 1] = seams[index] }
            count -= 1
        }
        seams[count] = start
        count += 1
    }

    /// Learns from the server's reading. `doubt`: the nanoseconds by which a moment may be off.
    mutating func observe(_ timing: Timing, doubt: Int64) {
        // A sink that is late for a step does not say when it was due. What was foretold stands.
        guard timing.held > 0 else { return }
        var now = Standing(read: timing.read, next: timing.moment + timing.held)
        defer { (standing, lastAnswer) = (now, timing.moment) }
        guard let before = standing, timing.moment - lastAnswer < Self.longest else { return forgetBlock() }
        // No sink takes a second's frames in that time, whatever the server says; one that goes back takes other steps.
        let taken = timing.read - before.read
        guard (0...rate).contains(taken) else { return forgetBlock() }
        if taken > 0, seam(after: before.read) >= timing.read { block = commonDivisor(block, taken) }
        // What it has taken is no longer than a step, and that shorter than two blocks.
        guard block >= Self.leastBlock, timing.held < 2 * nanoseconds(block) else { return forgetBlock() }
        longestHeld = max(longestHeld, timing.held)
        let foretold = reached(timing.read, from: before)
        guard foretold.read == timing.read, (-doubt...nanoseconds(block) / 2).contains(now.next - foretold.next)
        else { return forgetBlock() }
        now.next = min(now.next, foretold.next)
        if taken > 0 { confirmations = min(confirmations + 1, Self.enough) }
    }

    /// Forgets what was learned about the sink's steps.
    mutating func forgetBlock() { (block, confirmations, longestHeld) = (0, 0, 0) }

    /// Starts anew with another stream, of which nothing has been written.
    mutating func forget() {
        forgetBlock()
        standing = nil
        count = 0
    }

    /// The frame up to which the sink will have taken frames at `moment`; nil when that cannot be foretold.
    func read(at moment: Int64) -> Int64? {
        guard isReliable, var standing, moment - lastAnswer < Self.longest else { return nil }
        while standing.next <= moment { standing = step(standing) }
        return standing.read
    }

    /// The moment at which the sink takes the step that begins with frame `start`; nil when that cannot be foretold, or if none does.
    func moment(of start: Int64) -> Int64? {
        guard isReliable, let standing, start - standing.read <= rate else { return nil }
        let reached = reached(start, from: standing)
        return reached.read == start ? reached.next : nil
    }

    /// The position after the step that takes the frame before `frame`.
    private func reached(_ frame: Int64, from standing: Standing) -> Standing {
        var standing = standing
        while standing.read < frame { standing = step(standing) }
        return standing
    }

    private func step(_ standing: Standing) -> Standing {
        var (read, next) = (standing.read, standing.next)
        while read - standing.read < block {
            let frames = min(block, seam(after: read) - read)
            read += frames
            next += nanoseconds(frames)
        }
        return Standing(read: read, next: next)
    }

    /// The time of so many frames, as the server counts it: in whole microseconds.
    private func nanoseconds(_ frames: Int64) -> Int64 { frames * 1_000_000 / rate * 1_000 }

    private func seam(after frame: Int64) -> Int64 {
        for index in 0..<count where seams[index] > frame { return seams[index] }
        return .max
    }
}

/// The greatest common divisor; of 0 and a number, that number.
func commonDivisor(_ a: Int64, _ b: Int64) -> Int64 {
    var (a, b) = (abs(a), abs(b))
    while b != 0 { (a, b) = (b, a % b) }
    return a
}

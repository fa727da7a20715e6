import Units

/// Predicts the steps of a sink that takes the next frames at the moment when the last ones were played, as PulseAudio's null sink does.
///
/// A step is one block long. If the frames of one write end within the block, the sink takes those, and then up to a whole block of the
/// next write (PulseAudio 16.1: module-null-sink.c, process_render; sink-input.c, pa_sink_input_peek). So once the block is known, one
/// answer of the server determines all later steps. The block is learned, and each answer is compared with the prediction; for a sink that
/// takes frames in another way, nothing is predicted. An answer may be delayed and its moment be too late, but it is never too early, so
/// the earliest moments are used. Positions are frames of the stream; times are nanoseconds.
struct StepForecast {
    /// The frames at which writes begin, in ascending order.
    private var seams = InlineArray<64, Int64>(repeating: 0)
    private var count = 0
    /// The greatest common divisor of all steps within one write, in frames; 0 when no step has been seen.
    private var block: Int64 = 0
    /// The sink's position by the last answer from which the time of the next step is known; nil before the first such answer.
    private var standing: Standing?
    /// The moment of the last answer from which the time of the next step was known.
    private var lastAnswer: Int64 = 0
    /// The number of consecutive answers that were predicted correctly.
    private var confirmations = 0
    /// The longest time, in nanoseconds, for which the sink still had frames to play in any reading.
    private var longestHeld: Int64 = 0
    private let rate: Int64

    /// The number of confirmations that are enough: about every second answer exposes a wrong block.
    private static let enough = 8
    /// The smallest length of a block that is believed, in frames. If the common divisor of all steps is smaller, the steps are of two
    /// different sizes.
    private static let leastBlock: Int64 = 16
    /// The longest time, in nanoseconds, for which an answer is used, because clocks drift.
    private static let longest: Int64 = 100_000_000

    /// The position of a sink after a step, and the moment of the next step.
    private struct Standing {
        var read: Int64
        var next: Int64
    }

    init(rate: SampleRate) { self.rate = Int64(rate.hertz) }

    /// Whether the block is certain enough. Answers in step with the sink may make several blocks look like one block; but then the sink
    /// never holds half of that block in any answer.
    private var isReliable: Bool { confirmations >= Self.enough && 2 * longestHeld >= nanoseconds(block) }

    /// Notes that a write begins at `start`, over what had been written from there on.
    mutating func wrote(from start: Int64) {
        while count > 0, seams[count - 1] >= start { count -= 1 }
        if count == seams.count {
            for index in 1..<count { seams[index - 1] = seams[index] }
            count -= 1
        }
        seams[count] = start
        count += 1
    }

    /// Learns from a reading. `doubt` is the possible error of a moment, in nanoseconds.
    mutating func observe(_ timing: Timing, doubt: Int64) {
        // A sink that is late for a step does not say when the step was due. The prediction is kept.
        guard timing.held > 0 else { return }
        var now = Standing(read: timing.read, next: timing.moment + timing.held)
        defer { (standing, lastAnswer) = (now, timing.moment) }
        guard let before = standing, timing.moment - lastAnswer < Self.longest else { return forgetBlock() }
        // No sink takes a second's frames in this time, whatever the server says. A sink that goes back takes other steps.
        let taken = timing.read - before.read
        guard (0...rate).contains(taken) else { return forgetBlock() }
        if taken > 0, seam(after: before.read) >= timing.read { block = commonDivisor(block, taken) }
        // What the sink holds is at most one step, and a step is shorter than two blocks.
        guard block >= Self.leastBlock, timing.held < 2 * nanoseconds(block) else { return forgetBlock() }
        longestHeld = max(longestHeld, timing.held)
        let foretold = reached(timing.read, from: before)
        guard foretold.read == timing.read, (-doubt...nanoseconds(block) / 2).contains(now.next - foretold.next)
        else { return forgetBlock() }
        now.next = min(now.next, foretold.next)
        if taken > 0 { confirmations = min(confirmations + 1, Self.enough) }
    }

    /// Discards everything that was learned about the sink's steps.
    mutating func forgetBlock() { (block, confirmations, longestHeld) = (0, 0, 0) }

    /// Starts again with another stream, to which nothing was written yet.
    mutating func forget() {
        forgetBlock()
        standing = nil
        count = 0
    }

    /// Returns the frame up to which the sink will have taken frames at `moment`; nil when that cannot be predicted.
    func read(at moment: Int64) -> Int64? {
        guard isReliable, var standing, moment - lastAnswer < Self.longest else { return nil }
        while standing.next <= moment { standing = step(standing) }
        return standing.read
    }

    /// Returns the moment at which the sink takes the step that begins with frame `start`; nil when that cannot be predicted, or no step
    /// begins there.
    func moment(of start: Int64) -> Int64? {
        guard isReliable, let standing, start - standing.read <= rate else { return nil }
        let reached = reached(start, from: standing)
        return reached.read == start ? reached.next : nil
    }

    /// Returns the position after the step that takes the frame before `frame`.
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

    /// Returns the duration of so many frames as the server counts it: rounded down to whole microseconds.
    private func nanoseconds(_ frames: Int64) -> Int64 { frames * 1_000_000 / rate * 1_000 }

    private func seam(after frame: Int64) -> Int64 {
        for index in 0..<count where seams[index] > frame { return seams[index] }
        return .max
    }
}

/// Returns the greatest common divisor. That of 0 and a number is the number.
func commonDivisor(_ a: Int64, _ b: Int64) -> Int64 {
    var (a, b) = (abs(a), abs(b))
    while b != 0 { (a, b) = (b, a % b) }
    return a
}

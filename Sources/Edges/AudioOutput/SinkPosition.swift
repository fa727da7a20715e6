import Units

/// The position of a stream, as reported by a sound server or card, in frames of the stream from its start.
struct Timing {
    /// The number of frames that the sink has taken.
    var read: Int64
    /// The number of frames that were written, by the server's count.
    var written: Int64
    /// The time for which the sink will play the frames that it has taken, in nanoseconds.
    var held: Int64
    /// The time of the reading, in nanoseconds of CLOCK_MONOTONIC.
    var moment: Int64
}

// What is certain about the sink's position, and which frames can still be changed.
extension Player {
    /// Returns the first frame that can certainly be changed.
    func earliest(_ now: Int64) -> Frame {
        if let known = known(now) { return Frame(known) }
        if let quantized, let timing {
            return Frame(origin + quantized.taken(by: edge(at: now + delays.flight + 2 * doubt, timing), seen: timing.read))
        }
        let guessed = Int64((clock.position(at: now) + frames(delays.heardToChangeable)).rounded(.up))
        return Frame(max(guessed, origin + (timing?.read ?? 0)))
    }

    /// Returns the first frame that can certainly be changed, according to the server's last reading. Returns nil where that is not known:
    /// the sink may take more before a change arrives.
    func known(_ now: Int64) -> Int64? {
        guard quantized == nil, !isCard, let timing else { return nil }
        return now + delays.flight < timing.moment + timing.held - delays.reserve ? origin + timing.read : nil
    }

    /// Returns how early a change from frame `start` on has arrived, in nanoseconds. It is the time from `timing`, a reading made after the
    /// change, until the sink would have taken that frame. Negative when the sink had taken the frame, or may have.
    func slack(before start: Int64, _ timing: Timing) -> Int64 {
        if let quantized {
            return nanoseconds(quantized.slack(to: start, at: edge(at: timing.moment + doubt, timing), seen: timing.read))
        }
        if isCard { return nanoseconds(Double(start - timing.read)) - Self.prefetch }
        guard start == timing.read else { return nanoseconds(Double(start - timing.read)) }
        // PulseAudio's sink goes back as far as it can for a change that came too late, and yet a frame or two may have been played before
        // (observed with 16.1). So a sink that stands where the change begins proves nothing if it could have gone on meanwhile.
        guard let before = self.timing else { return -1 }
        let step = before.moment + before.held - delays.reserve
        return min(0, step - Self.timer - timing.moment)
    }

    /// Returns up to which frame of the stream the sink may have taken frames before a change that came too late.
    func mostTaken(_ timing: Timing) -> Int64 {
        if let quantized { return quantized.taken(by: edge(at: timing.moment + doubt, timing), seen: timing.read) }
        let most = clock.position(at: timing.moment) + frames(delays.block)
        return max(timing.read + (isCard ? Int64(frames(Self.prefetch)) : 2), Int64(most.rounded(.up)) - origin)
    }

    /// Returns the frame at which the sink will take its next step, by the clock and by the earliest steps that were seen.
    private func edge(at moment: Int64, _ timing: Timing) -> Double {
        let line = line(at: moment, timing)
        return max(line, quantized?.least(at: moment, rate: clock.rate) ?? line)
    }

    private func line(at moment: Int64, _ timing: Timing) -> Double { clock.position(at: moment) - Double(origin) + frames(timing.held) }

    /// The possible error of the frame that `edge` returns, in nanoseconds: between two steps nothing shows where the next one begins.
    /// Where steps are large, a larger allowance costs little.
    private var doubt: Int64 { max(Self.leastDoubt, delays.block / 16) }

    /// Returns the nanoseconds that an event needs in addition to the learned `delays`, if the sink advances in steps; 0 for other sinks.
    func caution(_ now: Int64) -> Int64 {
        guard quantized != nil else { return 0 }
        return 2 * doubt + (timing.map { nanoseconds(edge(at: now, $0) - line(at: now, $0)) } ?? 0)
    }
}

/// The position of a sink that takes whole blocks and reports only how many it has taken, as PipeWire does. Its steps follow an even line
/// of frames over time, and between two steps nothing shows how far along that line it is.
///
/// Positions are frames of the stream. When the line has passed a position, the step that begins there has been taken. A step may be late,
/// when the machine stands still for a moment, but never early. So if steps come before the clock's line, that line is behind, and the
/// earliest step shows by how much. The same holds for a server that resamples and takes uneven steps, whose common divisor is small.
struct QuantizedPosition {
    private let least: Int64
    private var first: Int64?
    /// The greatest common divisor of all differences between the positions seen; 0 before there are two.
    private var divisor: Int64 = 0
    /// The earliest steps in the last two to four seconds, in two halves. Older steps say less, because clocks drift.
    private var earlier: Sighting?
    private var recent: Sighting?
    private var turn: Int64 = 0

    private static let half: Int64 = 2_000_000_000

    /// An observation: at `moment`, in nanoseconds, the line of frames over time was at `position` or beyond.
    private struct Sighting {
        var position: Double
        var moment: Int64

        func position(at moment: Int64, rate: Double) -> Double { position + Double(moment - self.moment) * rate }
    }

    /// The block size that PipeWire does not usually exceed: its default.clock.max-quantum, in frames.
    private static let usuallyLargest: Int64 = 2_048

    /// Starts before any step was seen. `least` is the block that was requested of the server, in frames, and the shortest step that is
    /// assumed. The server may in fact use larger blocks, or smaller ones for the sake of another client.
    init(least: FrameCount) { self.least = least.rawValue }

    /// The assumed size of a step, in frames: at least `least`, and at least 2,048 until two different positions were seen.
    var step: Int64 { max(least, divisor == 0 ? Self.usuallyLargest : divisor) }

    /// Learns that the sink has taken all frames before `position`.
    mutating func observe(_ position: Int64) {
        guard let first else { return first = position }
        divisor = commonDivisor(divisor, position - first)
    }

    /// Learns that the sink had taken all frames before `position` at `moment` (nanoseconds). The line advances `rate` frames per
    /// nanosecond.
    mutating func observe(_ position: Int64, at moment: Int64, rate: Double) {
        let sighting = Sighting(position: Double(position - step), moment: moment)
        if recent == nil || moment - turn > Self.half {
            (earlier, recent, turn) = (recent, sighting, moment)
        } else if let recent, recent.position(at: moment, rate: rate) < sighting.position {
            self.recent = sighting
        }
    }

    /// Returns the position that the line has certainly reached at `moment` (nanoseconds), in frames; nil before any step was seen at a
    /// known time. The line advances `rate` frames per nanosecond.
    func least(at moment: Int64, rate: Double) -> Double? {
        guard let recent = recent?.position(at: moment, rate: rate) else { return nil }
        return max(recent, earlier?.position(at: moment, rate: rate) ?? recent)
    }

    /// Discards the steps seen, because they say nothing about where the line is now.
    mutating func stoodStill() { (earlier, recent) = (nil, nil) }

    mutating func forget() { self = QuantizedPosition(least: FrameCount(least)) }

    /// Returns the frame up to which the sink may have taken frames when the line is at `position`. `seen` is the sink's last known
    /// position.
    func taken(by position: Double, seen: Int64) -> Int64 {
        let ahead = position - Double(seen)
        return seen + max(0, Int64((ahead / Double(step)).rounded(.up))) * step
    }

    /// Returns how many frames the line, at `position`, must still advance until the step that contains `frame` is taken; negative when
    /// that may have been taken already.
    func slack(to frame: Int64, at position: Double, seen: Int64) -> Double {
        let steps = (Double(frame - seen) / Double(step)).rounded(.down)
        let slack = Double(seen) + steps * Double(step) - position
        return frame < seen ? min(slack, -1) : slack
    }
}

/// The part of the timeline that was certainly heard. Positions are frames of the output.
struct Heard {
    private enum State {
        case silent
        /// Frames with sound were written after silence, but it is not known yet whether they came in time.
        case comingBack
        case audible
    }

    private var state = State.silent
    /// The frame before which every frame was heard, or lies in a known gap.
    private var certain: Int64 = 0

    var isComingBack: Bool { state == .comingBack }

    /// Learns that all frames before `frame` were played.
    mutating func observe(until frame: Int64) { certain = max(certain, frame) }

    /// Notes that nothing is heard any more. Returns the first frame that was not heard; nil if nothing was audible before.
    mutating func lose() -> Int64? {
        defer { state = .silent }
        return state == .audible ? certain : nil
    }

    mutating func awaitLanding() { state = .comingBack }

    mutating func comeBack() { state = .audible }

    /// Returns the frame before which it is known of every frame whether it was heard. `now` is the clock's frame.
    func settled(now: Int64) -> Int64 { state == .audible ? certain : now }
}

/// Returns the greatest common divisor. That of 0 and a number is the number.
private func commonDivisor(_ a: Int64, _ b: Int64) -> Int64 {
    var (a, b) = (abs(a), abs(b))
    while b != 0 { (a, b) = (b, a % b) }
    return a
}

import Units

/// A reading of where a stream stands, by a sound server or a card, in frames of the stream from its start.
struct Timing {
    /// The frames taken by the sink.
    var read: Int64
    /// The frames written, by the server's count.
    var written: Int64
    /// The time for which the sink still plays what it has taken, in nanoseconds.
    var held: Int64
    /// The time of the reading, CLOCK_MONOTONIC in nanoseconds.
    var moment: Int64
}

// Where the sink is, as far as is certain, and what can still be changed.
extension Player {
    /// The first frame that can certainly be changed.
    func earliest(_ now: Int64) -> Frame {
        if let known = known(now) { return Frame(known) }
        if let quantized, let timing {
            return Frame(origin + quantized.taken(by: edge(at: now + margin.flight + 2 * doubt, timing), seen: timing.read))
        }
        let guessed = Int64((clock.position(at: now) + frames(margin.reach)).rounded(.up))
        return Frame(max(guessed, origin + (timing?.read ?? 0)))
    }

    /// The first frame that can certainly be changed, by the server's last reading; nil unless the sink takes nothing more before a change
    /// has arrived, or its steps can be foretold.
    func known(_ now: Int64) -> Int64? {
        guard quantized == nil, !isCard, let timing else { return nil }
        let arrival = now + margin.flight
        if arrival < timing.moment + timing.held - margin.reserve { return origin + timing.read }
        return margin.reserve == 0 ? forecast.read(at: arrival).map { origin + $0 } : nil
    }

    /// Returns how early a change from frame `start` on arrived: the nanoseconds from the reading `timing`, which the server gave after it,
    /// until the sink would have taken that frame. Negative when the sink had taken it, or may have.
    func slack(before start: Int64, _ timing: Timing) -> Int64 {
        if let quantized {
            return nanoseconds(quantized.slack(to: start, at: edge(at: timing.moment + doubt, timing), seen: timing.read))
        }
        if isCard { return nanoseconds(Double(start - timing.read)) - Self.prefetch }
        guard start == timing.read else { return nanoseconds(Double(start - timing.read)) }
        // PulseAudio's sink goes back, as far as it can, for a change that came too late, and yet a frame or two may have been
        // handed on (observed with 16.1). So that it stands where the change begins proves nothing if it could have gone on.
        guard let before = self.timing else { return -1 }
        let step = forecast.moment(of: start) ?? before.moment + before.held - margin.reserve
        return min(0, step - Self.timer - timing.moment)
    }

    /// The most frames of the stream that the sink may have taken before a change that came too late.
    func mostTaken(_ timing: Timing) -> Int64 {
        if let quantized { return quantized.taken(by: edge(at: timing.moment + doubt, timing), seen: timing.read) }
        let most = clock.position(at: timing.moment) + frames(margin.block)
        return max(timing.read + (isCard ? Int64(frames(Self.prefetch)) : 2), Int64(most.rounded(.up)) - origin)
    }

    /// The frame whose step the sink is about to take, by the clock and by the earliest steps seen.
    private func edge(at moment: Int64, _ timing: Timing) -> Double {
        let line = line(at: moment, timing)
        return max(line, quantized?.least(at: moment, rate: clock.rate) ?? line)
    }

    private func line(at moment: Int64, _ timing: Timing) -> Double { clock.position(at: moment) - Double(origin) + frames(timing.held) }

    /// The nanoseconds by which the edge may be off: between two steps nothing tells where it is. Where steps are large it costs little to
    /// be careful.
    private var doubt: Int64 { max(Self.leastDoubt, margin.block / 16) }

    /// The nanoseconds that an event needs besides the margin where the sink goes in steps.
    func caution(_ now: Int64) -> Int64 {
        guard quantized != nil else { return 0 }
        return 2 * doubt + (timing.map { nanoseconds(edge(at: now, $0) - line(at: now, $0)) } ?? 0)
    }
}

/// The position of a sink that takes a block at a time and tells only how many it has taken, as PipeWire does: its steps follow an even
/// line, and between two of them nothing tells how far along it is.
///
/// Positions are frames of the stream. When the line is past a position, the step that begins there has been taken. A step may come late,
/// when a machine stands still for a moment, but never early. So where steps have come before the clock's line, the line is behind, and the
/// step that came earliest tells by how much. The same holds for a server that resamples and takes uneven steps, whose common divisor is
/// small.
struct QuantizedPosition {
    private let least: Int64
    private var first: Int64?
    /// The greatest common divisor of all differences between positions seen; 0 when there are no two yet.
    private var divisor: Int64 = 0
    /// The earliest step of the last two to four seconds, in two halves (`recent` is the other): older ones say less, since clocks drift.
    private var earlier: Sighting?
    private var recent: Sighting?
    private var turn: Int64 = 0

    private static let half: Int64 = 2_000_000_000

    /// An observation: the line was at `position` or past it at `moment`.
    private struct Sighting {
        var position: Double
        var moment: Int64

        func position(at moment: Int64, rate: Double) -> Double { position + Double(moment - self.moment) * rate }
    }

    /// The block that PipeWire does not usually exceed, its default.clock.max-quantum, in frames.
    private static let usuallyLargest: Int64 = 2_048

    /// Starts with nothing known. `least`: the block that the server was asked for. It may take larger ones, and smaller ones for another
    /// client's sake.
    init(least: FrameCount) { self.least = least.rawValue }

    /// The height of a step, in frames; at first rather too much than too little.
    var step: Int64 { max(least, divisor == 0 ? Self.usuallyLargest : divisor) }

    /// Learns that the sink had taken all before `position`.
    mutating func observe(_ position: Int64) {
        guard let first else { return first = position }
        divisor = commonDivisor(divisor, position - first)
    }

    /// Learns that the sink had taken all before `position` at `moment` (nanoseconds). The line climbs by `rate` frames a nanosecond.
    mutating func observe(_ position: Int64, at moment: Int64, rate: Double) {
        let sighting = Sighting(position: Double(position - step), moment: moment)
        if recent == nil || moment - turn > Self.half {
            (earlier, recent, turn) = (recent, sighting, moment)
        } else if let recent, recent.position(at: moment, rate: rate) < sighting.position {
            self.recent = sighting
        }
    }

    /// The least position of the line at `moment`; nil when nothing is known.
    func least(at moment: Int64, rate: Double) -> Double? {
        guard let recent = recent?.position(at: moment, rate: rate) else { return nil }
        return max(recent, earlier?.position(at: moment, rate: rate) ?? recent)
    }

    /// Forgets the steps seen: they say nothing about where the line is now.
    mutating func stoodStill() { (earlier, recent) = (nil, nil) }

    mutating func forget() { self = QuantizedPosition(least: FrameCount(least)) }

    /// The frame up to which the sink may have taken frames when the line is at `position`; it was last seen at `seen`.
    func taken(by position: Double, seen: Int64) -> Int64 {
        let ahead = position - Double(seen)
        return seen + max(0, Int64((ahead / Double(step)).rounded(.up))) * step
    }

    /// The frames that the line, at `position`, still has to go until the step that holds `frame` is taken; negative when it may have been
    /// taken already.
    func slack(to frame: Int64, at position: Double, seen: Int64) -> Double {
        let steps = (Double(frame - seen) / Double(step)).rounded(.down)
        let slack = Double(seen) + steps * Double(step) - position
        return frame < seen ? min(slack, -1) : slack
    }
}

/// The part of the timeline that was certainly heard. In frames of the output.
struct Heard {
    private enum State {
        case silent
        /// Sound has been written from where it is to come back, and it is not known yet whether in time.
        case comingBack
        case audible
    }

    private var state = State.silent
    /// The frame up to which all were heard, or lie in a gap.
    private var certain: Int64 = 0

    var isComingBack: Bool { state == .comingBack }

    /// Learns that all frames before `frame` were played.
    mutating func observe(until frame: Int64) { certain = max(certain, frame) }

    /// Notes that nothing is heard any more. Returns the first frame that was not heard; nil where the sound was not audible before.
    mutating func lose() -> Int64? {
        defer { state = .silent }
        return state == .audible ? certain : nil
    }

    mutating func awaitLanding() { state = .comingBack }

    mutating func comeBack() { state = .audible }

    /// The frame up to which it is known whether each was heard, when the clock is at frame `now`.
    func settled(now: Int64) -> Int64 { state == .audible ? certain : now }
}

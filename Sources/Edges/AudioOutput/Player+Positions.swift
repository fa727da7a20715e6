import Units

// Where the sink is, as far as is certain, and what can still be changed.
extension Player {
    /// The first frame that can be changed for certain.
    func earliest(_ now: Int64) -> Frame {
        if let known = known(now) { return Frame(known) }
        if let quantized, let timing {
            return Frame(origin + quantized.taken(by: edge(at: now + margin.flight + 2 * doubt, timing), seen: timing.read))
        }
        let guessed = Int64((clock.position(at: now) + frames(margin.reach)).rounded(.up))
        return Frame(max(guessed, origin + (timing?.read ?? 0)))
    }

    /// The same, by what the server said last, if the sink takes nothing more before a change has arrived, or if its steps can be foretold.
    func known(_ now: Int64) -> Int64? {
        guard quantized == nil, !isCard, let timing else { return nil }
        let arrival = now + margin.flight
        if arrival < timing.moment + timing.held - margin.reserve { return origin + timing.read }
        return margin.reserve == 0 ? forecast.read(at: arrival).map { origin + $0 } : nil
    }

    /// Nanoseconds that were left until the sink would have taken frame `start` of the stream, when a change from there on had
    /// arrived and the server said `timing`; negative when it had taken it, or may have.
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

    /// Frames of the stream that the sink may have taken before what arrived too late.
    func mostTaken(_ timing: Timing) -> Int64 {
        if let quantized { return quantized.taken(by: edge(at: timing.moment + doubt, timing), seen: timing.read) }
        let most = clock.position(at: timing.moment) + frames(margin.block)
        return max(timing.read + (isCard ? Int64(frames(Self.prefetch)) : 2), Int64(most.rounded(.up)) - origin)
    }

    /// The frame of the stream whose step the sink is about to take, by the clock and by the earliest steps seen.
    private func edge(at moment: Int64, _ timing: Timing) -> Double {
        let line = line(at: moment, timing)
        return max(line, quantized?.least(at: moment, rate: clock.rate) ?? line)
    }

    private func line(at moment: Int64, _ timing: Timing) -> Double { clock.position(at: moment) - Double(origin) + frames(timing.held) }

    /// By how much the edge may be off, in nanoseconds: between two steps nothing tells where it is. Where steps are large it
    /// costs little to be careful.
    private var doubt: Int64 { max(Self.leastDoubt, margin.block / 16) }

    /// What an event needs besides the margin where the sink goes in steps.
    func caution(_ now: Int64) -> Int64 {
        guard quantized != nil else { return 0 }
        return 2 * doubt + (timing.map { nanoseconds(edge(at: now, $0) - line(at: now, $0)) } ?? 0)
    }
}

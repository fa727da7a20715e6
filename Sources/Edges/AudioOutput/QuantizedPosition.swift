import Units

/// A sink that takes a block at a time and tells only how many it has taken, as PipeWire does: its steps follow an even
/// line, and between two of them nothing tells how far along it is.
///
/// Positions are frames of the stream. When the line is past a position, the step that begins there has been taken. A
/// step may come late, when a machine stands still for a moment, but never early: so where steps have come before the clock's
/// line, the line is behind, and the step that came earliest tells by how much. The same is so of a server that resamples
/// and takes uneven steps, of which what they have in common is little.
struct QuantizedPosition {
    private let least: Int64
    private var first: Int64?
    /// Any two positions seen differ by a multiple of this; 0 when there are no two yet.
    private var divisor: Int64 = 0
    /// The earliest step of the last two to four seconds, in two halves: older ones say less, since clocks drift.
    private var earlier: Sighting?
    private var recent: Sighting?
    private var turn: Int64 = 0

    private static let half: Int64 = 2_000_000_000

    /// The line was at `position` or past it at `moment`.
    private struct Sighting {
        var position: Double
        var moment: Int64

        func position(at moment: Int64, rate: Double) -> Double { position + Double(moment - self.moment) * rate }
    }

    /// PipeWire's default.clock.max-quantum.
    private static let usuallyLargest: Int64 = 2_048

    /// `least`: the block that the server was asked for. It may take larger ones, and smaller ones for another client's sake.
    init(least: FrameCount) { self.least = least.rawValue }

    /// The height of a step, in frames; at first rather too much than too little.
    var step: Int64 { max(least, divisor == 0 ? Self.usuallyLargest : divisor) }

    /// The sink was seen to have taken all before `position`.
    mutating func observe(_ position: Int64) {
        guard let first else { return first = position }
        divisor = commonDivisor(divisor, position - first)
    }

    /// It was seen to have taken all before `position` at `moment` (nanoseconds), and the line climbs by `rate` frames a nanosecond.
    mutating func observe(_ position: Int64, at moment: Int64, rate: Double) {
        let sighting = Sighting(position: Double(position - step), moment: moment)
        if recent == nil || moment - turn > Self.half {
            (earlier, recent, turn) = (recent, sighting, moment)
        } else if let recent, recent.position(at: moment, rate: rate) < sighting.position {
            self.recent = sighting
        }
    }

    /// Where the line is at `moment` at least; nil when nothing is known.
    func least(at moment: Int64, rate: Double) -> Double? {
        guard let recent = recent?.position(at: moment, rate: rate) else { return nil }
        return max(recent, earlier?.position(at: moment, rate: rate) ?? recent)
    }

    /// What was seen before says nothing about where the line is now.
    mutating func stoodStill() { (earlier, recent) = (nil, nil) }

    mutating func forget() { self = QuantizedPosition(least: FrameCount(least)) }

    /// How far the sink may have taken frames when the line is at `position`; before, it was seen at `seen`.
    func taken(by position: Double, seen: Int64) -> Int64 {
        let ahead = position - Double(seen)
        return seen + max(0, Int64((ahead / Double(step)).rounded(.up))) * step
    }

    /// How far the line, at `position`, still has to go until the step that holds `frame` is taken; negative when it may
    /// have been taken already.
    func slack(to frame: Int64, at position: Double, seen: Int64) -> Double {
        let steps = (Double(frame - seen) / Double(step)).rounded(.down)
        let slack = Double(seen) + steps * Double(step) - position
        return frame < seen ? min(slack, -1) : slack
    }
}

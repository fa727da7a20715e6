import Units

/// A sink that takes a block at a time and tells only how many it has taken, as PipeWire does: its steps follow an even
/// line, and between two of them nothing tells how far along it is.
///
/// Positions are frames of the stream. When the line is past a position, the step that begins there has been taken. A
/// server that resamples takes uneven steps; what they have in common is then little, and `unsteadiness` the rest.
struct Staircase {
    private let least: Int64
    private var first: Int64?
    /// Any two positions seen differ by a multiple of this; 0 when there are no two yet.
    private var divisor: Int64 = 0
    /// Frames by which steps have come before the line lately. Soon forgotten, since mostly the line was off.
    private(set) var unsteadiness: Int64 = 0

    /// PipeWire's default.clock.max-quantum.
    private static let usuallyLargest: Int64 = 2_048

    /// `least`: the block that the server was asked for. It may take larger ones, and smaller ones for another client's sake.
    init(least: FrameCount) { self.least = least.rawValue }

    /// The height of a step, in frames; at first rather too much than too little.
    var step: Int64 { max(least, divisor == 0 ? Self.usuallyLargest : divisor) }

    /// The sink was seen to have taken all before `position`.
    mutating func observe(_ position: Int64) {
        guard let first else { return first = position }
        divisor = Self.commonDivisor(divisor, position - first)
    }

    /// It was seen `ahead` frames further than where the line was.
    mutating func observe(ahead: Double) {
        unsteadiness = max(unsteadiness * 3 / 4, Int64((ahead - Double(step)).rounded(.up)))
    }

    mutating func forget() { self = Staircase(least: FrameCount(least)) }

    /// How far the sink may have taken frames when the line is at `position`; before, it was seen at `seen`.
    func taken(by position: Double, seen: Int64) -> Int64 {
        let ahead = position + Double(unsteadiness) - Double(seen)
        return seen + max(0, Int64((ahead / Double(step)).rounded(.up))) * step
    }

    /// How far the line, at `position`, still has to go until the step that holds `frame` is taken; negative when it may
    /// have been taken already.
    func slack(to frame: Int64, at position: Double, seen: Int64) -> Double {
        let steps = (Double(frame - seen) / Double(step)).rounded(.down)
        let slack = Double(seen) + steps * Double(step) - position - Double(unsteadiness)
        return frame < seen ? min(slack, -1) : slack
    }

    private static func commonDivisor(_ a: Int64, _ b: Int64) -> Int64 {
        var (a, b) = (abs(a), abs(b))
        while b != 0 { (a, b) = (b, a % b) }
        return a
    }
}

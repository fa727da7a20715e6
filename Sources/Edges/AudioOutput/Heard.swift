/// What of the timeline was heard, as far as is certain. In frames of the output.
struct Heard {
    private enum State {
        case silent
        /// Sound has been written where it is to come back, and it is not known yet whether in time.
        case comingBack
        case audible
    }

    private var state = State.silent
    /// Frames before this one were heard, or lie in a gap.
    private var certain: Int64 = 0

    var isComingBack: Bool { state == .comingBack }

    /// All before `frame` was played.
    mutating func observe(until frame: Int64) { certain = max(certain, frame) }

    /// Nothing is heard any more. Returns from which frame on, if that is new.
    mutating func lose() -> Int64? {
        defer { state = .silent }
        return state == .audible ? certain : nil
    }

    mutating func awaitLanding() { state = .comingBack }

    mutating func comeBack() { state = .audible }

    /// Of each frame before this one it is known whether it was heard, at frame `now`.
    func settled(now: Int64) -> Int64 { state == .audible ? certain : now }
}

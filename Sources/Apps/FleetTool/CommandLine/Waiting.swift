/// The time since the program's start, which no change of the clock alters.
struct Stopwatch {
    private let start = ContinuousClock.now

    var now: Duration { ContinuousClock.now - start }
}

/// The time at which something that has failed is tried again: after a quarter of a second, then after twice the time, up to ten
/// seconds. What went wrong is said once, until it is something else or has gone well.
struct Retry {
    private let what: String
    private var pause = Duration.milliseconds(250)
    private var due = Duration.zero
    private var said: String?

    /// `what` is what is tried, for people.
    init(_ what: String) { self.what = what }

    func isDue(at now: Duration) -> Bool { now >= due }

    mutating func failed(_ problem: some Error, at now: Duration) {
        due = now + pause
        pause = min(pause * 2, .seconds(10))
        let words = "\(problem)"
        if said != words { say("\(what): \(words)") }
        said = words
    }

    mutating func succeeded() {
        if said != nil { say("\(what): there again") }
        self = Retry(what)
    }
}

/// Measures the time since the program's start, whatever happens to the machine's clock.
struct Stopwatch {
    private let start = ContinuousClock.now

    var now: Duration { ContinuousClock.now - start }
}

/// Says when to try again after a failure: after a quarter of a second, and then after twice the time before, up to ten seconds. A problem
/// is printed once, and again only after another problem or a success.
struct Retry {
    private let what: String
    private var pause = Duration.milliseconds(250)
    private var due = Duration.zero
    private var said: String?

    /// `what` is the name, for people, of what is tried.
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

import Wire

/// Looks after the compositor.
struct CompositorCare: Equatable, Sendable {
    enum Step: Equatable {
        case nothing, start
        case failed(KioskReport.Cause)
    }

    private enum Phase: Equatable {
        case waiting(until: Double)
        case starting(since: Double)
        case up(since: Double)
    }

    /// For its sockets to be there, in seconds.
    static let patience = 15.0

    private var phase = Phase.waiting(until: 0)
    private var backoff = Backoff()

    var isUp: Bool { if case .up = phase { true } else { false } }

    mutating func step(_ seen: Sight.Compositor, at now: Double) -> Step {
        switch (phase, seen) {
        case (.waiting(let until), _):
            guard now >= until else { return .nothing }
            phase = .starting(since: now)
            return .start
        case (_, .gone): return stop(for: .compositorEnded, at: now)
        case (.starting(let since), .starting): return now - since > Self.patience ? stop(for: .compositorHung, at: now) : .nothing
        case (.starting, .ready): phase = .up(since: now)
        case (.up(let since), _): if now - since > Backoff.healthy { backoff.reset() }
        }
        return .nothing
    }

    /// A browser that draws nothing may be the compositor's fault.
    mutating func stop(for cause: KioskReport.Cause, at now: Double) -> Step {
        phase = .waiting(until: now + backoff.next())
        return .failed(cause)
    }
}

import Wire

/// Looks after one screen's browser: says when it is to be started, when its page is to be loaded again, and what has failed.
struct BrowserCare: Equatable, Sendable {
    /// In seconds. A page reports once a second, and a browser is asked every two.
    enum Patience {
        static let firstFrame = 30.0
        static let frame = 10.0
        static let answer = 10.0
    }

    enum Step: Equatable {
        case nothing, start, reload
        /// The tab is gone, and the browser is not.
        case tabFailed
        /// The browser is to be stopped.
        case failed(KioskReport.Cause)
    }

    private enum Phase: Equatable {
        case waiting(until: Double)
        case reloading(at: Double)
        case loading(since: Double)
        case drawing(since: Double)
    }

    private var phase = Phase.waiting(until: 0)
    private var backoff = Backoff()
    private var drewAt = -Double.infinity

    var isDrawing: Bool { if case .drawing = phase { true } else { false } }
    var isStopped: Bool { if case .waiting = phase { true } else { false } }

    /// `mayLoad`: there is something to load from and to draw on. `watchedSince` is when the daemon and the screens last came to be there,
    /// so that its frames are known of; nil where they are not. `limit` is in bytes.
    mutating func step(_ seen: Sight.Browser, at now: Double, mayLoad: Bool, watchedSince: Double?, limit: Int) -> Step {
        if case .waiting(let until) = phase {
            guard mayLoad, now >= until else { return .nothing }
            phase = .loading(since: now)
            return .start
        }
        if let cause = fault(seen, limit) { return stop(for: cause, at: now) }
        drewAt = max(drewAt, seen.drewAt ?? drewAt)
        switch phase {
        case .waiting: return .nothing
        case .reloading(let moment):
            guard mayLoad, now >= moment else { return .nothing }
            phase = .loading(since: now)
            return .reload
        case .loading, .drawing:
            guard !seen.hasCrashedTab else {
                phase = .reloading(at: now + backoff.next())
                return .tabFailed
            }
            return watch(seen, at: now, since: watchedSince)
        }
    }

    /// Its compositor is gone, and it is gone with it.
    mutating func restart() { phase = .waiting(until: 0) }

    private mutating func watch(_ seen: Sight.Browser, at now: Double, since watched: Double?) -> Step {
        switch phase {
        case .loading(let since) where drewAt > since: phase = .drawing(since: now)
        case .loading(let since):
            if let watched, now - max(since, watched) > Patience.firstFrame { return stop(for: .neverDrew, at: now) }
        case .drawing(let since):
            if let watched, now - max(drewAt, watched) > Patience.frame {
                // A browser that hangs draws nothing either; it has been asked a few seconds ago.
                return stop(for: seen.unanswered > Patience.answer / 2 ? .browserHung : .pageStopped, at: now)
            }
            if now - since > Backoff.healthy { backoff.reset() }
        case .waiting, .reloading: break
        }
        return .nothing
    }

    private func fault(_ seen: Sight.Browser, _ limit: Int) -> KioskReport.Cause? {
        if !seen.isRunning { return .browserEnded }
        // Before its first frame it may only be slow, or wait for a compositor that hangs. `neverDrew` is for both.
        if case .loading = phase {} else if seen.unanswered > Patience.answer { return .browserHung }
        return seen.memory > limit ? .memory : nil
    }

    private mutating func stop(for cause: KioskReport.Cause, at now: Double) -> Step {
        phase = .waiting(until: now + backoff.next())
        return .failed(cause)
    }
}

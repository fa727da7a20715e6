import Wire

/// The rules that keep a kiosk drawing: from the present state of the kiosk they decide what to do. A fault restarts only the part that has
/// failed, after a wait that grows with each failure. Faults are counted by their causes.
public struct Tending: Equatable, Sendable {
    public enum Action: Equatable, Sendable {
        case startCompositor, stopCompositor
        case startBrowser(String), stopBrowser(String)
        case reload(String)
    }

    /// A failure for which the compositor or a browser was restarted.
    public struct Fault: Equatable, Sendable {
        public var cause: KioskReport.Cause
        /// The screen whose browser failed; nil for the compositor.
        public var screen: String?
    }

    private var compositor = CompositorCare()
    private var browsers: [String: BrowserCare]
    private let limit: Int
    private var daemonSince: Double?
    private var screensSince: Double?
    public private(set) var restarts: [KioskReport.Cause: Int] = [:]
    /// The newest fault; nil before the first.
    public private(set) var lastFault: Fault?

    public init(_ settings: KioskSettings) {
        browsers = settings.screens.mapValues { _ in BrowserCare() }
        limit = settings.memory << 20
    }

    public func isDrawing(_ screen: String) -> Bool { browsers[screen]?.isDrawing ?? false }

    /// Whether any screen shows a page that draws.
    public var isDrawing: Bool { browsers.values.contains(where: \.isDrawing) }

    /// Returns what to do now, given the state `seen` of the kiosk, in the order in which to do it.
    public mutating func step(_ seen: KioskSnapshot) -> [Action] {
        daemonSince = seen.hasDaemon ? daemonSince ?? seen.now : nil
        screensSince = seen.areScreensOn ? screensSince ?? seen.now : nil
        switch compositor.step(seen.compositor, at: seen.now) {
        case .start: return [.startCompositor]
        case .failed(let cause): return stopAll(for: cause)
        case .nothing: break
        }
        let watchedSince = daemonSince.flatMap { daemon in screensSince.map { max(daemon, $0) } }
        var actions: [Action] = []
        for screen in browsers.keys.sorted() {
            guard let browser = seen.browsers[screen] else { continue }
            let step = browsers[screen]?.step(browser, at: seen.now, mayLoad: compositor.isUp && seen.hasDaemon, watchedSince: watchedSince,
                                              limit: limit)
            switch step {
            case .nothing, nil: break
            case .start: actions.append(.startBrowser(screen))
            case .reload: actions.append(.reload(screen))
            case .tabFailed: count(.tabCrashed, screen)
            case .failed(.neverDrew) where !isDrawing:
                // No screen draws, so the compositor may be at fault.
                count(.neverDrew, screen)
                _ = compositor.stop(for: .neverDrew, at: seen.now)
                return actions + [.stopBrowser(screen)] + stopBoth()
            case .failed(let cause):
                count(cause, screen)
                actions.append(.stopBrowser(screen))
            }
        }
        return actions
    }

    private mutating func stopAll(for cause: KioskReport.Cause) -> [Action] {
        count(cause, nil)
        return stopBoth()
    }

    private mutating func stopBoth() -> [Action] {
        var actions: [Action] = []
        for screen in browsers.keys.sorted() where browsers[screen]?.isStopped == false {
            browsers[screen]?.restart()
            actions.append(.stopBrowser(screen))
        }
        return actions + [.stopCompositor]
    }

    private mutating func count(_ cause: KioskReport.Cause, _ screen: String?) {
        restarts[cause, default: 0] += 1
        lastFault = Fault(cause: cause, screen: screen)
    }
}

/// Looks after one screen's browser: decides when to start it, when to load its page again, and whether it has failed.
struct BrowserCare: Equatable, Sendable {
    /// The longest waits, in seconds. A page reports its frames once a second, and the kiosk sends a question to a browser every two
    /// seconds.
    enum Timeouts {
        static let firstFrame = 30.0
        static let frame = 10.0
        static let answer = 10.0
    }

    enum Step: Equatable {
        case nothing, start, reload
        /// The tab has crashed, but the browser still runs.
        case tabFailed
        /// The browser has failed and is to be stopped.
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

    /// Returns what to do next with the browser. `mayLoad` is true when the daemon, which serves the page, and the compositor are both
    /// ready. `watchedSince` is the moment at which the later of the daemon and the screens was switched on; it is nil while one of them is
    /// off, because then no frames are reported. `limit` is the most memory that the browser may use, in bytes.
    mutating func step(_ seen: KioskSnapshot.Browser, at now: Double, mayLoad: Bool, watchedSince: Double?, limit: Int) -> Step {
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

    /// Makes `step` start the browser again as soon as it can load its page, because the browser ended together with the compositor.
    mutating func restart() { phase = .waiting(until: 0) }

    private mutating func watch(_ seen: KioskSnapshot.Browser, at now: Double, since watched: Double?) -> Step {
        switch phase {
        case .loading(let since) where drewAt > since: phase = .drawing(since: now)
        case .loading(let since):
            if let watched, now - max(since, watched) > Timeouts.firstFrame { return stop(for: .neverDrew, at: now) }
        case .drawing(let since):
            if let watched, now - max(drewAt, watched) > Timeouts.frame {
                // A browser that hangs does not draw either. Its last question was sent a few seconds ago.
                return stop(for: seen.unanswered > Timeouts.answer / 2 ? .browserHung : .pageStopped, at: now)
            }
            if now - since > Backoff.healthy { backoff.reset() }
        case .waiting, .reloading: break
        }
        return .nothing
    }

    private func fault(_ seen: KioskSnapshot.Browser, _ limit: Int) -> KioskReport.Cause? {
        if !seen.isRunning { return .browserEnded }
        // Before its first frame, a browser may only be slow, or wait for a compositor that hangs. The cause `neverDrew` covers both.
        if case .loading = phase {} else if seen.unanswered > Timeouts.answer { return .browserHung }
        return seen.memory > limit ? .memory : nil
    }

    private mutating func stop(for cause: KioskReport.Cause, at now: Double) -> Step {
        phase = .waiting(until: now + backoff.next())
        return .failed(cause)
    }
}

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

    /// The longest wait for the compositor to open its sockets, in seconds.
    static let timeout = 15.0

    private var phase = Phase.waiting(until: 0)
    private var backoff = Backoff()

    var isUp: Bool { if case .up = phase { true } else { false } }

    mutating func step(_ seen: KioskSnapshot.Compositor, at now: Double) -> Step {
        switch (phase, seen) {
        case (.waiting(let until), _):
            guard now >= until else { return .nothing }
            phase = .starting(since: now)
            return .start
        case (_, .gone): return stop(for: .compositorEnded, at: now)
        case (.starting(let since), .starting): return now - since > Self.timeout ? stop(for: .compositorHung, at: now) : .nothing
        case (.starting, .ready): phase = .up(since: now)
        case (.up(let since), _): if now - since > Backoff.healthy { backoff.reset() }
        }
        return .nothing
    }

    /// Returns the step that stops the compositor because of `cause`, and plans its next start. It may be at fault where no browser draws.
    mutating func stop(for cause: KioskReport.Cause, at now: Double) -> Step {
        phase = .waiting(until: now + backoff.next())
        return .failed(cause)
    }
}

/// The wait before a failed part is restarted: none at first, then 1 s, 2 s, 4 s and so on, up to a minute.
struct Backoff: Equatable, Sendable {
    static let longest = 60.0
    /// The time in seconds after which a part that works counts as healthy: its next failure counts as the first again.
    static let healthy = 60.0

    private var failures = 0

    /// Counts one more failure, and returns the wait in seconds before the failed part is restarted.
    mutating func next() -> Double {
        defer { failures += 1 }
        return failures == 0 ? 0 : min(Self.longest, Double(1 << min(failures - 1, 10)))
    }

    mutating func reset() { failures = 0 }
}

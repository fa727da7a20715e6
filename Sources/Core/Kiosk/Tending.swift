import Wire

/// The rules by which a kiosk is kept drawing: from what is seen to what is to be done. Each fault starts anew only what failed, after a
/// wait that grows, and is counted by its cause.
public struct Tending: Equatable, Sendable {
    public enum Action: Equatable, Sendable {
        case startCompositor, stopCompositor
        case startBrowser(String), stopBrowser(String)
        case reload(String)
    }

    /// A fault that something was started anew for.
    public struct Fault: Equatable, Sendable {
        public var cause: KioskReport.Cause
        /// Nil for the compositor.
        public var screen: String?
    }

    private var compositor = CompositorCare()
    private var browsers: [String: BrowserCare]
    private let limit: Int
    private var daemonSince: Double?
    private var screensSince: Double?
    public private(set) var restarts: [KioskReport.Cause: Int] = [:]
    /// The newest.
    public private(set) var lastFault: Fault?

    public init(_ settings: KioskSettings) {
        browsers = settings.screens.mapValues { _ in BrowserCare() }
        limit = settings.memory << 20
    }

    public func isDrawing(_ screen: String) -> Bool { browsers[screen]?.isDrawing ?? false }

    /// Whether any screen shows a page that draws.
    public var isDrawing: Bool { browsers.values.contains(where: \.isDrawing) }

    /// What is to be done now, in this order.
    public mutating func step(_ seen: Sight) -> [Action] {
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
                // No screen draws: it may be the compositor.
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

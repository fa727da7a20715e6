import CLinux
import Kiosk
import SystemPackage
import Systemd
import Wire

/// A kiosk at work: looks at compositor, browsers and daemon four times a second, and does what the rules say.
struct RunningKiosk {
    private let plan: KioskPlan
    private let link: KioskLink
    private let notifier: Notifier
    private var tending: Tending
    private var compositor: Compositor
    private var browsers: [String: Browser]
    /// The state to which the screens were switched last; nil where nobody knows.
    private var areScreensOn: Bool?
    /// The reason for which a screen's browser could not be started last, and, under nil, the compositor.
    private var failures: [String?: String] = [:]
    private var isReady = false
    private var state = ""
    /// The start, CLOCK_MONOTONIC in nanoseconds.
    private let started = monotonicNanoseconds()

    init(_ plan: KioskPlan, in folder: FilePath, link: KioskLink, notifier: Notifier) {
        self.plan = plan
        self.link = link
        self.notifier = notifier
        tending = Tending(plan.settings)
        compositor = Compositor(in: folder, configuration: SwayConfiguration.text(for: plan.settings))
        browsers = Dictionary(uniqueKeysWithValues: plan.settings.screens.keys.map { ($0, Browser($0, plan, in: folder)) })
    }

    /// Tends the kiosk until the program is interrupted.
    mutating func run() async {
        while !Interruption.hasCome {
            step()
            try? await Task.sleep(for: .milliseconds(250))
        }
        notifier.stopping()
        for screen in browsers.keys { browsers[screen]?.stop() }
        compositor.stop()
    }

    private mutating func step() {
        let now = monotonicNanoseconds()
        let last = link.last
        let areOn = ScreenHours.areOn(last?.status.house, hasVisitor: last?.status.session != nil,
                                      age: last.map { Int((now - $0.toldAt) / 1_000_000_000) } ?? 0,
                                      early: plan.settings.early)
        var sights: [String: Sight.Browser] = [:]
        for screen in browsers.keys {
            let frame = last.flatMap { Self.lastFrame(on: screen, $0.status, heardAt: $0.heardAt) }
            sights[screen] = browsers[screen]?.look(at: now, drewAt: frame)
        }
        let sight = Sight(now: Double(now) / 1e9, compositor: compositor.state, hasDaemon: link.isThere(at: now), areScreensOn: areOn,
                          browsers: sights)
        let before = tending.restarts
        for action in tending.step(sight) { act(on: action) }
        if tending.restarts != before, let fault = tending.lastFault { warn("\(fault.screen ?? "compositor"): \(fault.cause.words)") }
        if compositor.state == .ready, areScreensOn != areOn, compositor.switchScreens(on: areOn) { areScreensOn = areOn }
        tell(sight, at: now)
    }

    /// Returns when the page of a screen drew last, on the clock of `Sight`. An older connection of the page may not have been closed yet:
    /// the one that drew last counts.
    private static func lastFrame(on screen: String, _ status: StatusReport, heardAt: Int64) -> Double? {
        status.pages.filter { $0.screen == screen }.map { Double(heardAt) / 1e9 - $0.secondsSinceFrame }.max()
    }

    private mutating func act(on action: Tending.Action) {
        do {
            switch action {
            case .startCompositor:
                areScreensOn = nil
                try start(nil) { try $0.compositor.start() }
            case .stopCompositor: compositor.stop()
            case .startBrowser(let screen):
                let environment = compositor.environment
                try start(screen) { try $0.browsers[screen]?.start(environment) }
            case .stopBrowser(let screen): browsers[screen]?.stop()
            case .reload(let screen): browsers[screen]?.reload()
            }
        } catch {
            // It is not there at the next look, which is a fault that is tried again.
            warn("\(action) failed: \(error)")
        }
    }

    /// Notes why a screen's browser, or under nil the compositor, could not be started.
    private mutating func start(_ part: String?, _ body: (inout RunningKiosk) throws -> Void) throws {
        failures.removeValue(forKey: part)
        do {
            try body(&self)
        } catch {
            failures.updateValue("\(error)", forKey: part)
            throw error
        }
    }

    private mutating func tell(_ sight: Sight, at now: Int64) {
        let screens = browsers.keys.sorted().map {
            KioskReport.Screen(name: $0, isDrawing: tending.isDrawing($0), memory: browsers[$0]?.memory ?? 0,
                               issue: sight.obstacle(on: $0, failures: failures))
        }
        link.tell(KioskReport(screens: screens, areScreensOn: sight.areScreensOn, restarts: tending.restarts,
                              lastCause: tending.lastFault?.cause),
                  words: browsers.compactMapValues(\.word))
        notifier.watchdog()
        // One screen that stays dark must not keep the kiosk from being ready: systemd would stop the others with it. Nobody waits either
        // where nothing can be drawn and that is no fault of the kiosk's.
        let age = now - started
        let isExcused = !sight.areScreensOn || !sight.hasDaemon && age > 10_000_000_000 || age > 60_000_000_000
        if !isReady, tending.isDrawing || isExcused {
            isReady = true
            notifier.ready()
        }
        let state = screens.map { "\($0.name) \($0.isDrawing ? "draws" : "does not draw")" }.joined(separator: ", ")
            + "; restarts: \(tending.restarts.values.reduce(0, +))" + (sight.hasDaemon ? "" : "; thrumd is away")
        if state != self.state { notifier.status(state) }
        self.state = state
    }
}

extension KioskReport.Cause {
    fileprivate var words: String {
        switch self {
        case .pageStopped: "the page stopped drawing"
        case .neverDrew: "nothing was drawn"
        case .tabCrashed: "the tab crashed"
        case .browserEnded: "the browser ended"
        case .browserHung: "the browser does not answer"
        case .memory: "the browser takes up too much memory"
        case .compositorEnded: "it ended"
        case .compositorHung: "it does not come to be ready"
        }
    }
}

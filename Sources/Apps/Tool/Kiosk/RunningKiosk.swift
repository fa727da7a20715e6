import CLinux
import FoundationEssentials
import Glibc
import Kiosk
import Processes
import SystemPackage
import Systemd
import Wire

/// A running kiosk: four times a second it looks at compositor, browsers and daemon, and acts by the rules of `Tending`.
struct RunningKiosk {
    private let plan: KioskPlan
    private let link: KioskLink
    private let notifier: Notifier
    private var tending: Tending
    private var compositor: Compositor
    private var browsers: [String: Browser]
    /// Whether the screens were last switched on (true) or off (false); nil while that is unknown, as after the compositor's start.
    private var areScreensOn: Bool?
    /// The reason why a screen's browser last failed to start, by the screen's name. Under the key nil is the reason why the compositor
    /// last failed.
    private var failures: [String?: String] = [:]
    private var isReady = false
    private var state = ""
    /// The time at which the kiosk started; CLOCK_MONOTONIC in nanoseconds.
    private let started = monotonicNanoseconds()

    init(_ plan: KioskPlan, in folder: FilePath, link: KioskLink, notifier: Notifier) {
        self.plan = plan
        self.link = link
        self.notifier = notifier
        tending = Tending(plan.settings)
        compositor = Compositor(in: folder, configuration: SwayConfiguration.text(for: plan.settings))
        browsers = Dictionary(uniqueKeysWithValues: plan.settings.screens.keys.map { ($0, Browser($0, plan, in: folder)) })
    }

    /// Keeps the kiosk running until the program is interrupted, or an operator asks for a new start.
    mutating func run() async {
        while !Interruption.hasCome, !link.takeRestart() {
            step()
            try? await Task.sleep(for: .milliseconds(250))
        }
        // The service goes on where the kiosk starts anew.
        if Interruption.hasCome { notifier.stopping() }
        for screen in browsers.keys { browsers[screen]?.stop() }
        compositor.stop()
    }

    private mutating func step() {
        let now = monotonicNanoseconds()
        let last = link.last
        let areOn = ScreenHours.areOn(last?.status.house, hasVisitor: last?.status.session != nil,
                                      age: last.map { Int((now - $0.toldAt) / 1_000_000_000) } ?? 0,
                                      early: plan.settings.early)
        var browserStates: [String: KioskSnapshot.Browser] = [:]
        for screen in browsers.keys {
            let frame = last.flatMap { Self.lastFrame(on: screen, $0.status, heardAt: $0.heardAt) }
            browserStates[screen] = browsers[screen]?.look(at: now, drewAt: frame)
        }
        let snapshot = KioskSnapshot(now: Double(now) / 1e9, compositor: compositor.state,
                                     hasDaemon: link.isThere(at: now), areScreensOn: areOn,
                                     browsers: browserStates)
        let before = tending.restarts
        for action in tending.step(snapshot) { act(on: action) }
        if tending.restarts != before, let fault = tending.lastFault { warn("\(fault.screen ?? "compositor"): \(fault.cause.words)") }
        if compositor.state == .ready, areScreensOn != areOn, compositor.switchScreens(on: areOn) { areScreensOn = areOn }
        tell(snapshot, at: now)
    }

    /// Returns when the page of a screen last drew a frame, on the clock of `KioskSnapshot`; nil where the daemon does not know. Of several
    /// connections of the page, the one that drew last counts, because an older one may still be open.
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
            // The next look finds the part missing, which the rules treat as a fault, and try again.
            warn("\(action) failed: \(error)")
        }
    }

    /// Runs `body`, which starts the part `part`: the browser of a screen with that name, or the compositor where it is nil. If that fails,
    /// records the reason in `failures`, and rethrows the error.
    private mutating func start(_ part: String?, _ body: (inout RunningKiosk) throws -> Void) throws {
        failures.removeValue(forKey: part)
        do {
            try body(&self)
        } catch {
            failures.updateValue("\(error)", forKey: part)
            throw error
        }
    }

    private mutating func tell(_ snapshot: KioskSnapshot, at now: Int64) {
        let screens = browsers.keys.sorted().map {
            KioskReport.Screen(name: $0, isDrawing: tending.isDrawing($0), memory: browsers[$0]?.memory ?? 0,
                               issue: snapshot.obstacle(on: $0, failures: failures))
        }
        link.tell(KioskReport(screens: screens, areScreensOn: snapshot.areScreensOn, restarts: tending.restarts,
                              lastCause: tending.lastFault?.cause),
                  words: browsers.compactMapValues(\.word))
        notifier.watchdog()
        // The kiosk counts as ready although one screen stays dark: otherwise systemd would stop the other screens with it. It also counts
        // as ready where nothing can be drawn for a reason outside the kiosk.
        let age = now - started
        let isExcused = !snapshot.areScreensOn || !snapshot.hasDaemon && age > 10_000_000_000 || age > 60_000_000_000
        if !isReady, tending.isDrawing || isExcused {
            isReady = true
            notifier.ready()
        }
        let state = screens.map { "\($0.name) \($0.isDrawing ? "draws" : "does not draw")" }.joined(separator: ", ")
            + "; restarts: \(tending.restarts.values.reduce(0, +))" + (snapshot.hasDaemon ? "" : "; thrumd is away")
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

/// A process of the compositor sway, with a folder of its own.
struct Compositor {
    let folder: FilePath
    let configuration: String
    private var process: ChildProcess?

    init(in folder: FilePath, configuration: String) {
        self.folder = folder
        self.configuration = configuration
    }

    /// The socket on which sway takes commands.
    private var socket: FilePath { folder.appending("sway.sock") }

    var state: KioskSnapshot.Compositor {
        guard let process, process.isRunning else { return .gone }
        return display != nil && access(socket.string, F_OK) == 0 ? .ready : .starting
    }

    /// The name of sway's Wayland socket; nil until sway has made it.
    var display: String? {
        (try? FileManager.default.contentsOfDirectory(atPath: folder.string))?.first { $0.hasPrefix("wayland-") && !$0.hasSuffix(".lock") }
    }

    /// The environment for programs that draw on the compositor.
    var environment: [String: String] {
        let own = ["XDG_RUNTIME_DIR": folder.string, "HOME": folder.string, "XDG_CACHE_HOME": folder.string, "SWAYSOCK": socket.string]
        return ProcessInfo.processInfo.environment.merging(own) { $1 }.merging(display.map { ["WAYLAND_DISPLAY": $0] } ?? [:]) { $1 }
    }

    /// Starts sway. Throws `Errno`, or Foundation's error for a file that cannot be written.
    mutating func start() throws {
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.string)
        for name in left where name.hasPrefix("wayland-") || name == "sway.sock" {
            try FileManager.default.removeItem(atPath: folder.appending(name).string)
        }
        let file = folder.appending("sway.conf").string
        try Data(configuration.utf8).write(to: URL(filePath: file))
        process = try ChildProcess("sway", ["--config", file], environment: environment)
    }

    mutating func stop() { process = nil }

    /// Switches all screens on or off. Returns true if sway has done it.
    func switchScreens(on: Bool) -> Bool {
        let child = try? FinishedProcess(running: "swaymsg", ["--socket", socket.string, "--quiet", "output * dpms \(on ? "on" : "off")"],
                                         environment: ProcessInfo.processInfo.environment)
        return child?.status == 0
    }
}

/// The Chromium of one screen, with a profile that is new at each start.
struct Browser {
    private struct Running {
        var process: ChildProcess
        var devTools: DevTools
        let word: String
        /// The memory of the browser's processes, in bytes. It is measured every few seconds, because measuring takes milliseconds.
        var memory = 0
        var measuredAt = Int64.min
    }

    private let screen: String
    private let plan: KioskPlan
    private let profile: FilePath
    private var running: Running?

    init(_ screen: String, _ plan: KioskPlan, in folder: FilePath) {
        self.screen = screen
        self.plan = plan
        profile = folder.appending("profile-\(screen)")
    }

    var memory: Int { running?.memory ?? 0 }
    /// The random word by which the daemon recognizes this browser's page. It is new at each start; nil while the browser does not run.
    var word: String? { running?.word }

    /// Ends the browser if it runs, and starts it with an empty profile. Throws `Errno`.
    mutating func start(_ environment: [String: String]) throws {
        stop()
        try? FileManager.default.removeItem(atPath: profile.string)
        let (commands, answers) = (try FileDescriptor.pipe(), try FileDescriptor.pipe())
        defer {
            try? commands.readEnd.close()
            try? answers.writeEnd.close()
        }
        let word = String(UInt64.random(in: 0...(.max)), radix: 16)
        let arguments = plan.arguments(of: screen, profile: profile.string, word: word)
        let devTools = try DevTools(commands: commands.writeEnd, answers: answers.readEnd)
        running = Running(
            process: try ChildProcess("chromium", arguments, environment: environment, passing: [commands.readEnd, answers.writeEnd]),
            devTools: devTools, word: word)
    }

    mutating func stop() { running = nil }

    func reload() {
        if let running { running.devTools.load(plan.url(of: screen, word: running.word)) }
    }

    /// Returns what is known about the browser now. `now` is CLOCK_MONOTONIC in nanoseconds. `drewAt` is when its page last drew, according
    /// to the daemon; nil where that is not known.
    mutating func look(at now: Int64, drewAt: Double?) -> KioskSnapshot.Browser {
        guard let running, running.process.isRunning else { return KioskSnapshot.Browser(isRunning: false) }
        if running.measuredAt == .min || now - running.measuredAt > 5_000_000_000 {
            self.running?.memory = ProcessFamily(of: running.process.identifier).memory
            self.running?.measuredAt = now
        }
        running.devTools.step(at: now)
        return KioskSnapshot.Browser(isRunning: true, hasCrashedTab: running.devTools.hasCrashedTab,
                             unanswered: running.devTools.unanswered(at: now), memory: memory, drewAt: drewAt,
                             pageStatus: running.devTools.pageStatus)
    }
}

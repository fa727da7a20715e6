import FoundationEssentials
import Kiosk
import Processes
import SystemPackage

/// The Chromium of one screen, with a profile that is new at each start.
struct Browser {
    private struct Running {
        var process: ChildProcess
        var devTools: DevTools
        let word: String
        /// The memory in bytes. It is measured every few seconds, since that takes milliseconds.
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
    /// The word by which the daemon tells this browser's page from any other: a new one at each start. Nil while the browser does not run.
    var word: String? { running?.word }

    /// Starts the browser anew. Throws `Errno`.
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

    /// Returns how the browser is. `drewAt` is when its page drew last, as the daemon knows; times are CLOCK_MONOTONIC in nanoseconds.
    mutating func look(at now: Int64, drewAt: Double?) -> Sight.Browser {
        guard let running, running.process.isRunning else { return Sight.Browser(isRunning: false) }
        if running.measuredAt == .min || now - running.measuredAt > 5_000_000_000 {
            self.running?.memory = ProcessFamily(of: running.process.identifier).memory
            self.running?.measuredAt = now
        }
        running.devTools.step(at: now)
        return Sight.Browser(isRunning: true, hasCrashedTab: running.devTools.hasCrashedTab,
                             unanswered: running.devTools.unanswered(at: now), memory: memory, drewAt: drewAt,
                             pageStatus: running.devTools.pageStatus)
    }
}

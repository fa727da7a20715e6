import CLinux
import FoundationEssentials
import Kiosk
import Processes
import SystemPackage

/// The Chromium of one screen, with a profile that is new at each start.
struct Browser {
    private struct Running {
        var process: ChildProcess
        var devTools: DevTools
        /// Bytes; measured every few seconds, since that takes milliseconds.
        var memory = 0
        var measuredAt = Int64.min
    }

    private let profile: FilePath
    private let arguments: [String]
    private let url: String
    private var running: Running?

    init(_ screen: String, _ plan: KioskPlan, in folder: FilePath) {
        profile = folder.appending("profile-\(screen)")
        arguments = plan.arguments(of: screen, profile: profile.string)
        url = plan.url(of: screen)
    }

    var memory: Int { running?.memory ?? 0 }

    /// Throws `Errno`.
    mutating func start(_ environment: [String: String]) throws {
        stop()
        try? FileManager.default.removeItem(atPath: profile.string)
        let (commands, answers) = (try FileDescriptor.pipe(), try FileDescriptor.pipe())
        defer {
            try? commands.readEnd.close()
            try? answers.writeEnd.close()
        }
        let devTools = try DevTools(commands: commands.writeEnd, answers: answers.readEnd)
        running = Running(
            process: try ChildProcess("chromium", arguments, environment: environment, passing: [commands.readEnd, answers.writeEnd]),
            devTools: devTools)
    }

    mutating func stop() { running = nil }

    func reload() { running?.devTools.load(url) }

    /// How it is. `drewAt` is what the daemon knows; times are CLOCK_MONOTONIC, nanoseconds.
    mutating func look(at now: Int64, drewAt: Double?) -> Sight.Browser {
        guard let running, running.process.isRunning else { return Sight.Browser(isRunning: false) }
        if running.measuredAt == .min || now - running.measuredAt > 5_000_000_000 {
            self.running?.memory = ProcessFamily(of: running.process.identifier).memory
            self.running?.measuredAt = now
        }
        running.devTools.step(at: now)
        return Sight.Browser(isRunning: true, hasCrashedTab: running.devTools.hasCrashedTab,
                             unanswered: running.devTools.unanswered(at: now), memory: memory, drewAt: drewAt)
    }
}

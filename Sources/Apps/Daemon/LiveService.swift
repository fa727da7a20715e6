import Dispatch
import Files
import Glibc
import Live
import Logging
import SystemPackage
import Systemd
import Wire

/// Runs the live engine from its start to its end, which SIGTERM and SIGINT bring about.
struct LiveService: Sendable {
    let source: SettingsSource
    let found: SettingsSource.Found
    let notifier: Notifier
    let logger: Logger
    /// The newest records of `logger`.
    let log: RecentLog

    /// Runs until the engine has stopped. Throws what keeps it from starting.
    func run() async throws {
        let deadline = StopDeadline(doing: "starts") { [logger] in Self.abort($0, logger) }
        let (requests, reloads) = AsyncStream.makeStream(of: ReloadRequest.self, bufferingPolicy: .bufferingOldest(16))
        let (stop, stopping) = AsyncStream.makeStream(of: Void.self)
        // Trapped first: an early reload must not end the daemon.
        let traps = [await SignalTrap([SIGHUP]) { reloads.yield(.signal) },
                     await SignalTrap([SIGTERM, SIGINT]) { deadline.begin(); stopping.finish() }]
        defer { withExtendedLifetime(traps) {} }
        for warning in found.settings.warnings { logger.warning("\(warning)") }
        for issue in found.issues { logger.critical("\(issue)") }
        let live = try await Live.start(found.settings.live, issues: found.issues, notifier: notifier, logger: logger, log: log,
                                        reloads: reloads)
        notifier.ready()
        live.prepareAnswers()
        forgetStartUp()
        lockMemory()
        deadline.nowDoing("waits for a reload to be given up")
        let reloading = Task { await reload(live, at: requests) }
        for await _ in stop {}
        reloading.cancel()
        await reloading.value
        reloads.finish()
        notifier.stopping()
        deadline.begin()
        await live.stop(deadline)
        deadline.end()
    }

    /// Ends the process at once, without waiting for anything, not even the log.
    private static func abort(_ step: String, _ logger: Logger) {
        _ = try? BlockingWork.wait(.milliseconds(200)) {
            logger.critical("thrumd was to stop, and something does not let it end: it still \(step)")
        }
        _exit(74)
    }

    /// Reads the settings again as often as somebody asks for it, and keeps those that are in use.
    private func reload(_ live: Live, at requests: AsyncStream<ReloadRequest>) async {
        var current = found.settings
        var keeping = found.issues.isEmpty ? await keep(current, live) : nil
        for await request in requests {
            do {
                let (new, report) = try await reload(live, since: current)
                current = new
                keeping?.cancel()
                // Whoever was answered may pull the plug.
                keeping = await keep(new, live)
                request.answer(.done(report))
            } catch is CancellationError {
                request.answer(.givenUp)
            } catch {
                let faults = "\(error)".split(separator: "\n").map(String.init)
                for fault in faults {
                    logger.error("the settings are bad, and the ones before are kept", metadata: ["reason": "\(fault)"])
                }
                await live.complain(faults.map { "the settings are bad, and the ones before are kept: \($0)" })
                request.answer(.bad(faults))
            }
        }
        keeping?.cancel()
    }

    /// Has the engine use what can be changed while it plays. Throws `CancellationError`, or what is wrong; then nothing has changed.
    private func reload(_ live: Live, since current: DaemonSettings) async throws -> (DaemonSettings, ReloadReport) {
        notifier.reloading()
        defer { notifier.ready() }
        let new = try await BlockingWork.apart { [source, piece = found.settings.live.piece] in try source.read(running: piece) }
        let waiting = new.waitingForRestart(since: found.settings)
        try await live.change(to: new.live, waitingForStart: waiting)
        for warning in new.warnings { logger.warning("\(warning)") }
        if waiting.isEmpty {
            logger.notice("the settings have been read again")
        } else {
            logger.warning("the settings have been read again, but these count from the next start on",
                           metadata: ["keys": "\(waiting.joined(separator: ", "))"])
        }
        return (new, ReloadReport(changes: new.changes(since: current), waitingForStart: waiting, warnings: new.warnings))
    }

    /// The time for which a disk is waited for before the start goes on.
    private static let patience = Duration.seconds(1)

    /// Keeps the settings that are in use as the last good ones. Writes at once; if that fails, tries again later, because a full disk may
    /// get room. A stop waits for the first try.
    private func keep(_ settings: DaemonSettings, _ live: Live) async -> Task<Void, Never>? {
        // They are the other's.
        guard await !live.isSecond else { return nil }
        let last = source.lastGood(settings, start: found.settings)
        let first = Task { () -> (any Error)? in
            do {
                try await BlockingWork.apart(Self.patience) { [source] in try source.keep(last) }
                return nil
            } catch {
                return error
            }
        }
        guard let error = await first.value else {
            await live.lacksLastGood(because: nil)
            return nil
        }
        logger.warning("the settings cannot be kept for a start with bad ones, yet", metadata: ["reason": "\(error)"])
        await live.lacksLastGood(because: "\(error)")
        return Task {
            while (try? await Task.sleep(for: .seconds(10))) != nil {
                guard (try? await BlockingWork.apart(Self.patience, for: { [source] in try source.keep(last) })) == nil else {
                    await live.lacksLastGood(because: nil)
                    return logger.notice("the settings are kept for a start with bad ones")
                }
            }
        }
    }
}

/// Keeps the pages that the daemon has used in memory, where that is allowed without limit: fetching one from swap takes too long for
/// sound. With a limit nothing is locked, since reaching it would make allocations fail.
private func lockMemory() {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(__RLIMIT_MEMLOCK.rawValue), &limit) == 0 else { return }
    guard limit.rlim_cur == rlim_t.max || geteuid() == 0 else { return }
    // Each page when it is first used (MCL_ONFAULT, Linux 4.4): stacks are reserved in megabytes and used in kilobytes.
    let onFault: Int32 = 4
    mlockall(Int32(MCL_CURRENT) | Int32(MCL_FUTURE) | onFault)
}

/// Gives back the pages of the program and its libraries that starting has touched: the parsers of flags and settings, the opening of the
/// database, of sockets and of the output. What is needed again is mapped again from the page cache. To be called when all is open, and
/// before memory is locked.
private func forgetStartUp() {
    guard let file = try? FileDescriptor.open("/proc/self/maps", .readOnly) else { return }
    let bytes = (try? file.closeAfter { try file.bytes() }) ?? []
    // proc_pid_maps(5): from-to permissions offset device inode path.
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
        let fields = line.split(separator: " ")
        let ends = fields[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
        guard fields.count > 5, fields[1] == "r-xp", ends.count == 2 else { continue }
        madvise(UnsafeMutableRawPointer(bitPattern: ends[0]), Int(ends[1] - ends[0]), Int32(MADV_DONTNEED))
    }
}

/// Traps signals to this process, none of which ends it any more.
private struct SignalTrap {
    private let sources: [any DispatchSourceSignal]

    /// Traps `signals`, and returns when that is done. Each signal that comes from then on is told to `act`, on a thread that nobody
    /// blocks.
    init(_ signals: [Int32], _ act: @escaping @Sendable () -> Void) async {
        let queue = DispatchQueue(label: "signals")
        sources = signals.map { DispatchSource.makeSignalSource(signal: $0, queue: queue) }
        for source in sources {
            source.setEventHandler(handler: act)
            await withCheckedContinuation { registered in
                source.setRegistrationHandler { registered.resume() }
                source.activate()
            }
        }
    }
}

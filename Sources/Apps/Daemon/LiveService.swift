import Dispatch
import Files
import Glibc
import Live
import Logging
import SystemPackage
import Systemd
import Wire

/// Runs the live engine from its start until SIGTERM or SIGINT stops it.
struct LiveService: Sendable {
    let source: SettingsSource
    let found: SettingsSource.Found
    let notifier: Notifier
    let logger: Logger
    /// The newest records of `logger`.
    let log: RecentLog

    /// The reason why the engine has stopped.
    enum Ending {
        case signal
        /// An operator has asked that the daemon be started anew.
        case restart
    }

    /// Runs the engine, and returns why it has stopped. Throws the error that keeps it from starting.
    func run() async throws -> Ending {
        let deadline = StopDeadline(doing: "starts") { [logger] in Self.abort($0, logger) }
        let (requests, reloads) = AsyncStream.makeStream(of: ReloadRequest.self, bufferingPolicy: .bufferingOldest(16))
        // The first reason counts.
        let (endings, stopping) = AsyncStream.makeStream(of: Ending.self, bufferingPolicy: .bufferingOldest(1))
        @Sendable func stop(_ ending: Ending) {
            deadline.begin()
            stopping.yield(ending)
        }
        @Sendable func restart() { stop(.restart) }
        // Signals are trapped first, so that an early SIGHUP does not end the daemon.
        let traps = [await SignalTrap([SIGHUP]) { reloads.yield(.signal) },
                     await SignalTrap([SIGTERM, SIGINT]) { stop(.signal) }]
        defer { withExtendedLifetime(traps) {} }
        for warning in found.settings.warnings { logger.warning("\(warning)") }
        for issue in found.issues { logger.critical("\(issue)") }
        var settings = found.settings.live
        let support = SupportFile(socket: settings.socket.path, config: source.file, environment: source.environment)
        settings.http?.support = { [logger] identity in
            logger.notice("an operator is given what thrum support collects", metadata: ["by": "\(Self.words(identity))"])
            return try support.make()
        }
        let live = try await Live.start(settings, issues: found.issues, notifier: notifier, logger: logger, log: log,
                                        reloads: reloads, restart: notifier.isService ? restart : nil)
        notifier.ready()
        live.prepareAnswers()
        forgetStartUp()
        lockMemory()
        deadline.nowDoing("waits for a reload to be given up")
        let reloading = Task { await reload(live, at: requests) }
        var reasons = endings.makeAsyncIterator()
        let ending = await reasons.next() ?? .signal
        reloading.cancel()
        await reloading.value
        reloads.finish()
        notifier.stopping()
        await live.stop(deadline)
        deadline.end()
        return ending
    }

    private static func words(_ identity: Identity) -> String {
        if case .token(let name) = identity { "the token \(name)" } else { "a page on this machine" }
    }

    /// Ends the process at once. Waits for nothing, except 0.2 s for the log.
    private static func abort(_ step: String, _ logger: Logger) {
        _ = try? BlockingWork.wait(.milliseconds(200)) {
            logger.critical("thrumd was to stop, and something does not let it end: it still \(step)")
        }
        _exit(74)
    }

    /// Handles each request to reload: reads the settings anew, has the engine take them over, and stores the ones in use as the last good
    /// ones.
    private func reload(_ live: Live, at requests: AsyncStream<ReloadRequest>) async {
        var current = found.settings
        var keeping = found.issues.isEmpty ? await keep(current, live) : nil
        for await request in requests {
            do {
                let (new, report) = try await reload(live, since: current)
                current = new
                keeping?.cancel()
                // The settings are stored before the answer, because the user may cut the power after it.
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

    /// Makes the engine adopt those settings that may change while it plays. Throws `CancellationError`, or the faults of the settings;
    /// after an error the engine is unchanged.
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

    /// The time for which a start or reload waits for the disk.
    private static let timeout = Duration.seconds(1)

    /// Stores the settings in use as the last good ones. If the first try fails, starts a task that tries again later, because a full disk
    /// may get room, and returns that task. A stop waits for the first try only.
    private func keep(_ settings: DaemonSettings, _ live: Live) async -> Task<Void, Never>? {
        // The stored settings belong to the other process.
        guard await !live.isSecond else { return nil }
        let last = source.lastGood(settings, start: found.settings)
        let first = Task { () -> (any Error)? in
            do {
                try await BlockingWork.apart(Self.timeout) { [source] in try source.keep(last) }
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
                guard (try? await BlockingWork.apart(Self.timeout, for: { [source] in try source.keep(last) })) == nil else {
                    await live.lacksLastGood(because: nil)
                    return logger.notice("the settings are kept for a start with bad ones")
                }
            }
        }
    }
}

/// Locks the daemon's memory pages, because fetching a page from swap takes too long for sound. Locks nothing where the system limits
/// locked memory, because allocations would fail at the limit.
private func lockMemory() {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(__RLIMIT_MEMLOCK.rawValue), &limit) == 0 else { return }
    guard limit.rlim_cur == rlim_t.max || geteuid() == 0 else { return }
    // Pages are locked at first use (MCL_ONFAULT, Linux 4.4), because stacks are reserved in megabytes and used in kilobytes.
    let onFault: Int32 = 4
    mlockall(Int32(MCL_CURRENT) | Int32(MCL_FUTURE) | onFault)
}

/// Releases the code pages that only the start needs: the parsers of flags and settings, and the code that opens the database, sockets and
/// the output. The kernel maps a page that is needed again from the page cache. Must be called when everything is open, and before memory
/// is locked.
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

/// Traps signals to this process, so that they do not end it.
private struct SignalTrap {
    private let sources: [any DispatchSourceSignal]

    /// Traps `signals`, and returns when that is complete. From then on each signal calls `act`, on a thread that nothing blocks.
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

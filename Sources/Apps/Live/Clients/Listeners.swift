import ControlSocket
import Logging
import NIOCore
import Synchronization
import Wire

/// All ways in for front ends: the control socket, and what else the settings ask for; and the way to look on from afar.
///
/// Without the control socket there is no start. Another that cannot be opened is an issue, and tried again: that somebody else has its
/// port must not mean a silent exhibit. One that is lost later is opened again, the control socket as well. Thread: any.
final class Listeners: Sendable {
    private struct Door: Sendable {
        var name: String
        var open: @Sendable () async throws -> any WayIn
    }

    private struct State {
        /// Those that are open, by their names.
        var ways: [String: any WayIn] = [:]
        /// Why the others are not, and why one that is lost cannot be mended.
        var issues: [String: String] = [:]
        var reopened: UInt64 = 0
        var isClosed = false
    }

    /// How often it is looked whether all are open still.
    private static let pace = Duration.seconds(1)
    /// One that cannot be opened is tried again every so many looks.
    private static let patience = 5

    private let doors: [Door]
    private let logger: Logger
    private let state = Mutex(State())
    private let watching = Mutex<Task<Void, Never>?>(nil)

    private init(_ doors: [Door], _ logger: Logger) {
        self.doors = doors
        self.logger = logger
    }

    /// Opens the control socket last: whoever gets in there finds the others open. Throws what `ControlServer` does; then all are closed.
    static func open(_ settings: LiveSettings, on loop: any EventLoop, service: some ControlService, logger: Logger,
                     status: @escaping @Sendable () -> StatusReport) async throws -> Listeners {
        let clients = try await ClientList.open(limit: settings.limits.clients, on: loop)
        let main = socket(settings, loop, service, clients)
        let others = others(settings, loop, service, clients, status)
        let doors = Listeners(others + [main], logger)
        for door in others {
            do {
                let way = try await door.open()
                doors.state.withLock { $0.ways[door.name] = way }
                logger.info("listening to \(door.name)")
            } catch {
                doors.complain("\(error)", of: door)
            }
        }
        do {
            let way = try await main.open()
            doors.state.withLock { $0.ways[main.name] = way }
        } catch {
            await doors.close()
            throw error
        }
        logger.info("listening", metadata: ["socket": "\(settings.socket.path)", "output": "\(settings.output.kind)"])
        doors.watch()
        return doors
    }

    /// What is not open, and why, in words.
    var issues: [String] {
        state.withLock { state in
            state.issues.sorted { $0.key < $1.key }.map { "cannot listen to \($0.key): \($0.value)" }
                + state.ways.sorted { $0.key < $1.key }.compactMap(\.value.issue)
        }
    }

    /// How many were opened again after they had been lost.
    var reopened: UInt64 { state.withLock { $0.reopened } }

    func close() async {
        let ways = state.withLock { state in
            state.isClosed = true
            defer { state.ways = [:] }
            return state.ways
        }
        watching.withLock { $0 }?.cancel()
        for door in doors.reversed() { await ways[door.name]?.close() }
    }

    // MARK: Looking after them

    private func watch() {
        watching.withLock { task in
            task = Task { [weak self] in
                var looks = 0
                while (try? await Task.sleep(for: Self.pace)) != nil {
                    looks += 1
                    await self?.look(triesAll: looks % Self.patience == 0)
                }
            }
        }
    }

    private func look(triesAll: Bool) async {
        for door in doors {
            if let way = state.withLock({ $0.ways[door.name] }) {
                await mend(way, of: door)
            } else if triesAll {
                _ = await openAgain(door)
            }
        }
    }

    private func mend(_ way: any WayIn, of door: Door) async {
        guard way.isOpen else {
            await way.close()
            state.withLock { $0.ways[door.name] = nil }
            logger.warning("the way in was lost: \(door.name)")
            if await openAgain(door) { state.withLock { $0.reopened += 1 } }
            return
        }
        do {
            guard try await way.mend() else { return settle(door) }
            settle(door)
            state.withLock { $0.reopened += 1 }
            logger.warning("the way in was lost, and is open again: \(door.name)")
        } catch {
            complain("\(error)", of: door)
        }
    }

    /// Whether it is open now.
    private func openAgain(_ door: Door) async -> Bool {
        let way: any WayIn
        do {
            way = try await door.open()
        } catch {
            complain("\(error)", of: door)
            return false
        }
        let isWanted = state.withLock { state in
            guard !state.isClosed else { return false }
            state.ways[door.name] = way
            return true
        }
        guard isWanted else {
            await way.close()
            return false
        }
        settle(door)
        logger.notice("listening to \(door.name)")
        return true
    }

    private func settle(_ door: Door) { state.withLock { $0.issues[door.name] = nil } }

    /// Once for each reason.
    private func complain(_ reason: String, of door: Door) {
        let isNew = state.withLock { state in
            defer { state.issues[door.name] = reason }
            return state.issues[door.name] != reason
        }
        if isNew { logger.error("cannot listen to \(door.name), and tries again", metadata: ["reason": "\(reason)"]) }
    }

    // MARK: What there is

    private static func socket(_ settings: LiveSettings, _ loop: any EventLoop, _ service: some ControlService, _ clients: ClientList)
        -> Door {
        let (access, limits) = (settings.access, settings.limits)
        return switch settings.socket {
        case .path(let path, let makesDirectory):
            Door(name: "the control socket") {
                try await ControlServer.listen(on: path, makesDirectory: makesDirectory, access: access, limits: limits, loop: loop,
                                               service: service, clients: clients)
            }
        case .passed(let passed):
            Door(name: "the control socket") {
                try await ControlServer.listen(onPassed: passed.descriptor, at: passed.path, access: access, limits: limits, loop: loop,
                                               service: service, clients: clients)
            }
        }
    }

    private static func others(_ settings: LiveSettings, _ loop: any EventLoop, _ service: some ControlService, _ clients: ClientList,
                               _ status: @escaping @Sendable () -> StatusReport) -> [Door] {
        let limits = settings.limits
        var doors: [Door] = []
        if let wanted = settings.webSocket {
            doors.append(Door(name: "browsers at ws://127.0.0.1:\(wanted.port)/") {
                try await WebSocketServer.listen(port: wanted.port, access: wanted.access, limits: limits, loop: loop, service: service,
                                                 clients: clients)
            })
        }
        if let wanted = settings.osc {
            doors.append(Door(name: "OSC at \(wanted.address):\(wanted.port)/udp") {
                try await OSCServer.listen(address: wanted.address, port: wanted.port, limits: limits, loop: loop, service: service,
                                           clients: clients)
            })
        }
        if let path = settings.oscSocket {
            doors.append(Door(name: "OSC at \(path)") {
                try await OSCSocketServer.listen(on: path, limits: limits, loop: loop, service: service, clients: clients)
            })
        }
        if let wanted = settings.metrics {
            doors.append(Door(name: "who asks for metrics at http://\(wanted.address):\(wanted.port)/metrics") {
                try await MetricsServer.listen(address: wanted.address, port: wanted.port, loop: loop, report: status)
            })
        }
        return doors
    }
}

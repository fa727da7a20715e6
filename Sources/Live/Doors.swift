import ControlSocket
import Logging
import NIOCore
import Synchronization
import Wire

/// All ways in for front ends: the control socket, and what else the settings ask for; and the way to look on from afar.
///
/// Without the control socket there is no engine. Another that cannot be opened is a trouble, and tried again: that somebody else has its
/// port must not mean a silent exhibit. Thread: any.
final class Doors: Sendable {
    private typealias Closer = @Sendable () async -> Void

    private struct Door: Sendable {
        var name: String
        var open: @Sendable () async throws -> Closer
    }

    private struct State {
        var closers: [Closer] = []
        /// Why they are not open, by their names.
        var troubles: [String: String] = [:]
        var isClosed = false
    }

    private let socket: ControlServer
    private let state: Mutex<State>
    private let retrying = Mutex<Task<Void, Never>?>(nil)

    private init(_ socket: ControlServer, _ state: consuming State) {
        self.socket = socket
        self.state = Mutex(state)
    }

    /// Opens the control socket last: whoever gets in there finds the others open. Throws what `ControlServer` does; then all are closed.
    static func open(_ settings: LiveSettings, on loop: any EventLoop, service: some ControlService, logger: Logger,
                     status: @escaping @Sendable () -> StatusReport) async throws -> Doors {
        let clients = ClientList(limit: settings.limits.clients)
        var state = State()
        var shut: [Door] = []
        for door in others(settings, loop, service, clients, status) {
            do {
                state.closers.append(try await door.open())
                logger.info("listening to \(door.name)")
            } catch {
                state.troubles[door.name] = "\(error)"
                shut.append(door)
                logger.error("cannot listen to \(door.name), and tries again", metadata: ["reason": "\(error)"])
            }
        }
        do {
            let socket = switch settings.socket {
            case .path(let path):
                try await ControlServer.listen(on: path, access: settings.access, limits: settings.limits, loop: loop, service: service,
                                               clients: clients)
            case .passed(let passed):
                try await ControlServer.listen(onPassed: passed.descriptor, access: settings.access, limits: settings.limits, loop: loop,
                                               service: service, clients: clients)
            }
            logger.info("listening", metadata: ["socket": "\(settings.socket.path)", "output": "\(settings.output.kind)"])
            let doors = Doors(socket, state)
            doors.retry(shut, logger)
            return doors
        } catch {
            for close in state.closers { await close() }
            throw error
        }
    }

    /// What is not open, and why, in words.
    var troubles: [String] {
        state.withLock { $0.troubles.sorted { $0.key < $1.key }.map { "cannot listen to \($0.key): \($0.value)" } }
    }

    func close() async {
        let (closers, task) = (state.withLock { state in
            state.isClosed = true
            return state.closers
        }, retrying.withLock { $0 })
        task?.cancel()
        await socket.close()
        for close in closers { await close() }
    }

    private static func others(_ settings: LiveSettings, _ loop: any EventLoop, _ service: some ControlService, _ clients: ClientList,
                               _ status: @escaping @Sendable () -> StatusReport) -> [Door] {
        let limits = settings.limits
        var doors: [Door] = []
        if let wanted = settings.webSocket {
            doors.append(Door(name: "browsers at ws://127.0.0.1:\(wanted.port)/") {
                let server = try await WebSocketServer.listen(port: wanted.port, access: wanted.access, limits: limits, loop: loop,
                                                              service: service, clients: clients)
                return { await server.close() }
            })
        }
        if let wanted = settings.osc {
            doors.append(Door(name: "OSC at \(wanted.address):\(wanted.port)/udp") {
                let server = try await OSCServer.listen(address: wanted.address, port: wanted.port, limits: limits, loop: loop,
                                                        service: service, clients: clients)
                return { await server.close() }
            })
        }
        if let path = settings.oscSocket {
            doors.append(Door(name: "OSC at \(path)") {
                let server = try await OSCSocketServer.listen(on: path, limits: limits, loop: loop, service: service, clients: clients)
                return { await server.close() }
            })
        }
        if let wanted = settings.metrics {
            doors.append(Door(name: "who asks for metrics at http://\(wanted.address):\(wanted.port)/metrics") {
                let server = try await MetricsServer.listen(address: wanted.address, port: wanted.port, loop: loop, report: status)
                return { await server.close() }
            })
        }
        return doors
    }

    /// Every five seconds, until all are open.
    private func retry(_ shut: [Door], _ logger: Logger) {
        guard !shut.isEmpty else { return }
        retrying.withLock { task in
            task = Task { [weak self] in
                var shut = shut
                while !shut.isEmpty, (try? await Task.sleep(for: .seconds(5))) != nil {
                    var still: [Door] = []
                    for door in shut {
                        guard let close = try? await door.open() else {
                            still.append(door)
                            continue
                        }
                        logger.notice("listening to \(door.name)")
                        if self?.opened(door, close) != true { await close() }
                    }
                    shut = still
                }
            }
        }
    }

    /// False when all are closed by now.
    private func opened(_ door: Door, _ close: @escaping Closer) -> Bool {
        state.withLock { state in
            guard !state.isClosed else { return false }
            state.closers.append(close)
            state.troubles[door.name] = nil
            return true
        }
    }
}

import CLinux
import ControlSocket
import HTTPServer
import Logging
import NIOCore
import Synchronization
import Wire

/// Everything on which thrumd listens: the control socket, and the other listeners that the settings ask for.
///
/// thrumd does not start without the control socket. Any other listener that cannot be opened is reported as an issue, and tried again,
/// because a port that is taken must not silence the exhibit. A listener that is lost later is opened again, even the control socket.
/// Thread: any.
final class Listeners: Sendable {
    private struct Endpoint: Sendable {
        var name: String
        var open: @Sendable () async throws -> any Listener
    }

    private struct State {
        /// The open listeners, by name.
        var open: [String: any Listener] = [:]
        /// The reasons why listeners are not open, by name. A listener is in this table if it never opened, or if it was lost and could not
        /// be opened again.
        var issues: [String: String] = [:]
        var reopened: UInt64 = 0
        var isClosed = false
        var looks = 0
        var next: Scheduled<Void>?
    }

    /// The number of checks after which a listener that could not be opened is tried again.
    private static let checksPerRetry = 5

    private let endpoints: [Endpoint]
    private let clients: ClientList
    /// The name of the listener that serves pages, and the address of the piece's page; nil where no pages are served.
    private let page: (endpoint: String, address: String)?
    private let logger: Logger
    private let state = Mutex(State())

    private init(_ endpoints: [Endpoint], _ clients: ClientList, page: (endpoint: String, address: String)?, _ logger: Logger) {
        self.endpoints = endpoints
        self.clients = clients
        self.page = page
        self.logger = logger
    }

    /// Opens all listeners. Opens the control socket last, so that a client that connects to it finds the others open. Calls `opening`
    /// before any is open, so that the first answer to a client already names listeners that could not be opened. Throws the errors of
    /// `ControlServer`, and closes all listeners then. Calls `service`, `status` and `rejected` on `loop`. HTTP has an event loop of its
    /// own, `pagesLoop`.
    static func open(_ settings: LiveSettings, on loop: any EventLoop, pagesOn pagesLoop: (any EventLoop)?, service: any ControlService,
                     recordings: any Recordings, logger: Logger, status: @escaping @Sendable () -> StatusReport,
                     rejected: @escaping @Sendable (HTTPRejection) -> Void,
                     opening: (Listeners) async -> Void) async throws -> Listeners {
        let clients = try await ClientList.open(limit: settings.limits.clients, on: loop)
        let main = socket(settings, loop, service, clients)
        var others = others(settings, loop, service, clients)
        var page: (endpoint: String, address: String)?
        if let http = settings.http, let pagesLoop {
            let endpoint = try await browsers(http, settings, loop, pagesLoop, service, clients, recordings, status, rejected)
            page = settings.pageAddress.map { (endpoint: endpoint.name, address: $0) }
            others.append(endpoint)
        }
        let listeners = Listeners(others + [main], clients, page: page, logger)
        await opening(listeners)
        for endpoint in others {
            do {
                let listener = try await endpoint.open()
                listeners.state.withLock { $0.open[endpoint.name] = listener }
                logger.info("listening to \(endpoint.name)")
            } catch {
                listeners.complain("\(error)", of: endpoint)
            }
        }
        do {
            let listener = try await main.open()
            listeners.state.withLock { $0.open[main.name] = listener }
        } catch {
            await listeners.close()
            throw error
        }
        logger.info("listening", metadata: ["socket": "\(settings.socket.path)", "output": "\(settings.output.kind)"])
        listeners.watch(on: loop)
        return listeners
    }

    /// The issues of the listeners in words: those that are not open, with the reasons, faults of open ones, and whether clients are turned
    /// away.
    var issues: [String] {
        state.withLock { state in
            state.issues.sorted { $0.key < $1.key }.map { "cannot listen to \($0.key): \($0.value)" }
                + state.open.sorted { $0.key < $1.key }.compactMap(\.value.issue)
        } + (clients.issue.map { [$0] } ?? [])
    }

    /// The address of the piece's page for a browser; nil while the page is not served.
    var pageAddress: String? { page.flatMap { page in state.withLock { $0.open[page.endpoint] != nil } ? page.address : nil } }

    /// The number of clients since the start that found no ordinary place, including those that may only watch and stop the sound.
    var turnedAway: UInt64 { clients.turnedAway }

    /// The number of times that a lost listener was opened again.
    var reopened: UInt64 { state.withLock { $0.reopened } }

    func close() async {
        let open = state.withLock { state in
            state.isClosed = true
            state.next?.cancel()
            defer { state.open = [:] }
            return state.open
        }
        for endpoint in endpoints.reversed() { await open[endpoint.name]?.close() }
    }

    // MARK: Checking and mending

    /// Checks once a second, on `loop`, whether all listeners are still open. While nothing needs mending, no other thread wakes up.
    private func watch(on loop: any EventLoop) {
        let next = Heartbeat.next(after: monotonicNanoseconds(), each: Heartbeat.idlePause)
        state.withLock { state in
            guard !state.isClosed else { return }
            state.next = loop.scheduleTask(deadline: .uptimeNanoseconds(UInt64(next))) { [weak self] in self?.look(on: loop) }
        }
    }

    private func look(on loop: any EventLoop) {
        let (open, triesAll) = state.withLock { state in
            state.looks += 1
            return (state.open, state.looks % Self.checksPerRetry == 0)
        }
        guard triesAll && open.count < endpoints.count || open.contains(where: { needsMending($0.value, $0.key) }) else {
            return watch(on: loop)
        }
        Task {
            await mendAll(triesAll: triesAll)
            watch(on: loop)
        }
    }

    /// Whether a listener has to be opened again: it is lost, or it could not be opened before and may be possible to open now.
    private func needsMending(_ listener: any Listener, _ name: String) -> Bool {
        !listener.isOpen || listener.isLost || state.withLock { $0.issues[name] != nil }
    }

    private func mendAll(triesAll: Bool) async {
        for endpoint in endpoints {
            if let listener = state.withLock({ $0.open[endpoint.name] }) {
                await mend(listener, of: endpoint)
            } else if triesAll {
                _ = await openAgain(endpoint)
            }
        }
    }

    private func mend(_ listener: any Listener, of endpoint: Endpoint) async {
        guard listener.isOpen else {
            await listener.close()
            state.withLock { $0.open[endpoint.name] = nil }
            logger.warning("the listener was lost: \(endpoint.name)")
            if await openAgain(endpoint) { state.withLock { $0.reopened += 1 } }
            return
        }
        do {
            guard try await listener.mend() else { return settle(endpoint) }
            settle(endpoint)
            state.withLock { $0.reopened += 1 }
            logger.warning("the listener was lost, and is open again: \(endpoint.name)")
        } catch {
            complain("\(error)", of: endpoint)
        }
    }

    /// Opens a listener again. Returns whether it is open now.
    private func openAgain(_ endpoint: Endpoint) async -> Bool {
        let listener: any Listener
        do {
            listener = try await endpoint.open()
        } catch {
            complain("\(error)", of: endpoint)
            return false
        }
        let isWanted = state.withLock { state in
            guard !state.isClosed else { return false }
            state.open[endpoint.name] = listener
            return true
        }
        guard isWanted else {
            await listener.close()
            return false
        }
        settle(endpoint)
        logger.notice("listening to \(endpoint.name)")
        return true
    }

    private func settle(_ endpoint: Endpoint) { state.withLock { $0.issues[endpoint.name] = nil } }

    /// Records why a listener cannot be opened, and logs each new reason once.
    private func complain(_ reason: String, of endpoint: Endpoint) {
        let isNew = state.withLock { state in
            defer { state.issues[endpoint.name] = reason }
            return state.issues[endpoint.name] != reason
        }
        if isNew { logger.error("cannot listen to \(endpoint.name), and tries again", metadata: ["reason": "\(reason)"]) }
    }

    // MARK: Endpoints

    private static func socket(_ settings: LiveSettings, _ loop: any EventLoop, _ service: any ControlService, _ clients: ClientList)
        -> Endpoint {
        let (access, limits) = (settings.access, settings.limits)
        return switch settings.socket {
        case .path(let path, let makesDirectory):
            Endpoint(name: "the control socket") {
                try await ControlServer.listen(on: path, makesDirectory: makesDirectory, access: access, limits: limits, loop: loop,
                                               service: service, clients: clients)
            }
        case .passed(let passed):
            Endpoint(name: "the control socket") {
                try await ControlServer.listen(onPassed: passed.descriptor, at: passed.path, access: access, limits: limits, loop: loop,
                                               service: service, clients: clients)
            }
        }
    }

    private static func others(_ settings: LiveSettings, _ loop: any EventLoop, _ service: any ControlService, _ clients: ClientList)
        -> [Endpoint] {
        let limits = settings.limits
        var endpoints: [Endpoint] = []
        if let wanted = settings.osc {
            endpoints.append(Endpoint(name: "OSC at \(wanted.address):\(wanted.port)/udp") {
                try await OSCServer.listen(address: wanted.address, port: wanted.port, operators: wanted.operators, limits: limits,
                                           loop: loop, service: service, clients: clients)
            })
        }
        if let path = settings.oscSocket {
            endpoints.append(Endpoint(name: "OSC at \(path)") {
                try await OSCSocketServer.listen(on: path, limits: limits, loop: loop, service: service, clients: clients)
            })
        }
        let topics = LiveSettings.words(settings.values.oscOutTopics)
        for destination in settings.oscDestinations {
            endpoints.append(Endpoint(name: "OSC to \(destination.text)") {
                try await OSCSender.open(to: destination, topics: topics, loop: loop, service: service, clients: clients)
            })
        }
        return endpoints
    }

    /// Returns the endpoint for browsers. Clients on WebSockets are served on `pagesLoop`, and their requests are passed to `loop`.
    private static func browsers(_ http: LiveSettings.HTTP, _ settings: LiveSettings, _ loop: any EventLoop, _ pagesLoop: any EventLoop,
                                 _ service: any ControlService, _ clients: ClientList, _ recordings: any Recordings,
                                 _ status: @escaping @Sendable () -> StatusReport,
                                 _ rejected: @escaping @Sendable (HTTPRejection) -> Void) async throws -> Endpoint {
        let limits = settings.limits
        let webSockets = WebSocketClients(DistantService(service, at: loop, for: pagesLoop),
                                          try await clients.shared(with: pagesLoop, servedOn: loop), limits)
        let wanted = HTTPServer.Settings(address: http.endpoint.address, port: http.endpoint.port, access: http.access, pages: http.pages,
                                         kit: http.kit, docs: http.docs, recordings: recordings, page: settings.piece.declaration.page,
                                         support: http.support,
                                         longestFrame: limits.line)
        return Endpoint(name: "browsers at http://\(http.endpoint.host)/") {
            try await HTTPServer.listen(wanted, on: pagesLoop, report: { loop.submit(status) },
                                        rejected: { rejection in loop.execute { rejected(rejection) } },
                                        open: { try webSockets.add($0, as: $1, isLocal: $2, identity: $3) })
        }
    }
}

extension HTTPServer: Listener {}

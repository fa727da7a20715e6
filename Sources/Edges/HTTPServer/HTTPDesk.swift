import Files
import NIOCore
import NIOHTTP1
import Wire

/// Answers requests that are allowed. Thread: its event loop.
final class HTTPDesk {
    /// The path of the WebSocket.
    static let socket = "/socket"
    /// The address of the kit, which is the same whatever the folder of pages has, so that any page can count on it.
    static let kitFolder = "kit"
    /// The address of the documentation. Where there is none installed, the folder of pages may have a folder of this name.
    static let docsFolder = "docs"

    private let pages: Pages?
    private let kit: Pages?
    private let docs: Pages?
    /// The folder of the page at `/`.
    private let page: String?
    /// Threads that wait for the disk. Each connection asks for one thing at a time.
    private let workers = Workers(threads: 2, room: 2 * HTTPServer.pendingLimit, share: 2)
    private let loop: any EventLoop
    private let report: @Sendable () -> EventLoopFuture<StatusReport>
    /// The report that is being made. All who ask meanwhile get the same, so that many of them take no more of the engine's time than one.
    private var pending: EventLoopFuture<StatusReport>?

    init(pages: Pages?, kit: Pages?, docs: Pages? = nil, page: String?, on loop: any EventLoop,
         report: @escaping @Sendable () -> EventLoopFuture<StatusReport>) {
        self.pages = pages
        self.kit = kit
        self.docs = docs
        self.page = page
        self.loop = loop
        self.report = report
    }

    /// Whether the request's target is the WebSocket's path: by itself, or after the address that its Host has (the absolute form of RFC
    /// 9112, section 3.2.2, which some clients and proxies send).
    static func isSocket(_ request: HTTPRequestHead) -> Bool {
        let target = request.uri.prefix { $0 != "?" }
        guard target != socket else { return true }
        let hosts = request.headers["Host"]
        guard hosts.count == 1, target.hasSuffix(socket) else { return false }
        let server = target.dropLast(socket.count).lowercased()
        return ["ws", "wss", "http", "https"].contains { server == $0 + "://" + hosts[0].lowercased() }
    }

    /// Answers `request`, which came on the connection of this number.
    func answer(_ request: HTTPRequestHead, on connection: Int) -> EventLoopFuture<HTTPAnswer> {
        guard request.method == .GET || request.method == .HEAD else {
            let refusal = HTTPRefusal(.methodNotAllowed, "expected GET or HEAD, found \(request.method.rawValue)",
                                      headers: ["Allow": "GET, HEAD"])
            return loop.makeSucceededFuture(HTTPAnswer(refusal))
        }
        let target = request.uri.prefix { $0 != "?" }
        switch target {
        case "/metrics": return status().map { HTTPAnswer(metrics: $0) }
        case "/health": return status().map { HTTPAnswer(health: $0) }
        case "/": return loop.makeSucceededFuture(home)
        default:
            do throws(HTTPRefusal) {
                return file(try PagePath(target), for: request, on: connection)
            } catch {
                return loop.makeSucceededFuture(HTTPAnswer(error))
            }
        }
    }

    private var home: HTTPAnswer {
        page.map { HTTPAnswer(redirect: "/\($0)/") }
            ?? HTTPAnswer(HTTPRefusal(.notFound, "this piece has no page; here are /health, /metrics and the WebSocket \(Self.socket)"))
    }

    private func status() -> EventLoopFuture<StatusReport> {
        if let pending { return pending }
        let desk = NIOLoopBound(self, eventLoop: loop)
        let report = report().hop(to: loop)
        pending = report
        report.whenComplete { _ in desk.value.pending = nil }
        return report
    }

    private func file(_ path: PagePath, for request: HTTPRequestHead, on connection: Int) -> EventLoopFuture<HTTPAnswer> {
        if let docs, let part = path.inside(Self.docsFolder) {
            guard !part.path.isEmpty else { return loop.makeSucceededFuture(HTTPAnswer(redirect: "/\(Self.docsFolder)/")) }
            return file(part, of: docs, at: path, orElse: "there is no documentation", for: request, on: connection)
        }
        guard let part = path.inside(Self.kitFolder) else {
            return file(path, of: pages, at: path, orElse: "there is no folder of pages (www)", for: request, on: connection)
        }
        // It was checked before: only own pages and those of http-origins come here.
        let origin = request.headers.first(name: "Origin")
        return file(part, of: kit, at: path, orElse: "the kit is not installed", for: request, on: connection)
            .map { $0.shared(with: origin) }
    }

    /// Answers with the file at `path` in `folder`. `address` is the path of the request; `reason` is said where there is no folder.
    private func file(_ path: PagePath, of folder: Pages?, at address: PagePath, orElse reason: String, for request: HTTPRequestHead,
                      on connection: Int) -> EventLoopFuture<HTTPAnswer> {
        guard let folder else { return loop.makeSucceededFuture(HTTPAnswer(HTTPRefusal(.notFound, reason))) }
        return work(for: connection) {
            switch folder.find(path) {
            case .file(let file): HTTPAnswer(file, for: request)
            case .folder: HTTPAnswer(redirect: "/\(address.path)/")
            case .nothing: HTTPAnswer(HTTPRefusal(.notFound, "there is no such file"))
            case .unreadable(let reason): HTTPAnswer(HTTPRefusal(.internalServerError, "this file cannot be read: \(reason)"))
            }
        }.flatMapErrorThrowing { HTTPAnswer(HTTPRefusal(.serviceUnavailable, "\($0)")) }
    }

    /// Reads the bytes of a file at `range`, one piece at most. Fails when they cannot be had.
    func bytes(_ range: Range<Int>, of file: PageFile, on connection: Int) -> EventLoopFuture<ByteBuffer> {
        work(for: connection) { try file.bytes(range) }
    }

    private func work<Found: Sendable>(for connection: Int, _ job: @escaping @Sendable () throws -> Found) -> EventLoopFuture<Found> {
        let promise = loop.makePromise(of: Found.self)
        workers.start(for: connection) { promise.completeWith(Result(catching: job)) } refused: { promise.fail($0) }
        return promise.futureResult
    }

    /// Drops the waiting work of a connection that is gone, so that others have its room.
    func forget(_ connection: Int) { workers.forget(connection) }
}

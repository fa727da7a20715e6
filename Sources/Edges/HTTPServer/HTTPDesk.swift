import Files
import NIOCore
import NIOHTTP1
import Wire

/// Makes the answers to requests that are allowed. Thread: its event loop.
final class HTTPDesk {
    /// The path of the WebSocket.
    static let socket = "/socket"
    /// The path of the kit's files. They hide a folder of the same name among the pages, so that any page can rely on them.
    static let kitFolder = "kit"
    /// The path of the documentation. If none is installed, the pages may have a folder of this name.
    static let docsFolder = "docs"

    let support: SupportDesk
    private let pages: Pages?
    private let kit: Pages?
    private let docs: Pages?
    /// The folder whose page is shown at `/`.
    private let page: String?
    /// The threads that wait for the disk. Each connection has at most one file request at a time.
    private let workers = Workers(threads: 2, room: 2 * HTTPServer.pendingLimit, share: 2)
    private let recordings: RecordingDesk?
    private let loop: any EventLoop
    private let report: @Sendable () -> EventLoopFuture<StatusReport>
    /// The report that is being made; nil while none is being made. All requests that arrive meanwhile get it, so that many cost the engine
    /// as much as one.
    private var pending: EventLoopFuture<StatusReport>?

    init(pages: Pages?, kit: Pages?, docs: Pages? = nil, recordings: (any Recordings)? = nil, page: String?,
         support: (@Sendable (Identity) throws -> CInt)? = nil, on loop: any EventLoop,
         report: @escaping @Sendable () -> EventLoopFuture<StatusReport>) {
        self.support = SupportDesk(on: loop, readBy: workers, make: support)
        self.pages = pages
        self.kit = kit
        self.docs = docs
        self.recordings = recordings.map { RecordingDesk($0, on: loop) }
        self.page = page
        self.loop = loop
        self.report = report
    }

    /// Says whether the request's target is the path of the WebSocket. The target may also be the path after the server's address, as in
    /// the request's Host, because some clients and proxies send it so (the absolute form of RFC 9112, section 3.2.2).
    static func isSocket(_ request: HTTPRequestHead) -> Bool {
        let target = request.uri.prefix { $0 != "?" }
        guard target != socket else { return true }
        let hosts = request.headers["Host"]
        guard hosts.count == 1, target.hasSuffix(socket) else { return false }
        let server = target.dropLast(socket.count).lowercased()
        return ["ws", "wss", "http", "https"].contains { server == $0 + "://" + hosts[0].lowercased() }
    }

    /// Answers `request`, which came on the connection number `connection`. `admit` throws where the sender may not do something. If asked
    /// to (`lends`), it returns a cookie that lends the sender's rights to the browser; nil where no cookie is needed. Throws the refusal.
    func answer(_ request: HTTPRequestHead, on connection: Int,
                admit: (Access, _ lends: Bool) throws(HTTPRefusal) -> String?) throws(HTTPRefusal) -> EventLoopFuture<HTTPAnswer> {
        guard request.method == .GET || request.method == .HEAD else {
            throw HTTPRefusal(.methodNotAllowed, "expected GET or HEAD, found \(request.method.rawValue)", headers: ["Allow": "GET, HEAD"])
        }
        let target = request.uri.prefix { $0 != "?" }
        if let recordings, let path = try Self.recording(target) {
            guard path.path != "index.html" else {
                return loop.makeSucceededFuture(HTTPAnswer(admittedWith: try admit(.inspect, true)))
            }
            let recording = try Recording(path, query: request.uri[target.endIndex...].dropFirst())
            _ = try admit(recording.form.access, false)
            return recordings.answer(recording, for: request, on: connection)
        }
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

    /// The path within the folder of recordings; nil for any other target.
    private static func recording(_ target: Substring) throws(HTTPRefusal) -> PagePath? {
        guard target.hasPrefix("/\(Recording.folder)/") else { return nil }
        return try PagePath(target).inside(Recording.folder)
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
        // The origin was checked before: only own pages and those of http-origins get here.
        let origin = request.headers.first(name: "Origin")
        return file(part, of: kit, at: path, orElse: "the kit is not installed", for: request, on: connection)
            .map { $0.shared(with: origin) }
    }

    /// Answers with the file at `path` in `folder`. `address` is the path in the request. `reason` is the answer where there is no folder.
    private func file(_ path: PagePath, of folder: Pages?, at address: PagePath, orElse reason: String, for request: HTTPRequestHead,
                      on connection: Int) -> EventLoopFuture<HTTPAnswer> {
        guard let folder else { return loop.makeSucceededFuture(HTTPAnswer(HTTPRefusal(.notFound, reason))) }
        return workers.run(for: connection, on: loop) { [workers] in
            switch folder.find(path) {
            case .file(let file): HTTPAnswer(file, for: request, by: workers)
            case .folder: HTTPAnswer(redirect: "/\(address.path)/")
            case .nothing: HTTPAnswer(HTTPRefusal(.notFound, "there is no such file"))
            case .unreadable(let reason): HTTPAnswer(HTTPRefusal(.internalServerError, "this file cannot be read: \(reason)"))
            }
        }.flatMapErrorThrowing { HTTPAnswer(HTTPRefusal(.serviceUnavailable, "\($0)")) }
    }

    /// Whether a recording is being sent to the connection.
    func sendsRecording(on connection: Int) -> Bool { recordings?.isSending(to: connection) ?? false }

    /// Records that the connection has its answer, and so makes room for others.
    func answered(_ connection: Int) { recordings?.end(connection) }

    /// Drops the waiting work of a connection that has closed, to make room for others.
    func forget(_ connection: Int) {
        workers.forget(connection)
        support.forget(connection)
        recordings?.end(connection)
    }
}

import Files
import Glibc
import NIOCore
import NIOHTTP1
import Wire

/// Answers requests for `/support`, which only operators may make, with a file of the facts that people need who give support. Thread: its
/// event loop.
final class SupportDesk {
    private static let path = "/support"

    private let make: (@Sendable (Identity) throws -> CInt)?
    /// The thread that makes the file. It is separate because that takes seconds.
    private let workers = Workers(threads: 1, room: 1, share: 1)
    /// The threads that read the finished file while it is sent.
    private let readers: Workers
    private let loop: any EventLoop
    /// Whether a file is being made. One is made at a time, and nobody waits for another.
    private var isMaking = false

    /// The seconds after which a client that was refused meanwhile may try again.
    private static let pause = 60

    /// `make` is as in `HTTPServer.Settings`.
    init(on loop: any EventLoop, readBy readers: Workers, make: (@Sendable (Identity) throws -> CInt)?) {
        self.loop = loop
        self.readers = readers
        self.make = make
    }

    static func isWanted(by request: HTTPRequestHead) -> Bool { request.uri.prefix { $0 != "?" } == path }

    /// Answers the request of an admitted client, which came on the connection number `connection`. Throws 403, 404, 405 and 503.
    func answer(_ request: HTTPRequestHead, of client: HTTPAccess.Admission, on connection: Int) throws(HTTPRefusal)
        -> EventLoopFuture<HTTPAnswer> {
        guard client.wayIn.role == .operator else { throw HTTPRefusal(.forbidden, "expected an operator's token") }
        guard request.method == .GET else {
            throw HTTPRefusal(.methodNotAllowed, "expected GET, found \(request.method.rawValue)", headers: ["Allow": "GET"])
        }
        guard let make else { throw HTTPRefusal(.notFound, "there is no such file here") }
        guard !isMaking else {
            throw HTTPRefusal(.serviceUnavailable, "the file is being made for somebody already: try again in a minute",
                              headers: ["Retry-After": "\(Self.pause)"])
        }
        isMaking = true
        let identity = client.identity
        let promise = loop.makePromise(of: HTTPAnswer.self)
        workers.start(for: connection) { [readers] in
            promise.completeWith(Result { HTTPAnswer(support: try Self.file(try make(identity)), by: readers) })
        } refused: { promise.fail($0) }
        promise.futureResult.assumeIsolated().whenComplete { _ in self.isMaking = false }
        return promise.futureResult.flatMapErrorThrowing { HTTPAnswer(HTTPRefusal(.serviceUnavailable, "\($0)")) }
    }

    private static func file(_ descriptor: CInt) throws -> PageFile {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            close(descriptor)
            throw PageFile.Unreadable.now
        }
        return try PageFile(descriptor, status, type: "application/gzip")
    }

    /// Drops the waiting request of a connection that has closed.
    func forget(_ connection: Int) { workers.forget(connection) }
}

import Files
import NIOCore
import NIOHTTP1
import Wire

/// The source of an answer's bytes, which are read one piece at a time. Thread: any, several at once.
public protocol ServedBytes: Sendable {
    /// The media type (RFC 9110, section 8.3).
    var type: String { get }
    /// The number of all bytes.
    var size: Int { get }
    var tag: EntityTag { get }
    /// All bytes, if they are in memory; nil if they must be read with `part`.
    var whole: ByteBuffer? { get }

    /// Returns the bytes at `range`, at most 64 KiB. May take some 50 ms. Returns nil where it has made progress but not come to `range`;
    /// the caller then asks for the same range again, after others have had their turn. Throws when the bytes do not exist any more.
    func part(_ range: Range<Int>) throws -> ByteBuffer?
}

extension ServedBytes {
    public var whole: ByteBuffer? { nil }
}

/// The recorded sessions that can be heard and saved over HTTP. Thread: any.
public protocol Recordings: Sendable {
    /// Finds the session and the form that `recording` names. Waits for the disk. Throws 404 where there is no such session, and other
    /// refusals.
    func find(_ recording: Recording) throws(HTTPRefusal) -> any ServedBytes
}

/// The address of a recorded session: `/sessions/NAME.wav` or `/sessions/NAME.jsonl`, where NAME is the name of its journal. With
/// `?until=SECONDS` the sound is that of the session's first seconds, which can be had while the session goes on.
public struct Recording: Equatable, Sendable {
    /// The forms in which a session is served, by the extensions of their names.
    public enum Form: String, CaseIterable, Sendable {
        /// The sound, which is rendered while it is sent.
        case wav
        /// The journal, which contains the names and the money of households.
        case jsonl

        /// What a client must be allowed to do in order to get this form of a session.
        var access: Access {
            switch self {
            case .wav: .inspect
            case .jsonl: .act(by: .operator)
            }
        }

        /// The rule for stored copies (RFC 9111, section 5.2.2). A browser may store a sound, but must ask each time whether it has
        /// changed. Nobody may store a journal.
        fileprivate var caching: String {
            switch self {
            case .wav: "private, no-cache"
            case .jsonl: "no-store"
            }
        }
    }

    /// The folder of all recordings. It hides a folder of the same name among the pages.
    static let folder = "sessions"

    /// The session's name, which is the name of its journal without the extension. It contains no slash, and does not begin with a dot.
    public let session: String
    public let form: Form
    /// The number of seconds from the session's start whose sound is wanted; nil for all of it.
    public let until: Int?
    /// The seconds that may be asked for: a week, which is the longest sound that there is.
    private static let seconds = 1...604_800

    /// Reads the path of a request within the folder, and its query. Throws 404 for a path that is no recording's, and 400 for a wrong
    /// number of seconds.
    init(_ path: PagePath, query: Substring = "") throws(HTTPRefusal) {
        guard let dot = path.path.lastIndex(of: "."), let form = Form(rawValue: String(path.path[dot...].dropFirst())),
              !path.path.contains("/") else {
            throw HTTPRefusal(.notFound, "expected the name of a session, with .wav for its sound or .jsonl for its journal")
        }
        session = String(path.path[..<dot])
        self.form = form
        guard form == .wav, let asked = query.split(separator: "&").first(where: { $0.hasPrefix("until=") }) else {
            until = nil
            return
        }
        guard let seconds = Int(asked.dropFirst("until=".count)), Self.seconds.contains(seconds) else {
            throw HTTPRefusal(.badRequest, "until: expected whole seconds from \(Self.seconds.lowerBound) to \(Self.seconds.upperBound)")
        }
        until = seconds
    }
}

/// Answers requests for recorded sessions. One thread renders for all clients, one piece for each in turn, so that rendering takes no more
/// than one processor away from the sound that is being played. Thread: its event loop.
final class RecordingDesk {
    /// The largest number of recordings that are sent at once.
    static let most = 12
    /// The seconds after which a client that was turned away may ask again.
    private static let pause = 5

    private let recordings: any Recordings
    private let loop: any EventLoop
    private let workers: Workers
    /// The connections to which a recording is being sent.
    private var open: Set<Int> = []

    init(_ recordings: any Recordings, by workers: Workers = Workers(threads: 1, room: 2 * most, share: 2), on loop: any EventLoop) {
        self.recordings = recordings
        self.workers = workers
        self.loop = loop
    }

    /// Answers `request` for `recording`, which came on the connection number `connection`. Answers 503 while too many recordings are being
    /// sent, or wait to be.
    func answer(_ recording: Recording, for request: HTTPRequestHead, on connection: Int) -> EventLoopFuture<HTTPAnswer> {
        guard open.contains(connection) || open.count < Self.most else {
            return loop.makeSucceededFuture(Self.later("\(Self.most) recordings are sent already"))
        }
        open.insert(connection)
        return workers.run(for: connection, on: loop) { [recordings, workers] in
            do throws(HTTPRefusal) {
                var answer = HTTPAnswer(try recordings.find(recording), for: request, by: workers)
                answer.headers.replaceOrAdd(name: "Cache-Control", value: recording.form.caching)
                guard answer.status.code < 300 else { return answer }
                answer.headers.add(name: "Content-Disposition", value: "inline; filename=\"\(recording.fileName)\"")
                return answer
            } catch {
                return HTTPAnswer(error)
            }
        }.flatMapErrorThrowing { error in
            guard let busy = error as? Workers.Busy else { throw error }
            return Self.later(busy.description)
        }
    }

    private static func later(_ reason: String) -> HTTPAnswer {
        HTTPAnswer(HTTPRefusal(.serviceUnavailable, "\(reason): wait \(pause) s", headers: ["Retry-After": "\(pause)"]))
    }

    func isSending(to connection: Int) -> Bool { open.contains(connection) }

    /// Records that the connection has its answer or has closed, and so makes room for another recording.
    func end(_ connection: Int) {
        open.remove(connection)
        workers.forget(connection)
    }
}

extension Recording {
    /// The name under which a browser saves the recording, in characters that need no quoting.
    fileprivate var fileName: String {
        let plain = session.map { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) ? $0 : "_" }
        return String(plain) + "." + form.rawValue
    }
}

extension Workers {
    /// Runs `job` on one of the threads. The future fails where the job throws or is not run.
    func run<Found: Sendable>(for connection: Int, on loop: any EventLoop,
                              _ job: @escaping @Sendable () throws -> Found) -> EventLoopFuture<Found> {
        let promise = loop.makePromise(of: Found.self)
        start(for: connection) { promise.completeWith(Result(catching: job)) } refused: { promise.fail($0) }
        return promise.futureResult
    }
}

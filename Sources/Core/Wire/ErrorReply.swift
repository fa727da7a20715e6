import Fields

/// An error reply of JSON-RPC, with the faulty field where there is one.
public struct ErrorReply: Error, Equatable, Sendable {
    /// The error codes of the JSON-RPC 2.0 specification, section 5.1, and one code of this program's own.
    public enum Code: Equatable, Sendable {
        case parseError, invalidRequest, methodNotFound, invalidParams
        /// The request was understood, but a limit or the present state does not allow it.
        case refused(Reason)

        public var number: Int {
            switch self {
            case .parseError: -32700
            case .invalidRequest: -32600
            case .methodNotFound: -32601
            case .invalidParams: -32602
            case .refused: Self.refusedNumber
            }
        }

        static let refusedNumber = -32000
    }

    /// The reason why a request was refused, as a word for programs. A front end decides by it what to do next.
    public enum Reason: String, CaseIterable, Encodable, Sendable {
        /// The client's role or identity does not allow the request.
        case notAllowed = "not-allowed"
        /// Touches are refused, because another source of touches owns the screen.
        case notOwner = "not-owner"
        /// The daemon does not have what was asked for: another piece runs, or a setting is missing.
        case notHere = "not-here"
        /// The state does not allow the request: for instance the theme lacks a name, or the piece or the house refuses a value.
        case notNow = "not-now"
        /// A limit is reached: on clients, their fingers, subscribers, planned events, or answers that wait to be read.
        case noRoom = "no-room"
        /// The client makes too many requests a second, or tries another secret too soon after a wrong secret.
        case tooFast = "too-fast"
        /// Events come faster than they can be played.
        case overloaded
        /// Somebody else's request of the same kind is being carried out. The same request may be made again a moment later.
        case busy
        /// The planned event was dropped before its time.
        case cancelled
        /// Other clients keep the daemon busy. The same request may be made again after `retryAfter`.
        case notYet = "not-yet"
        /// The household has a secret, and this client has not sent it.
        case secretNeeded = "secret-needed"
        /// The secret that the client sent is not the household's.
        case secretWrong = "secret-wrong"
        /// The change cannot be written to disk.
        case notKept = "not-kept"
        /// A file cannot be read, the sound server or the kiosk does not answer, no voice is installed that can speak, or nothing would
        /// start the daemon again.
        case unavailable
        case shuttingDown = "shutting-down"

        /// Describes the reason for people, as one cell of a Markdown table.
        public var about: String {
            switch self {
            case .notAllowed: "not to this client: its role, or who it is, does not allow it"
            case .notOwner: "somebody else's touches count ([one finger, one owner](#one-finger-one-owner))"
            case .notHere: "this `thrumd` does not have it: another piece runs, or a setting is missing"
            case .notNow: "not as things are; `field` says what is in the way, for instance a name that the theme does not have"
            case .noRoom: "a limit is reached: of clients, their fingers, subscribers, planned events, or answers that wait to be read"
            case .tooFast: "more in a second than one client may ask for (`max-rate`), or than people can do ([limits](#limits)), or "
                + "another secret too soon after a wrong one"
            case .overloaded: "events come faster than they can be played"
            case .busy: "others are at it: the same request may be made again a moment later"
            case .cancelled: "planned, and dropped before its time: by `stop`, `session.end`, or the end of its client's connection"
            case .notYet: "others are at it; `retryAfter` says in how many seconds the same may be asked again"
            case .secretNeeded: "the household has a secret, which this client has not said ([secrets](authority.md#a-households-secret))"
            case .secretWrong: "the secret is not the household's; `retryAfter` says in how many seconds this client may say another"
            case .notKept: "the disk does not take it"
            case .unavailable: "a file, the sound server or the kiosk cannot be read or asked, there is no voice that speaks, or nobody "
                + "would start `thrumd` again"
            case .shuttingDown: "`thrumd` ends, or starts anew: connect again"
            }
        }
    }

    public var code: Code
    public var message: String
    public var fault: Fault?
    /// The number of seconds after which the same request may succeed; nil where that is not known.
    public var retryAfter: Double?
    /// The request's id; nil when the request was a notification, which gets no answer.
    public var id: RequestID?

    /// Creates an error. With `retryAfter`, the message ends with the number of seconds to wait.
    public init(_ code: Code, _ message: String, fault: Fault? = nil, retryAfter: Double? = nil, id: RequestID? = .null) {
        self.code = code
        // Rounded up to a tenth of a second, so that nobody asks again too early.
        self.retryAfter = retryAfter.map { ($0 * 10).rounded(.up) / 10 }
        self.message = message + (self.retryAfter.map { "; ask again in \(Fault.plain($0)) s" } ?? "")
        self.fault = fault
        self.id = id
    }

    public init(_ code: Code, fault: Fault, retryAfter: Double? = nil, id: RequestID? = .null) {
        self.init(code, fault.description, fault: fault, retryAfter: retryAfter, id: id)
    }

    public func answering(_ id: RequestID?) -> ErrorReply {
        var answer = self
        answer.id = id
        return answer
    }
}

extension ErrorReply: Encodable {
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Fields.Key.self)
        try container.encode(code.number, forKey: .init("code"))
        try container.encode(message, forKey: .init("message"))
        let details = details
        if details != Details() { try container.encode(details, forKey: .init("data")) }
    }

    /// The member `data` of an error reply.
    struct Details: Encodable, Equatable {
        var field: String?
        var expected: String?
        var found: String?
        var reason: Reason?
        var retryAfter: Double?
    }

    static var shapeOfData: Shape { Shape(of: Details(field: "", expected: "", found: "", reason: .busy, retryAfter: 0)) }

    private var details: Details {
        var details = Details(field: fault?.field, expected: fault?.expected, found: fault?.found)
        details.retryAfter = retryAfter
        if details.field?.isEmpty == true { details.field = nil }
        if case .refused(let reason) = code { details.reason = reason }
        return details
    }
}

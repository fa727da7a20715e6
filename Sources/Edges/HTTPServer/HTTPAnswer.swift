import Files
import FoundationEssentials
import NIOCore
import NIOHTTP1
import Wire

/// The answer to a request.
struct HTTPAnswer {
    enum Body {
        case bytes(ByteBuffer)
        /// A range of bytes that workers read or render while they are sent.
        case part(any ServedBytes, Range<Int>, by: Workers)

        var count: Int {
            switch self {
            case .bytes(let bytes): bytes.readableBytes
            case .part(_, let range, _): range.count
            }
        }
    }

    var status: HTTPResponseStatus
    var headers: HTTPHeaders
    var body: Body

    private init(_ status: HTTPResponseStatus, _ text: some Sequence<UInt8>, type: String, headers: HTTPHeaders = [:]) {
        self.init(status, .bytes(ByteBuffer(bytes: text)), type: type, headers: headers)
    }

    private init(_ status: HTTPResponseStatus, _ body: Body, type: String, headers: HTTPHeaders) {
        self.status = status
        self.body = body
        self.headers = headers
        self.headers.replaceOrAdd(name: "Content-Type", value: type)
    }

    init(_ refusal: HTTPRefusal) {
        self.init(refusal.status, (refusal.reason + "\n").utf8, type: ContentType.text, headers: refusal.headers)
    }

    /// Answers with a file, or with the part that is requested; with 304 if the browser's copy is up to date. Browsers may store a copy,
    /// but must ask each time, so that a new version is used at once.
    init(_ file: any ServedBytes, for request: HTTPRequestHead, by workers: Workers) {
        let tag = file.tag
        var headers: HTTPHeaders = ["ETag": tag.text, "Cache-Control": "no-cache", "Accept-Ranges": "bytes"]
        if tag.matches(request.headers[canonicalForm: "If-None-Match"]) {
            self.init(.notModified, [], type: file.type, headers: headers)
            return
        }
        switch ByteRange(of: request, size: file.size, tag) {
        case .whole: self.init(.ok, Body(file, 0..<file.size, by: workers), type: file.type, headers: headers)
        case .part(let range):
            headers.add(name: "Content-Range", value: "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(file.size)")
            self.init(.partialContent, Body(file, range, by: workers), type: file.type, headers: headers)
        case .beyond:
            self.init(HTTPRefusal(.rangeNotSatisfiable, "expected a range within \(file.size) bytes",
                                  headers: ["Content-Range": "bytes */\(file.size)"]))
        }
    }

    /// Answers with the file for support, which the browser must save. The file is made for one request, and no cache between server and
    /// browser may store a copy.
    init(support file: PageFile, by workers: Workers) {
        self.init(.ok, Body(file, 0..<file.size, by: workers), type: file.type, headers: [
            "Cache-Control": "no-store", "Content-Disposition": "attachment; filename=\"thrum-support.tar.gz\"",
        ])
    }

    /// Answers that the client may get recorded sessions. `cookie` is what the browser must send with each request for a recording; nil
    /// where it needs none.
    init(admittedWith cookie: String?) {
        self.init(.ok, [], type: ContentType.text, headers: ["Cache-Control": "no-store"])
        if let cookie { headers.add(name: "Set-Cookie", value: cookie) }
    }

    /// Redirects the browser to `path` on this server, temporarily (307).
    init(redirect path: String) {
        self.init(.temporaryRedirect, [], type: ContentType.text, headers: ["Location": path, "Cache-Control": "no-store"])
    }

    /// Returns this answer with headers that let a page of `origin`, on another server, read it. Browsers hide the answer from other pages.
    /// `origin` is nil where the request names none.
    func shared(with origin: String?) -> HTTPAnswer {
        var answer = self
        answer.headers.add(name: "Vary", value: "Origin")
        guard let origin else { return answer }
        answer.headers.add(name: "Access-Control-Allow-Origin", value: origin)
        answer.headers.add(name: "Cross-Origin-Resource-Policy", value: "cross-origin")
        return answer
    }

    /// Answers with metrics in the text format of Prometheus.
    init(metrics report: StatusReport) {
        self.init(.ok, report.metrics.utf8, type: "text/plain; version=0.0.4; charset=utf-8", headers: ["Cache-Control": "no-store"])
    }

    /// Answers with the state of health: 200 if there is no issue, else 503.
    init(health report: StatusReport) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let json = try? encoder.encode(Health(report)) else {
            preconditionFailure("texts always encode")
        }
        self.init(report.issues.isEmpty ? .ok : .serviceUnavailable, Array(json) + [UInt8(ascii: "\n")], type: ContentType.json,
                  headers: ["Cache-Control": "no-store"])
    }

    private struct Health: Encodable {
        var ok: Bool
        var issues: [String]
        /// Notices of what somebody has set by hand; left out where there are none.
        var notices: [String]?

        init(_ report: StatusReport) {
            (ok, issues) = (report.issues.isEmpty, report.issues)
            let house = report.house.anonymousNotices
            notices = house.isEmpty ? nil : house
        }
    }

    /// The headers that every answer gets unless it sets them itself. Because of them a page can load scripts, styles, pictures and data
    /// from this server alone, cannot have inline scripts or styles, and cannot be shown in a frame.
    static let precautions: HTTPHeaders = [
        "Content-Security-Policy": """
            default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; \
            media-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; \
            frame-ancestors 'none'
            """,
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
    ]
}

extension HTTPAnswer.Body {
    /// Makes a body of the bytes of `file` in `range`: from memory if all bytes are there, and otherwise read by `workers` while they are
    /// sent.
    fileprivate init(_ file: any ServedBytes, _ range: Range<Int>, by workers: Workers) {
        if let whole = file.whole, let bytes = whole.getSlice(at: whole.readerIndex + range.lowerBound, length: range.count) {
            self = .bytes(bytes)
        } else {
            self = .part(file, range, by: workers)
        }
    }
}

/// The part of a file that a request wants (RFC 9110, section 14). Browsers request parts when people jump within a video.
enum ByteRange: Equatable {
    /// The whole file: the request has no `Range`, or one that this server may ignore, such as one with several parts.
    case whole
    case part(Range<Int>)
    /// A range that begins after the end of the file.
    case beyond

    /// Reads the range that a request asks for. The file now has `size` bytes and the tag `tag`.
    init(of request: HTTPRequestHead, size: Int, _ tag: EntityTag) {
        self = .whole
        // With `If-Range`, the client wants a part only of the version of which it has other parts already.
        let condition = request.headers.first(name: "If-Range")
        guard request.method == .GET, condition == nil || condition == tag.text,
              let match = request.headers.first(name: "Range")?.wholeMatch(of: /bytes=(\d{0,15})-(\d{0,15})/) else { return }
        switch (Int(match.1), Int(match.2)) {
        case (let first?, let last) where (last ?? first) >= first:
            self = first < size ? .part(first..<min(size, (last ?? size) + 1)) : .beyond
        case (nil, let length?): self = length > 0 && size > 0 ? .part(max(0, size - length)..<size) : .beyond
        default: break
        }
    }
}

import FoundationEssentials
import NIOCore
import NIOHTTP1
import Wire

/// The answer to a request.
struct HTTPAnswer {
    enum Body {
        case bytes(ByteBuffer)
        /// A part of a file, which is read as it is sent.
        case part(PageFile, Range<Int>)

        var count: Int {
            switch self {
            case .bytes(let bytes): bytes.readableBytes
            case .part(_, let range): range.count
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

    /// Answers with a file, or the part of it that is asked for; with 304 where the browser's copy is still right. Browsers may keep a
    /// copy, but ask again each time, so that a new version counts at once.
    init(_ file: PageFile, for request: HTTPRequestHead) {
        let tag = file.tag
        var headers: HTTPHeaders = ["ETag": tag.text, "Cache-Control": "no-cache", "Accept-Ranges": "bytes"]
        if tag.matches(request.headers[canonicalForm: "If-None-Match"]) {
            self.init(.notModified, [], type: file.type, headers: headers)
            return
        }
        switch ByteRange(of: request, size: file.size, tag) {
        case .whole: self.init(.ok, Body(file, 0..<file.size), type: file.type, headers: headers)
        case .part(let range):
            headers.add(name: "Content-Range", value: "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(file.size)")
            self.init(.partialContent, Body(file, range), type: file.type, headers: headers)
        case .beyond:
            self.init(HTTPRefusal(.rangeNotSatisfiable, "expected a range within \(file.size) bytes",
                                  headers: ["Content-Range": "bytes */\(file.size)"]))
        }
    }

    /// Sends the browser to `path` on this server, for now (307).
    init(redirect path: String) {
        self.init(.temporaryRedirect, [], type: ContentType.text, headers: ["Location": path, "Cache-Control": "no-store"])
    }

    /// The same answer for a page of `origin`, which may ask although it is from another server; nil where the request names no origin.
    /// Browsers show the answer to no other page.
    func shared(with origin: String?) -> HTTPAnswer {
        var answer = self
        answer.headers.add(name: "Vary", value: "Origin")
        guard let origin else { return answer }
        answer.headers.add(name: "Access-Control-Allow-Origin", value: origin)
        answer.headers.add(name: "Cross-Origin-Resource-Policy", value: "cross-origin")
        return answer
    }

    /// Answers with metrics in Prometheus' text format.
    init(metrics report: StatusReport) {
        self.init(.ok, report.metrics.utf8, type: "text/plain; version=0.0.4; charset=utf-8", headers: ["Cache-Control": "no-store"])
    }

    /// Answers with the state of health: 200 where there is no issue, else 503.
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
        /// The notices of what somebody has set by hand; left out where there are none.
        var notices: [String]?

        init(_ report: StatusReport) {
            (ok, issues) = (report.issues.isEmpty, report.issues)
            let house = report.house.anonymousNotices
            notices = house.isEmpty ? nil : house
        }
    }

    /// The headers of every answer that does not set them itself. A page gets scripts, styles, pictures and data from this server alone, no
    /// script or style stands inside the page itself, and it is in no frame.
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
    /// Takes the bytes from memory where the whole file is there.
    fileprivate init(_ file: PageFile, _ range: Range<Int>) {
        if let whole = file.whole, let bytes = whole.getSlice(at: whole.readerIndex + range.lowerBound, length: range.count) {
            self = .bytes(bytes)
        } else {
            self = .part(file, range)
        }
    }
}

/// The part of a file that a request asks for (RFC 9110, section 14). Browsers ask for parts when somebody jumps into a video.
enum ByteRange: Equatable {
    /// The whole file: there is no `Range`, or one that this server may ignore, such as several parts at once.
    case whole
    case part(Range<Int>)
    /// The file ends before the range begins.
    case beyond

    /// Reads the range of a request for a file of `size` bytes that has `tag` now.
    init(of request: HTTPRequestHead, size: Int, _ tag: EntityTag) {
        self = .whole
        // Only a part of what the asker has already is of use to them.
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

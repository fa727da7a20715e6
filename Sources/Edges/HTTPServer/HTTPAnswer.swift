import FoundationEssentials
import NIOCore
import NIOHTTP1
import Wire

/// What is said to a request.
struct HTTPAnswer {
    enum Body {
        case bytes(ByteBuffer)
        /// Part of a file, which is read as it is sent.
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

    /// A file, or the part of it that is asked for. Whoever has it already is not sent it again. It may be kept, but asked for again each
    /// time: a new version counts at once.
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

    /// Elsewhere on this server, for now.
    init(redirect path: String) {
        self.init(.temporaryRedirect, [], type: ContentType.text, headers: ["Location": path, "Cache-Control": "no-store"])
    }

    /// The same for a page of `origin`, which may ask although it is from elsewhere; nil for whoever names none. Browsers show the answer
    /// to no other page.
    func shared(with origin: String?) -> HTTPAnswer {
        var answer = self
        answer.headers.add(name: "Vary", value: "Origin")
        guard let origin else { return answer }
        answer.headers.add(name: "Access-Control-Allow-Origin", value: origin)
        answer.headers.add(name: "Cross-Origin-Resource-Policy", value: "cross-origin")
        return answer
    }

    /// In Prometheus' text format.
    init(metrics report: StatusReport) {
        self.init(.ok, report.metrics.utf8, type: "text/plain; version=0.0.4; charset=utf-8", headers: ["Cache-Control": "no-store"])
    }

    /// 200 where all is well, else 503.
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
        /// What somebody has set by hand; left out where there is nothing.
        var notices: [String]?

        init(_ report: StatusReport) {
            (ok, issues) = (report.issues.isEmpty, report.issues)
            let house = report.house.anonymousNotices
            notices = house.isEmpty ? nil : house
        }
    }

    /// Of every answer that does not have them otherwise. A page gets scripts, styles, pictures and data from this server alone, no script
    /// or style is written into the page itself, and it is in no frame.
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
    /// What is in memory already is sent from there.
    fileprivate init(_ file: PageFile, _ range: Range<Int>) {
        if let whole = file.whole, let bytes = whole.getSlice(at: whole.readerIndex + range.lowerBound, length: range.count) {
            self = .bytes(bytes)
        } else {
            self = .part(file, range)
        }
    }
}

import NIOHTTP1

/// The part of a file that a request asks for (RFC 9110, section 14): a video is asked for like that when somebody goes to its middle.
enum ByteRange: Equatable {
    /// All of it: there is no `Range`, or one that this server does not serve and may pass over, such as several parts at once.
    case whole
    case part(Range<Int>)
    /// The file ends before it.
    case beyond

    /// Of a file of `size` bytes, which has this tag now.
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

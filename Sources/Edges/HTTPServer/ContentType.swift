/// What a file is, by its name's ending (RFC 9110, section 8.3). Browsers are told not to guess, so that a type must be right.
enum ContentType {
    static let text = "text/plain; charset=utf-8"
    static let json = "application/json"

    private static let byEnding = [
        "avif": "image/avif", "css": "text/css; charset=utf-8", "gif": "image/gif", "html": "text/html; charset=utf-8",
        "ico": "image/vnd.microsoft.icon", "jpeg": "image/jpeg", "jpg": "image/jpeg", "js": "text/javascript; charset=utf-8", "json": json,
        "md": "text/markdown; charset=utf-8", "mjs": "text/javascript; charset=utf-8", "mp3": "audio/mpeg", "mp4": "video/mp4",
        "ogg": "audio/ogg", "otf": "font/otf", "png": "image/png", "svg": "image/svg+xml", "ttf": "font/ttf", "txt": text,
        "wasm": "application/wasm", "wav": "audio/wav", "webm": "video/webm", "webmanifest": "application/manifest+json",
        "webp": "image/webp", "woff": "font/woff", "woff2": "font/woff2",
    ]

    static func of(_ path: String) -> String {
        guard let dot = path.lastIndex(of: "."), !path[dot...].contains("/") else { return "application/octet-stream" }
        return byEnding[path[dot...].dropFirst().lowercased()] ?? "application/octet-stream"
    }
}

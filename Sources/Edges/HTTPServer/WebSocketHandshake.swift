import FoundationEssentials
import NIOHTTP1

/// What a request for a WebSocket must be like (RFC 6455, section 4.2.1).
enum WebSocketHandshake {
    /// That of the protocol, which a client may name (section 1.9).
    static let subprotocol = "thrum"

    static func check(_ request: HTTPRequestHead) throws(HTTPRefusal) {
        guard request.method == .GET else {
            throw HTTPRefusal(.methodNotAllowed, "expected the method GET, found \(request.method.rawValue)",
                              headers: ["Allow": "GET"])
        }
        guard (request.version.major, request.version.minor) >= (1, 1) else {
            throw HTTPRefusal(.badRequest, "expected HTTP/1.1, found \(request.version.major).\(request.version.minor)")
        }
        guard request.headers[canonicalForm: "Upgrade"].contains(where: { $0.lowercased() == "websocket" }) else {
            throw HTTPRefusal(.upgradeRequired, "expected a WebSocket here",
                              headers: ["Upgrade": "websocket", "Connection": "Upgrade"])
        }
        guard request.headers["Sec-WebSocket-Version"] == ["13"] else {
            throw HTTPRefusal(.upgradeRequired, "expected Sec-WebSocket-Version 13",
                              headers: ["Sec-WebSocket-Version": "13"])
        }
        let keys = request.headers["Sec-WebSocket-Key"]
        guard keys.count == 1, Data(base64Encoded: keys[0])?.count == 16 else {
            throw HTTPRefusal(.badRequest, "expected one Sec-WebSocket-Key, 16 bytes in base64")
        }
        guard request.headers[canonicalForm: "Connection"].contains(where: { $0.lowercased() == "upgrade" }) else {
            throw HTTPRefusal(.badRequest, "expected \"Connection: Upgrade\" beside the Upgrade")
        }
    }

    /// Of the answer. A browser that has named protocols wants one of them.
    static func headers(for request: HTTPRequestHead) -> HTTPHeaders {
        let wanted = request.headers[canonicalForm: "Sec-WebSocket-Protocol"]
        return wanted.contains { $0 == subprotocol } ? ["Sec-WebSocket-Protocol": subprotocol] : [:]
    }
}

import FoundationEssentials
import NIOHTTP1

/// What a request for a WebSocket must be like (RFC 6455, section 4.2.1).
enum WebSocketHandshake {
    struct Refusal: Error {
        var status: HTTPResponseStatus
        var reason: String
        var headers: HTTPHeaders = [:]
    }

    static func check(_ request: HTTPRequestHead) throws(Refusal) {
        guard request.method == .GET else {
            throw Refusal(status: .methodNotAllowed, reason: "expected the method GET, found \(request.method.rawValue)",
                          headers: ["Allow": "GET"])
        }
        guard (request.version.major, request.version.minor) >= (1, 1) else {
            throw Refusal(status: .badRequest, reason: "expected HTTP/1.1, found \(request.version.major).\(request.version.minor)")
        }
        guard request.headers[canonicalForm: "Upgrade"].contains(where: { $0.lowercased() == "websocket" }) else {
            throw Refusal(status: .upgradeRequired, reason: "here is a WebSocket, and nothing else",
                          headers: ["Upgrade": "websocket", "Connection": "Upgrade"])
        }
        guard request.headers["Host"].count == 1 else {
            throw Refusal(status: .badRequest, reason: "expected one Host, found \(request.headers["Host"].count)")
        }
        guard request.headers["Sec-WebSocket-Version"] == ["13"] else {
            throw Refusal(status: .upgradeRequired, reason: "expected Sec-WebSocket-Version 13",
                          headers: ["Sec-WebSocket-Version": "13"])
        }
        let keys = request.headers["Sec-WebSocket-Key"]
        guard keys.count == 1, Data(base64Encoded: keys[0])?.count == 16 else {
            throw Refusal(status: .badRequest, reason: "expected one Sec-WebSocket-Key, 16 bytes in base64")
        }
    }
}

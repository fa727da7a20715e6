import Foundation
import TestSupport

/// A page, as the protocol sees it.
final class Page {
    /// What the engine streamed of a finger, or what a page reports of one.
    struct Contact {
        /// The kernel's time, CLOCK_MONOTONIC in nanoseconds.
        var moment: Int64
        var phase: String
        var id: Int
        var x: Double
        var y: Double
    }

    private let socket: LineSocket
    private var told: [(method: String, params: [String: Any])] = []
    /// As the greeting said.
    private(set) var owner: String?

    init(_ stage: Stage, touches: String) throws {
        socket = try LineSocket(stage.daemon.socket)
        let greeting = try call("hello", #"{"client":"page","touches":"\#(touches)"}"#)["result"] as? [String: Any]
        owner = (greeting?["touches"] as? [String: Any])?["owner"] as? String
        _ = try call("subscribe", #"{"topics":["touches","touch.owner"]}"#)
    }

    /// The answer; what comes before is kept.
    func call(_ method: String, _ parameters: String = "{}") throws -> [String: Any] {
        try socket.send(#"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":\#(parameters)}"#)
        while true {
            guard let message = try JSONSerialization.jsonObject(with: Data(try socket.receive().utf8)) as? [String: Any] else { continue }
            if message["id"] != nil { return message }
            told.append((message["method"] as? String ?? "", message["params"] as? [String: Any] ?? [:]))
        }
    }

    /// Says what happened at `moment`, and waits for no answer.
    func report(_ contact: Contact, at moment: Int64) throws {
        let parameters: [String: Any] = ["phase": contact.phase, "id": contact.id, "x": contact.x, "y": contact.y, "at": moment]
        let message = try JSONSerialization.data(withJSONObject: ["jsonrpc": "2.0", "method": "touch", "params": parameters])
        try socket.send(Array(message) + [10])
    }

    private func heard(_ topic: String) throws -> [[String: Any]] {
        _ = try call("ping")
        return told.filter { $0.method == topic }.map(\.params)
    }

    func owners() throws -> [String] { try heard("touch.owner").compactMap { $0["owner"] as? String } }

    /// As the greeting said, or what came after it.
    func ownerNow() throws -> String? { try owners().last ?? owner }

    /// All that was streamed.
    func contacts() throws -> [Contact] {
        try heard("touches").flatMap { params in
            (params["contacts"] as? [[String: Any]] ?? []).map { contact in
                Contact(moment: Int64(params["at"] as? Int ?? 0), phase: contact["phase"] as? String ?? "", id: contact["id"] as? Int ?? 0,
                        x: contact["x"] as? Double ?? 0, y: contact["y"] as? Double ?? 0)
            }
        }
    }
}

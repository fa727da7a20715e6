import Foundation
import Testing
import TestSupport

extension GuestTests {
    /// One finger, one owner. Chromium would be too slow here: Tests/AcceptanceTests/pages has the page's half.
    @Suite struct OwnershipTests {
        @Test func `a page has the touchscreen's fingers for itself, until it is pulled, and again when it is back`() async throws {
            var screen = try VirtualScreen()
            let stage = try await Stage()
            try #require(try await stage.isReady(screens: 1))
            let other = Witness(screen)
            screen.down(0, id: 1)
            screen.up(0)
            #expect(try await eventually { other.packets().count == 2 }, "anybody hears it while there is no page")
            var page: Page? = try Page(stage, touches: "engine")
            let pageOwner = page?.owner
            #expect(pageOwner == "engine")
            usleep(200_000)
            screen.down(0, id: 2)
            #expect(try await eventually { try page?.contacts().count == 1 })
            #expect(other.packets().isEmpty, "it is grabbed")
            let refused = try page?.call("touch", #"{"phase":"began","id":7}"#)
            #expect((refused?["error"] as? [String: Any])?["code"] as? Int == -32_000)

            screen.device.unplug()
            #expect(try await eventually { try page?.owners().last == "page" })
            #expect(try page?.contacts().map(\.phase) == ["began", "ended"], "pulled with a finger on it")
            #expect(try page?.call("touch", #"{"phase":"began","id":7}"#)["result"] != nil)
            _ = try page?.call("touch", #"{"phase":"ended","id":7}"#)

            screen = try VirtualScreen()
            #expect(try await eventually { try page?.owners().last == "engine" })
            let another = Witness(screen)
            screen.down(0, id: 3)
            #expect(try await eventually { try page?.contacts().count == 3 })
            #expect(another.packets().isEmpty, "it is grabbed again")
            #expect(try await eventually { try stage.fingers().count == 1 })
            // A page that goes lets go of nothing that is not its own.
            page = nil
            #expect(try await eventually { try stage.journal().last { $0.event == "touch.owner" }?.fields["owner"] as? String == "anyone" })
            #expect(try stage.fingers().count == 1)
            screen.up(0)
            #expect(try await eventually { another.packets().count == 1 }, "anybody hears it again")
            #expect(try await eventually { try stage.fingers().isEmpty })
        }
    }
}

/// A page, as the protocol sees it.
private final class Page {
    struct Contact {
        var phase: String
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

    private func heard(_ topic: String) throws -> [[String: Any]] {
        _ = try call("ping")
        return told.filter { $0.method == topic }.map(\.params)
    }

    func owners() throws -> [String] { try heard("touch.owner").compactMap { $0["owner"] as? String } }

    /// All that was streamed.
    func contacts() throws -> [Contact] {
        try heard("touches").flatMap { params in
            (params["contacts"] as? [[String: Any]] ?? []).map { contact in
                Contact(phase: contact["phase"] as? String ?? "")
            }
        }
    }
}

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

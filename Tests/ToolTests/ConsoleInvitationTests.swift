import Testing
import Wire

@testable import Tool

@Suite struct ConsoleInvitationTests {
    private func invitation(at address: String) -> ConsoleInvitation {
        ConsoleInvitation(Invitation(name: "shop+phone", role: .volume, code: "7k2mq9x4tz0a", seconds: 600, address: address), at: address)
    }

    @Test func `the code stands behind the hash, which no browser sends`() {
        let text = invitation(at: "http://hall-3:7400/console/")
        #expect(text.address == "http://hall-3:7400/console/#code=7k2mq9x4tz0a" && text.warning == nil)
        #expect(text.explanation == "It is good once, within 10 minutes. The device is shop+phone then, volume; "
            + "thrum token revoke shop+phone takes that back.")
    }

    @Test(arguments: ["http://localhost:7400/console/", "http://127.0.0.1:7400/console/", "http://[::1]:7400/console/"])
    func `an address that only this machine finds is said to be one`(address: String) {
        #expect(invitation(at: address).warning?.hasPrefix("only this machine finds that address") == true)
    }
}

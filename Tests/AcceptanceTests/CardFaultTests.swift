import Foundation
import Testing
import TestSupport

/// The output on a card, where there is no such card.
@Suite struct CardFaultTests {
    @Test(arguments: [("alsa:hw:CARD=Nowhere", "there is no hw:CARD=Nowhere, expected "), ("alsa:null", "null is a plugin of ALSA's, expected a card, ")])
    func `a card that is not there is named, with those that are, and waited for`(output: String, words: String) async throws {
        let daemon = try await Daemon(["--output", output])
        #expect(try await eventually { try daemon.issue().contains(words) })
        #expect(try daemon.outputState() == "waiting")
        let issues = try daemon.status()["issues"] as? [String] ?? []
        #expect(issues.contains { $0.hasPrefix("no sound: waiting for the sound card (") }, "\(issues)")
        // Events are taken and answered all the same.
        #expect(try LineSocket(daemon.socket).call("touch", #"{"phase":"began"}"#).contains("result"))
        #expect(daemon.terminate() == 0)
        #expect(daemon.process.errors.contains("waiting for the sound card"), "\(daemon.process.errors)")
        #expect(!daemon.process.errors.contains("ALSA lib"), "libasound's own words are not in the log")
    }

    @Test func `an output that is none is refused, with what is expected`() throws {
        let refused = try run(Programs.thrumd, ["--check-config", "--output", "alsa:"])
        #expect(refused.status != 0 && refused.errors.contains("alsa:DEVICE as in alsa:hw:CARD=PCH"), "\(refused.errors)")
    }
}

extension Daemon {
    fileprivate func issue() throws -> String { (try status()["output"] as? [String: Any])?["issue"] as? String ?? "" }
}

import HTTPServer
import Testing
import Wire

@testable import Live

@Suite struct RejectionsTests {
    private func rejection(_ stranger: HTTPRefusal.Stranger) -> HTTPRejection {
        HTTPRejection(stranger: stranger, reason: "", peer: "192.0.2.7", shown: nil)
    }

    @Test func `each is counted by its kind`() {
        var rejections = Rejections()
        for stranger in [HTTPRefusal.Stranger.origin, .token, .token, .host, .token] { _ = rejections.note(rejection(stranger), at: 0) }
        #expect(rejections.counts == StatusReport.Refused(hosts: 1, origins: 1, tokens: 3))
    }

    @Test func `one of a kind in ten seconds is logged, with how many came before it`() {
        var rejections = Rejections()
        let second: Int64 = 1_000_000_000
        #expect(rejections.note(rejection(.token), at: 5 * second) == 0)
        #expect(rejections.note(rejection(.token), at: 6 * second) == nil)
        #expect(rejections.note(rejection(.origin), at: 6 * second) == 0, "another kind is")
        #expect(rejections.note(rejection(.token), at: 15 * second - 1) == nil)
        #expect(rejections.note(rejection(.token), at: 15 * second) == 2)
        #expect(rejections.note(rejection(.token), at: 16 * second) == nil)
        #expect(rejections.note(rejection(.token), at: 26 * second) == 1)
    }
}

import Direct
import Fields
import Foundation
import HTTPServer
import Testing
import TestSupport
import Wire

@testable import Live

@Suite struct InvitationsTests {
    private let second: Int64 = 1_000_000_000

    @Test func `a code is twelve letters of sixty random bits, and lets in whoever shows it without a role`() throws {
        var (invitations, random) = (Invitations(), SystemRandomNumberGenerator())
        let code = try invitations.invite("shop", .volume, at: 0, using: &random)
        let other = try invitations.invite("anna", .watch, at: 0, using: &random)
        #expect(code.count == 12 && code != other && code.allSatisfy { "0123456789abcdefghjkmnpqrstvwxyz".contains($0) })
        // The digest of what is shown, as that of a token.
        #expect(invitations.grants.map(\.name) == ["shop", "anna"] && invitations.grants.allSatisfy { $0.role == nil })
        #expect(invitations.grants.allSatisfy { $0.digest.count == 32 })
    }

    @Test func `a token is claimed once, and the code is worthless a moment later`() throws {
        var (invitations, random) = (Invitations(), SystemRandomNumberGenerator())
        _ = try invitations.invite("shop", .volume, at: 0, using: &random)
        #expect(invitations.claim("other", at: 1) == nil)
        #expect(invitations.claim("shop", at: 1) == .volume)
        #expect(invitations.claim("shop", at: 1) == nil)
        invitations.part(from: "shop", at: second)
        invitations.expire(at: 3 * second - 1)
        #expect(invitations.grants.count == 1, "its answer is on the way")
        invitations.expire(at: 3 * second)
        #expect(invitations.grants.isEmpty && !invitations.has("shop"))
    }

    @Test func `a claim of which no token came is made again, and one that is made is taken back like any other`() throws {
        var (invitations, random) = (Invitations(), SystemRandomNumberGenerator())
        _ = try invitations.invite("shop", .volume, at: 0, using: &random)
        #expect(invitations.claim("shop", at: 1) == .volume)
        invitations.giveBack("shop")
        #expect(invitations.claim("shop", at: 2) == .volume)
        #expect(invitations.claim("shop", at: 3) == nil)
        let isTakenBack = invitations.withdraw("Shop")
        #expect(isTakenBack && invitations.grants.isEmpty)
        invitations.giveBack("shop")
        #expect(invitations.claim("shop", at: 4) == nil, "nothing comes back")
    }

    @Test func `a code is good for ten minutes, also where nothing has ended it since`() throws {
        var (invitations, random) = (Invitations(), SystemRandomNumberGenerator())
        _ = try invitations.invite("shop", .volume, at: 0, using: &random)
        invitations.expire(at: 600 * second - 1)
        #expect(invitations.has("SHOP"))
        #expect(invitations.claim("shop", at: 600 * second) == nil)
        invitations.expire(at: 600 * second)
        #expect(!invitations.has("shop"))
    }

    @Test func `a name is invited once, in whatever case, there is an end to them, and one is taken back`() throws {
        var (invitations, random) = (Invitations(), SystemRandomNumberGenerator())
        for number in 0..<16 { _ = try invitations.invite("a\(number)", .watch, at: 0, using: &random) }
        #expect(throws: Fault.self) { try invitations.invite("another", .watch, at: 0, using: &random) }
        let takenBack = [invitations.withdraw("A3"), invitations.withdraw("A3")]
        #expect(takenBack == [true, false])
        #expect(throws: Fault.self) { try invitations.invite("A4", .watch, at: 0, using: &random) }
        #expect(invitations.grants.count == 15)
        #expect(Invitations.deviceName(using: &random).wholeMatch(of: /phone-[0-9a-z]{4}/) != nil)
    }
}

extension StageTests {
    @Test func `who comes by a code claims a token of its role once, and nobody else does`() async throws {
        let scratch = try Scratch()
        let rig = try StageRig(Direct.self, state: scratch.path)
        _ = try await rig.connect(1, as: .operator, identity: .user(0))
        let invited = try #require(try await rig.ask(1, "token.invite", #"{"name":"shop","role":"volume"}"#))
        #expect(invited.contains(#""name":"shop","role":"volume","seconds":600"#) && invited.contains(#""code":""#), "\(invited)")
        #expect(try await rig.ask(1, "token.add", #"{"name":"Shop","role":"watch"}"#).map { reason($0) } == "not-now", "the name is taken")
        #expect(try await rig.ask(1, "token.claim", "{}").map { reason($0) } == "not-now", "root has come by no code")
        _ = try await rig.connect(2, as: .player, identity: .invitation("shop"))
        _ = try await rig.connect(3, as: .player, identity: .invitation("shop"))
        // Whoever has the token of this name has not come by the code.
        _ = try await rig.connect(4, as: .volume, identity: .token("shop"))
        #expect(try await rig.ask(4, "token.claim", "{}").map { reason($0) } == "not-now")
        let greeting = try #require(try await rig.ask(2, "hello", "{}"))
        #expect(greeting.contains(#""methods":["hello","ping","stop","subscribe","token.claim"]"#), "\(greeting)")
        let claimed = try #require(try await rig.askPatiently(2, "token.claim", "{}"))
        #expect(claimed.contains(#""name":"shop","role":"volume","token":""#), "\(claimed)")
        #expect(try await rig.ask(3, "token.claim", "{}").map { reason($0) } == "not-now")
        #expect(try await rig.ask(1, "token.list", "{}")?.contains(#""name":"shop","role":"volume""#) == true)
        try await rig.stop()
    }

    @Test func `an operator who is no administrator lets in no operator, and an invitation is revoked like a token`() async throws {
        let scratch = try Scratch()
        let rig = try StageRig(Direct.self, state: scratch.path)
        _ = try await rig.connect(1, as: .operator, identity: .token("anna"))
        #expect(try await rig.ask(1, "token.invite", #"{"role":"operator"}"#).map { reason($0) } == "not-allowed")
        #expect(try await rig.ask(1, "token.invite", #"["watch","phone"]"#)?.contains(#""name":"phone""#) == true)
        #expect(try await rig.ask(1, "token.revoke", #"{"name":"phone"}"#) == #"{"id":1,"jsonrpc":"2.0","result":{}}"#)
        _ = try await rig.connect(2, as: .player, identity: .invitation("phone"))
        #expect(try await rig.ask(2, "token.claim", "{}").map { reason($0) } == "not-now")
        try await rig.stop()
    }

    @Test func `a claim that finds no room for a token is made again when there is room, and nobody is invited meanwhile`() async throws {
        let scratch = try Scratch()
        let rig = try StageRig(Direct.self, state: scratch.path)
        _ = try await rig.connect(1, as: .operator, identity: .user(0))
        _ = try await rig.ask(1, "token.invite", #"{"name":"shop","role":"volume"}"#)
        for number in 0..<64 {
            #expect(try await rig.askPatiently(1, "token.add", #"{"name":"t\#(number)","role":"watch"}"#)?.contains(#""result""#) == true)
        }
        #expect(try await rig.ask(1, "token.invite", #"{"role":"watch"}"#).map { reason($0) } == "not-now")
        _ = try await rig.connect(2, as: .player, identity: .invitation("shop"))
        #expect(try await rig.ask(2, "token.claim", "{}").map { reason($0) } == "not-now")
        #expect(try await rig.askPatiently(1, "token.revoke", #"{"name":"t7"}"#)?.contains(#""result""#) == true)
        #expect(try await rig.askPatiently(2, "token.claim", "{}")?.contains(#""name":"shop","role":"volume","token":""#) == true)
        // The token is taken back while its invitation is not yet over.
        #expect(try await rig.askPatiently(1, "token.revoke", #"{"name":"shop"}"#)?.contains(#""result""#) == true)
        #expect(try await rig.ask(1, "token.list", "{}")?.contains("shop") == false)
        #expect(try await rig.ask(1, "token.invite", #"{"name":"shop","role":"volume"}"#)?.contains(#""code":""#) == true)
        try await rig.stop()
    }

    @Test func `nobody is invited where no token can be kept`() async throws {
        let rig = try StageRig(Direct.self)
        _ = try await rig.connect(1, as: .operator, identity: .user(0))
        #expect(try await rig.ask(1, "token.invite", #"{"role":"watch"}"#).map { reason($0) } == "not-here")
        try await rig.stop()
    }
}

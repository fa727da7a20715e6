import ControlSocket
import Direct
import HTTPServer
import Signals
import TestSupport
import Testing
import Units
import Wire

@testable import Live

@Suite struct HandMarksTests {
    /// 2026-06-27T14:00:00Z.
    private let now = 1_782_568_800

    @Test func `the first to mute is told until the mute ends, and the last to set a ceiling`() {
        var marks = HandMarks()
        marks.follow(.mute(true), by: "anna", at: now)
        marks.follow(.mute(true), by: "ben", at: now + 60)
        #expect(marks.mute == HouseReport.ByHand(by: "anna", since: now))
        marks.follow(.mute(false), by: "ben", at: now + 70)
        #expect(marks.mute == nil && marks.ceiling == nil)
        marks.follow(.ceiling(Decibels(-20)), by: "anna", at: now)
        marks.follow(.ceiling(Decibels(-30)), by: "ben", at: now + 1)
        #expect(marks.ceiling == HouseReport.ByHand(by: "ben", since: now + 1))
    }

    @Test func `while the clock is not set nobody says since when`() {
        var marks = HandMarks()
        marks.follow(.mute(true), by: "anna", at: 1_000)
        #expect(marks.mute == HouseReport.ByHand(by: "anna", since: nil))
    }

    @Test func `a client is told by its name, its number and its credentials`() {
        var presence = Presence()
        presence.connected(3, as: .operator, isLocal: false, identity: .token("anna"))
        presence.introduced(3, as: "console", reportsGestures: false)
        presence.connected(4, as: .operator, isLocal: true, identity: .user(0))
        presence.connected(5, as: .operator, isLocal: true, identity: .user(1000))
        #expect(presence.words(for: .connection(3)) == "console, client 3, with the token anna")
        #expect(presence.words(for: .connection(4)) == "client 4, root")
        #expect(presence.words(for: .connection(5)) == "client 5, user 1000")
        #expect(presence.words(for: .connection(6)) == "client 6")
    }
}

extension StageTests {
    @Test func `whoever may set the volume is told in status with level and name, and the house is turned down at once`() async throws {
        let scratch = try Scratch()
        let rig = try StageRig(Direct.self, state: scratch.path)
        _ = try await rig.connect(7, as: .volume, identity: .token("shop"))
        #expect(await rig.stage.status().house.volumeByHand == nil)
        let answer = try await rig.askPatiently(7, "volume.set", #"{"level":-12}"#)
        #expect(answer == #"{"id":1,"jsonrpc":"2.0","result":{}}"#)
        let house = await rig.stage.status().house
        #expect(house.volume == -12 && house.volumeByHand?.level == -12 && house.volumeByHand?.by == "client 7, with the token shop")
        #expect(house.notices.first?.hasPrefix("turned down by 12 dB by client 7, with the token shop since 20") == true)
        try await rig.stop()
        // The next start begins with it.
        let again = try StageRig(Direct.self, state: scratch.path)
        #expect(await again.stage.status().house.volumeByHand == house.volumeByHand)
        _ = try await again.connect(8, as: .operator)
        _ = try await again.askPatiently(8, "volume.set", #"{"level":0}"#)
        #expect(await again.stage.status().house.volumeByHand == nil)
        #expect(await again.stage.status().house.volume == 0)
        try await again.stop()
    }

    @Test(arguments: ["{}", #"{"level":1}"#, #"{"level":-61}"#, #"{"level":"loud"}"#])
    func `a volume that the house does not have is refused`(parameters: String) throws {
        let rig = try StageRig(Direct.self)
        let line = #"{"jsonrpc":"2.0","id":1,"method":"volume.set","params":\#(parameters)}"#
        guard case .single(let request) = Incoming(Array(line.utf8), rig.stage.methods) else { preconditionFailure("no batch") }
        let error = #expect(throws: ErrorReply.self) { try request.get().read().get() }
        #expect(error?.fault?.field == "level")
    }

    @Test func `volume and mute are set as fast as a person does, and operators set them as fast as they like`() async throws {
        let rig = try StageRig(Direct.self)
        for (client, role) in [(7, Role.volume), (8, .volume), (9, .operator)] { _ = try await rig.connect(client, as: role) }
        for (client, method, parameters) in [(7, "volume.set", #"{"level":-12}"#), (8, "output.mute", #"{"on":true}"#)] {
            var refused: [String] = []
            for _ in 0..<120 {
                let answer = try await rig.ask(client, method, parameters)
                if reason(answer) != nil { refused.append(answer ?? "") }
            }
            // Forty at once, and twenty more a second.
            #expect((1...80).contains(refused.count) && refused.allSatisfy { reason($0) == "too-fast" }, "\(method)")
            #expect(refused.first?.contains(#""retryAfter":"#) == true)
            for _ in 0..<60 { #expect(reason(try await rig.ask(9, method, parameters)) == nil) }
        }
        try await rig.stop()
    }

    @Test func `who may only set the volume plans nothing`() async throws {
        let rig = try StageRig(Direct.self)
        _ = try await rig.connect(7, as: .volume)
        for (method, parameters) in [("output.mute", #"{"on":true,"delay":1000}"#), ("stop", #"{"delay":1000}"#)] {
            let answer = try await rig.ask(7, method, parameters)
            #expect(reason(answer) == "not-allowed" && answer?.contains("plans nothing") == true, "\(method)")
        }
        try await rig.stop()
    }

    @Test func `status says who has muted the house and set its ceiling, with nobody there too`() async throws {
        let rig = try StageRig(Direct.self)
        _ = try await rig.connect(7, as: .operator, identity: .token("anna"))
        let issues = await rig.stage.status().issues
        #expect(await rig.stage.status().house.mute == nil)
        let setting = await rig.stage.status().house.ceiling
        #expect(setting.byHand == nil && setting.level == setting.setting)
        _ = try await rig.ask(7, "output.mute", #"{"on":true}"#)
        _ = try await rig.ask(7, "output.ceiling", #"{"level":-30}"#)
        let house = await rig.stage.status().house
        #expect(house.isMuted && house.mute?.by == "client 7, with the token anna" && house.mute?.since != nil)
        #expect(house.ceiling.level == -30 && house.ceiling.setting == setting.setting)
        #expect(house.ceiling.byHand?.by == "client 7, with the token anna")
        #expect(await rig.stage.status().issues == issues)
        _ = try await rig.ask(7, "output.mute", #"{"on":false}"#)
        _ = try await rig.ask(7, "output.ceiling", #"{"level":\#(setting.setting)}"#)
        let given = await rig.stage.status().house
        #expect(!given.isMuted && given.mute == nil && given.ceiling == setting)
        try await rig.stop()
    }
}

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

@Suite struct OverloadTests {
    private static let second: Int64 = 1_000_000_000

    @Test func `what was refused in the last ten seconds is an issue in words that stay the same, and over after that`() throws {
        var overload = Overload()
        #expect(overload.issue(at: 5 * Self.second) == nil)
        for _ in 0..<3 { overload.refuse(at: 100 * Self.second + 1) }
        let words = try #require(overload.issue(at: 100 * Self.second + 1))
        overload.refuse(at: 104 * Self.second)
        #expect(overload.issue(at: 113 * Self.second + 999_999_999) == words)
        #expect(overload.issue(at: 114 * Self.second) == nil)
        #expect(overload.total == 4)
    }
}

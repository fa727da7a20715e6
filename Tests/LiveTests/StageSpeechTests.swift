import Direct
import Foundation
import Signals
import Synchronization
import Synth
import Testing
import TestSupport
import Units
import Wire

@testable import Live

/// A voice whose texts take as long as the test wants.
private final class SlowVoice: Sendable {
    private let texts = Mutex<[String]>([])
    private let gate = DispatchSemaphore(value: 0)

    var begun: [String] { texts.withLock { $0 } }

    /// Takes half a second of sound for each text.
    var voice: Voice {
        Voice { [self] text, _, rate throws(ErrorReply) in
            texts.withLock { $0.append(text) }
            gate.wait()
            return [Float](repeating: 0.5, count: Int(rate.hertz) / 2)
        }
    }

    func finish(_ count: Int) { for _ in 0..<count { gate.signal() } }
}

/// Speech through the stage: who may have something spoken, what takes the place of what, and what the render thread is told.
@Suite struct StageSpeechTests {
    private static let quick = Voice { text, language, rate throws(ErrorReply) in
        if language == "tlh" { throw ErrorReply(.refused(.unavailable), "no such voice") }
        return [Float](repeating: 0.5, count: Int(rate.hertz) / 4)
    }

    /// Returns a stage with a visit under way, whose first client is connected.
    private func visited(_ voice: Voice) async throws -> StageRig {
        let rig = try StageRig(Direct.self, voice: voice)
        _ = try await rig.connect(1)
        _ = try await rig.ask(1, "session.start", "{}")
        return rig
    }

    private func say(_ text: String, in language: String = "en") -> String { #"{"text":"\#(text)","language":"\#(language)"}"# }

    @Test func `a text is spoken in place of what was, and the answer says for how long`() async throws {
        let rig = try await visited(Self.quick)
        #expect(try await rig.askPatiently(1, "speech.say", say("Next card"))?.contains(#""result":{"seconds":0.25}"#) == true)
        #expect(try await rig.askPatiently(1, "speech.say", say("Nächste Karte", in: "de-AT"))?.contains(#""result":{"seconds":0.25}"#) == true)
        #expect(rig.asides() == ["hush", "speak(from: 0, frames: 12000)", "hush", "speak(from: 12000, frames: 12000)"])
        #expect(try await rig.ask(1, "speech.stop", "{}")?.contains(#""result":{}"#) == true)
        #expect(rig.asides() == ["hush"])
        try await rig.stop()
    }

    @Test func `of texts that come while another is made, only the newest is spoken, and all are answered`() async throws {
        let slow = SlowVoice()
        let rig = try await visited(slow.voice)
        _ = try await rig.connect(2)
        let first = try await rig.plan(1, "speech.say", say("one"))
        let second = try await rig.plan(2, "speech.say", say("two"))
        let third = try await rig.plan(1, "speech.say", say("three"))
        #expect(try await second.first()?.contains(#""result":{"seconds":0}"#) == true, "before any is made")
        slow.finish(2)
        #expect(try await first.first()?.contains(#""result":{"seconds":0}"#) == true)
        #expect(try await third.first()?.contains(#""result":{"seconds":0.5}"#) == true)
        #expect(slow.begun == ["one", "three"])
        #expect(rig.asides() == ["hush", "hush", "hush", "speak(from: 0, frames: 24000)"])
        try await rig.stop()
    }

    @Test func `what is stopped before it has begun is not spoken, by speech.stop and by stop`() async throws {
        for (method, client) in [("speech.stop", 1), ("stop", 2)] {
            let slow = SlowVoice()
            let rig = try await visited(slow.voice)
            _ = try await rig.connect(2)
            let text = try await rig.plan(1, "speech.say", say("one"))
            _ = try await rig.ask(client, method, "{}")
            slow.finish(1)
            #expect(try await text.first()?.contains(#""result":{"seconds":0}"#) == true)
            #expect(rig.asides() == ["hush", "hush"], "\(method)")
            try await rig.stop()
        }
    }

    @Test func `without a voice it is unavailable, and with one for other languages too`() async throws {
        let mute = try await visited(.mute)
        #expect(reason(try await mute.askPatiently(1, "speech.say", say("Next card"))) == "unavailable")
        try await mute.stop()
        let rig = try await visited(Self.quick)
        #expect(reason(try await rig.askPatiently(1, "speech.say", say("nuqneH", in: "tlh"))) == "unavailable")
        #expect(try await rig.askPatiently(1, "speech.say", say("hello"))?.contains(#""seconds":0.25"#) == true, "the next is spoken")
        try await rig.stop()
    }

    @Test func `only pages on this machine and operators have the house's loudspeaker speak`() async throws {
        let rig = try StageRig(Direct.self, voice: Self.quick)
        _ = try await rig.connect(1, isLocal: false)
        for (method, parameters) in [("speech.say", say("hello")), ("speech.stop", "{}")] {
            #expect(reason(try await rig.ask(1, method, parameters)) == "not-allowed")
        }
        #expect(rig.asides().isEmpty)
        _ = try await rig.connect(2, as: .operator, isLocal: false)
        _ = try await rig.ask(2, "session.start", "{}")
        #expect(try await rig.askPatiently(2, "speech.say", say("hello"))?.contains(#""seconds":0.25"#) == true)
        try await rig.stop()
    }

    @Test(arguments: ["", "-v", "de/../../x", "en;ls", "e n", "deutsch", "de-"])
    func `a language is a tag and nothing else`(language: String) throws {
        let table = try StageRig(Direct.self).stage.methods
        let line = #"{"jsonrpc":"2.0","id":1,"method":"speech.say","params":{"text":"x","language":"\#(language)"}}"#
        guard case .single(let request) = Incoming(Array(line.utf8), table) else { preconditionFailure("no batch") }
        let error = #expect(throws: ErrorReply.self) { try request.get().read().get() }
        #expect(error?.code == .invalidParams && error?.fault?.field == "language")
    }

    /// 200 characters a second and 2,000 at once: nobody asks for 60,000 in less than a quarter of the time that they take.
    @Test func `visitors have no more spoken than somebody can hear, operators what they like`() async throws {
        let rig = try await visited(Self.quick)
        _ = try await rig.connect(2, as: .operator)
        let long = say(String(repeating: "a", count: 300))
        var refusals: [String] = []
        for _ in 0..<200 { if let reason = reason(try await rig.askPatiently(1, "speech.say", long)) { refusals.append(reason) } }
        #expect(Set(refusals) == ["too-fast"])
        #expect(try await rig.askPatiently(2, "speech.say", long)?.contains(#""seconds":0.25"#) == true)
        let error = await #expect(throws: ErrorReply.self) { try await rig.ask(1, "speech.say", say(String(repeating: "a", count: 301))) }
        #expect(error?.code == .invalidParams && error?.fault?.field == "text")
        try await rig.stop()
    }

    @Test func `control characters, some of which are commands to the voice, are spaces to it`() async throws {
        let slow = SlowVoice()
        slow.finish(1)
        let rig = try await visited(slow.voice)
        _ = try await rig.askPatiently(1, "speech.say", say(#"a\u0001b\nc 🐈‍⬛"#))
        #expect(slow.begun == ["a b c 🐈‍⬛"])
        try await rig.stop()
    }

    @Test func `without a run nothing is spoken, because mute would not reach it; during one it does`() async throws {
        let rig = try StageRig(Direct.self, voice: Self.quick)
        _ = try await rig.connect(1)
        _ = try await rig.connect(2, as: .operator)
        _ = try await rig.ask(2, "output.mute", #"{"on":true}"#)
        for client in [1, 2] { #expect(reason(try await rig.askPatiently(client, "speech.say", say("hello"))) == "not-now") }
        #expect(rig.commands().isEmpty)
        _ = try await rig.ask(1, "session.start", "{}")
        #expect(rig.commands().contains("mute(true)"), "the run begins muted")
        #expect(try await rig.askPatiently(1, "speech.say", say("hello"))?.contains(#""seconds":0.25"#) == true)
        for isOn in [false, true] {
            _ = try await rig.ask(2, "output.mute", #"{"on":\#(isOn)}"#)
            #expect(rig.commands() == ["mute(\(isOn))"])
        }
        try await rig.stop()
    }

    @Test func `the end of a run hushes what is spoken, and what is being made is not spoken any more`() async throws {
        let rig = try await visited(Self.quick)
        _ = try await rig.askPatiently(1, "speech.say", say("hello"))
        _ = rig.asides()
        _ = try await rig.connect(2, as: .operator)
        _ = try await rig.ask(2, "session.end", "{}")
        #expect(rig.asides() == ["hush"])
        try await rig.stop()

        let slow = SlowVoice()
        let late = try await visited(slow.voice)
        _ = try await late.connect(2, as: .operator)
        let text = try await late.plan(1, "speech.say", say("hello"))
        _ = try await late.ask(2, "session.end", "{}")
        _ = try await late.ask(1, "session.start", "{}")
        slow.finish(1)
        #expect(try await text.first()?.contains(#""result":{"seconds":0}"#) == true)
        #expect(late.asides() == ["hush", "hush"], "not in the next run either")
        try await late.stop()
    }

    @Test func `what a client had spoken is hushed when it is gone, what another had is not`() async throws {
        let rig = try await visited(Self.quick)
        _ = try await rig.connect(2)
        _ = try await rig.askPatiently(1, "speech.say", say("one"))
        _ = try await rig.askPatiently(2, "speech.say", say("two"))
        _ = rig.asides()
        try await rig.disconnect(1)
        #expect(rig.asides().isEmpty)
        try await rig.disconnect(2)
        #expect(rig.asides() == ["hush"])
        try await rig.stop()
    }

    @Test func `a stop that is refused hushes nothing`() async throws {
        let rig = try await visited(Self.quick)
        _ = try await rig.askPatiently(1, "speech.say", say("one"))
        _ = rig.asides()
        #expect(reason(try await rig.ask(1, "stop", #"{"at":1}"#)) == "not-now")
        #expect(rig.asides().isEmpty)
        _ = try await rig.ask(1, "stop", "{}")
        #expect(rig.asides() == ["hush"])
        try await rig.stop()
    }

    @Test func `each reason for silence is logged once`() async throws {
        let log = RecentLog()
        let count = Mutex(0)
        let voice = Voice { text, _, _ throws(ErrorReply) in
            count.withLock { $0 += 1 }
            throw ErrorReply(.refused(.unavailable), text)
        }
        let rig = try StageRig(Direct.self, voice: voice, log: log)
        _ = try await rig.connect(1)
        _ = try await rig.ask(1, "session.start", "{}")
        for text in ["first", "second", "first", "second"] { _ = try await rig.askPatiently(1, "speech.say", say(text)) }
        #expect(count.withLock { $0 } == 4)
        let reasons = log.records().filter { $0.message == "nothing is spoken" }.map { $0.metadata["reason"] }
        #expect(reasons == ["first", "second"])
        try await rig.stop()
    }

    @Test(.timeLimit(.minutes(1)), arguments: [
        "exec sleep 1000", "exec 2>&-; exec sleep 1000", "exec yes no >&2", "exec cat /dev/zero",
    ])
    func `a program that never ends, whatever it writes, is killed and refused`(script: String) throws {
        let scratch = try Scratch()
        let program = try scratch.write("#!/bin/sh\n\(script)\n", to: "voice")
        #expect(chmod(program, 0o700) == 0)
        let error = #expect(throws: ErrorReply.self) { try Voice.speaking(by: program).samples("hello", "en", .standard) }
        #expect(error?.message.contains("status 137") == true, "128 + SIGKILL")
    }
}

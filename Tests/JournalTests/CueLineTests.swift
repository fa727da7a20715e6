import Fields
import Foundation
import Journal
import Signals
import Testing
import Units

private let pattern = HapticPattern(events: [HapticEvent(time: .zero, kind: .transient, intensity: 0.5, sharpness: 0.25)])

private let header = JournalHeader(
    sampleRate: .standard, seed: 7, experience: "metronome", started: "then", theme: .standard,
    rules: JournalHeader.Rules(version: 12, opening: [.tonePitch(Hertz(240), glide: .zero), .toneLevel(Decibels(-60))]))

private let allCues: [Cue] = [
    .toneGate(open: true), .tonePitch(Hertz(440.1), glide: Seconds(0.05)), .toneLevel(Decibels(-12.3)), .chime("ding"),
    .texture("purr-weak", on: true), .texture("purr-weak", on: false), .haptic("swipe"),
    .pattern(pattern), .mute(false), .ceiling(Decibels(-3)), .volume(Decibels(-9), fade: Seconds(2)), .theme(.standard), .stop,
]

private func event(_ kind: EventKind, _ cues: [Cue]) -> JournalEntry { .event(Event(client: .connection(1), kind), at: Frame(9), cues: cues) }

private func line(_ entry: JournalEntry) -> String { String(decoding: JournalLine.encode(entry).dropLast(), as: UTF8.self) }

private func read(_ lines: [String]) throws -> [JournalEntry] {
    var reader = JournalReader()
    return try lines.map { try reader.read(Array($0.utf8)[...]) }
}

/// Format version 2: what the rules gave stands beside each event.
@Suite struct CueLineTests {
    @Test func `every cue is read back as it was written, and so is what a session began with`() throws {
        let entries = [.header(header), event(.start, allCues), event(.theme(.standard), allCues), event(.pattern(pattern), allCues), event(.stop, [])]
        #expect(try read(entries.map(line)) == entries)
    }

    @Test func `lines are spelled as the documentation has them`() {
        #expect(line(.header(header)).hasPrefix(
            #"{"experience":"metronome","format":"thrum-journal","opening":[{"cue":"tone.pitch","frequency":240,"glide":0},"#
                + #"{"cue":"tone.level","level":-60}],"rules":12,"sampleRate":48000,"#))
        #expect(line(.header(header)).hasSuffix(#""version":2}"#))
        #expect(line(event(.tap(Tap()), [.haptic("swipe"), .tonePitch(Hertz(440.1), glide: .zero), .toneGate(open: true)]))
            == #"{"client":1,"cues":[{"cue":"haptic","name":"swipe"},{"cue":"tone.pitch","frequency":440.1,"glide":0},"#
                + #"{"cue":"tone.gate","open":true}],"event":"tap","frame":9}"#)
        #expect(line(event(.stop, [])) == #"{"client":1,"event":"stop","frame":9}"#)
    }

    @Test func `a theme or a pattern that is the event's own does not stand twice`() throws {
        #expect(line(event(.theme(.standard), [.theme(.standard)])).hasPrefix(#"{"client":1,"cues":[{"cue":"theme"}],"event":"theme","#))
        #expect(line(event(.pattern(pattern), [.pattern(pattern)])).hasPrefix(#"{"client":1,"cues":[{"cue":"pattern"}],"event":"haptic","#))
        var other = Theme.standard
        other.name = "other"
        #expect(line(event(.theme(.standard), [.theme(other)])).hasPrefix(#"{"client":1,"cues":[{"cue":"theme","theme":{"ceiling":"#))
    }

    @Test func `a journal of version 1 says nothing of its cues, and may not`() throws {
        var first = header
        first.rules = nil
        let stop = #"{"event":"stop","frame":9}"#
        #expect(try read([line(.header(first)), stop]) == [.header(first), .event(Event(client: .engine, .stop), at: Frame(9))])
        let fault = try #require(throws: JournalFault.self) { try read([line(.header(first)), #"{"cues":[],"event":"stop","frame":9}"#]) }
        #expect(fault.fault == Fault(field: "cues", expected: "only frame, event, client, due, sum", found: "this field"))
        let early = try #require(throws: JournalFault.self) { try read([line(.header(first)).dropLast() + #","rules":1}"#]) }
        #expect(early.fault.field == "rules" && early.fault.found == "this field")
    }

    @Test func `only a journal of version 1 has a swipe under the name of a piece`() throws {
        var first = header
        first.rules = nil
        let swipe = #"{"client":1,"direction":"down","event":"feed.swipe","frame":9,"velocity":2}"#
        let event = Event(client: .connection(1), .swipe(Swipe(.down, velocity: 2)))
        #expect(try read([line(.header(first)), swipe]) == [.header(first), .event(event, at: Frame(9))])
        let later = swipe.replacing(#""direction""#, with: #""cues":[],"direction""#)
        guard case .event(let own, _, _, _)? = try read([line(.header(header)), later]).last, case .action(let action) = own.kind else {
            Issue.record("no action")
            return
        }
        #expect(action.name == "feed.swipe")
    }

    @Test(arguments: [
        (#"{"cue":"tone.pitch","frequency":440}"#, "cues[1].glide", "a number from 0 to 10 (seconds)"),
        (#"{"cue":"tone.level","level":"loud"}"#, "cues[1].level", "a number from -120 to 0 (dBFS)"),
        (#"{"cue":"tone.gate","open":true,"why":1}"#, "cues[1].why", "only cue, open"),
        (#"{"cue":"ring"}"#, "cues[1].cue",
         "one of ceiling, chime, haptic, mute, noise, pattern, stop, texture, theme, tone.gate, tone.level, tone.pitch, volume"),
        (#"{"name":"ding"}"#, "cues[1].cue", "text of 1 to 256 characters"),
        (#"{"cue":"theme"}"#, "cues[1].theme", "a theme"),
        (#"{"cue":"pattern"}"#, "cues[1].pattern", "a haptic pattern"),
        (#"{"cue":"pattern","pattern":[{"time":0,"intensity":2,"sharpness":0}]}"#, "cues[1].pattern[0].intensity", "a number from 0 to 1"),
        ("7", "cues[1]", "an object"),
    ])
    func `a bad cue is named by its place and field`(cue: String, field: String, expected: String) throws {
        let bad = #"{"cues":[{"cue":"stop"},\#(cue)],"event":"stop","frame":9}"#
        let fault = try #require(throws: JournalFault.self) { try read([line(.header(header)), bad]) }
        #expect(fault.line == 2 && fault.fault.field == field && fault.fault.expected == expected, "\(fault)")
    }
}

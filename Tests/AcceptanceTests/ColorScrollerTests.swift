import ColorScroller
import Experience
import Foundation
import Offline
import Registry
import Signals
import SystemPackage
import Testing
import TestSupport
import Wire

/// The frames at which a journal's session unlocks a skin, from its events alone.
private func unlocks(_ journal: String) throws -> [Int] {
    var replay = try Replay(FilePath(journal), Registry.pieces)
    var frames: [Int] = []
    while let frame = replay.nextFrame, try replay.step() != nil {
        frames += replay.announcements.filter { $0.topic == "unlock" }.map { _ in Int(frame.rawValue) }
    }
    return frames
}

/// What the piece tells whoever draws, as the lines in which it is told.
private func told(_ journal: String) throws -> [String] {
    var replay = try Replay(FilePath(journal), Registry.pieces)
    var lines: [String] = []
    while try replay.step() != nil {
        for announcement in replay.announcements {
            // The first was that the session began.
            let line = Notification(announcement).line(number: UInt64(lines.count + 2))
            lines.append(String(decoding: line.dropLast(), as: UTF8.self))
        }
    }
    return lines
}

/// Where a note of `frequency` begins, as loud as a chime's: the sine there changes at once by more than its own decay or anything
/// else explains, whatever rings on from before.
private func onsets(_ samples: [Float], of frequency: Double) -> [Int] {
    func phasor(_ start: Int) -> (Double, Double) {
        var (re, im) = (0.0, 0.0)
        for n in 0..<960 {
            let window = 1 - cos(2 * .pi * Double(n) / 960)
            let angle = 2 * Double.pi * frequency / 48_000 * Double(start + n)
            re += Double(samples[start + n]) * window * cos(angle) / 480
            im -= Double(samples[start + n]) * window * sin(angle) / 480
        }
        return (re, im)
    }
    let starts = Array(stride(from: 0, to: samples.count - 960, by: 120))
    let phasors = starts.map(phasor)
    let changes = zip(phasors, phasors.dropFirst(8)).map { ($0.0 - $1.0).magnitude + ($0.1 - $1.1).magnitude }
    var found: [Int] = []
    for (index, change) in changes.enumerated() where change > 0.1 {
        let around = changes[max(0, index - 16)...min(changes.count - 1, index + 16)]
        if change == around.max() { found.append(starts[index] + 960) }
    }
    return found
}

@Suite struct ColorScrollerTests {
    @Test func `the example client swipes 120 times, and the WAV has a chime where the journal has an unlock`() async throws {
        let example = try String(contentsOfFile: repository + "/examples/colorscroller.py", encoding: .utf8)
        #expect(example.split(separator: "\n", omittingEmptySubsequences: false).count <= 130)
        let daemon = try await Daemon(["--output", "null", "--experience", "colorscroller", "--seed", "3"])
        let client = try run("python3", [repository + "/examples/colorscroller.py", "--socket", daemon.socket, "--pace", "0.1"])
        #expect(client.status == 0, "\(client.errors)")
        #expect(daemon.terminate() == 0)
        let journal = try #require(daemon.journals.first)
        let unlocks = try unlocks(journal)
        #expect(unlocks.count >= 8)
        #expect(client.text.split(separator: "\n").filter { $0.hasPrefix("unlocked ") }.count == unlocks.count)
        #expect(client.text.contains("toast: common "))
        #expect(client.text.contains("120 cards viewed, \(unlocks.count) skins unlocked"))

        let wav = daemon.scratch.file("a.wav")
        #expect(try thrum("render", journal, "-o", wav).status == 0)
        let samples = try WaveFile(path: wav).samples
        let onsets = onsets(samples, of: 659.2551)
        #expect(onsets.count == unlocks.count, "\(onsets) and \(unlocks)")
        for (onset, unlock) in zip(onsets, unlocks) { #expect(abs(onset - unlock) < 960, "a chime at \(onset), an unlock at \(unlock)") }
    }

    @Test func `what is told live is what the journal tells again, byte for byte`() async throws {
        let daemon = try await Daemon(["--output", "null", "--experience", "colorscroller"])
        let client = try LineSocket(daemon.socket)
        let listener = try LineSocket(daemon.socket)
        _ = try listener.call("subscribe", #"{"topics":["session","scroll","unlock","toast","palette","intervention","leaderboard","held","counters","rank"]}"#)
        for n in 0..<120 {
            try client.send(#"{"jsonrpc":"2.0","method":"swipe","params":{"velocity":1.5}}"#)
            if n % 20 == 0 { try await Task.sleep(for: .milliseconds(50)) }
        }
        let cards = try client.call("feed.cards", #"{"first":0,"count":256}"#)
        let inventory = try client.call("feed.inventory")
        #expect(daemon.terminate() == 0)
        let journal = try #require(daemon.journals.first)
        let expected = try told(journal)
        var live: [String] = []
        while live.count < expected.count + 2 { live.append(try listener.receive()) }
        #expect(live.first == #"{"jsonrpc":"2.0","method":"session","params":{"number":1,"phase":"began"}}"#)
        #expect(live.last?.contains(#""phase":"ended""#) == true && live.last?.contains(#""totalSwipes":120"#) == true)
        // Rules have no clock, so a replay names no moment by the machine's.
        #expect(live[1..<live.count - 1].map { $0.replacing(/,"pausedUntilMonotonic":[0-9]+/, with: "") } == expected)
        #expect(live.contains { $0.contains(#""method":"held""#) && $0.contains("pausedUntilMonotonic") }, "some swiped in a pause")

        // The same for what was asked.
        var replay = try Replay(FilePath(journal), Registry.pieces)
        try replay.finish()
        let scroller = try #require(replay.run?.piece as? ColorScroller)
        #expect(cards.utf8.elementsEqual(Reply.line(result: CardList(cards: scroller.cards(0..<256)), id: .integer(1)).dropLast()))
        #expect(inventory.utf8.elementsEqual(Reply.line(result: scroller.inventory, id: .integer(1)).dropLast()))
    }

    @Test func `a simulated session is the same in every process, and so is all that follows from it`() throws {
        let scratch = try Scratch()
        for profile in ["fading", "curious", "bored", "frantic"] {
            let runs = try (0..<2).map { _ in
                let path = scratch.file("s.jsonl")
                let table = try thrum("simulate", "--seed", "12", "--swipes", "400", "--profile", profile, "-o", path, "--force",
                                      "--picture", scratch.file("s.svg"))
                #expect(table.status == 0, "\(table.errors)")
                let picture = try String(contentsOfFile: scratch.file("s.svg"), encoding: .utf8)
                let export = try thrum("telemetry", "export", path)
                return [try String(contentsOfFile: path, encoding: .utf8), table.text, picture, export.text] + (try told(path))
            }
            #expect(runs[0] == runs[1])
            #expect(profile == "fading" || runs[0].contains { $0.contains(#""method":"palette""#) }, "a palette is among what is compared")
        }
        // A pipe gets the same bytes.
        let piped = try thrum("simulate", "--seed", "12", "--swipes", "400", "--profile", "frantic", "-o", "-").text
        #expect(piped == (try String(contentsOfFile: scratch.file("s.jsonl"), encoding: .utf8)))
    }

    @Test func `many visits are reported, the same each time, as text and as a picture`() throws {
        let scratch = try Scratch()
        let reports = try (0..<2).map { _ in
            let report = try thrum("simulate", "--visits", "35", "--turns", "120", "--picture", scratch.file("v.svg"), "--force")
            #expect(report.status == 0, "\(report.errors)")
            return report.text + (try String(contentsOfFile: scratch.file("v.svg"), encoding: .utf8))
        }
        #expect(reports[0] == reports[1])
        for words in ["35 visits, seeds from 1 on", "first special", "fading-unmeasured", "left within 5", "high from P 0.70", "dB above the start",
                      "<polyline"] {
            #expect(reports[0].contains(words), "\(words)")
        }
        #expect(try thrum("simulate", "--visits", "3", "-o", scratch.file("j.jsonl")).status == 64)
        #expect(try thrum("simulate", "--visits", "0").status == 64)
    }

    @Test func `every knob is read, turned and refused over the socket, and a replay has it`() async throws {
        let daemon = try await Daemon(["--output", "null", "--experience", "colorscroller", "--seed", "9"])
        let client = try LineSocket(daemon.socket)
        #expect(try client.call("param.get", #"{"name":"chance-early"}"#).contains(
            #""result":{"isSettable":true,"maximum":1,"minimum":0,"name":"chance-early","standard":0.2,"unit":"chance per card","value":0.2}"#))
        for (name, value, expected) in [("toast-cooldown", "61", "a number from 0 to 60 (seconds), found 61"),
                                        ("chance-early", "-0.1", "a number from 0 to 1 (chance per card), found -0.1"),
                                        ("chance-middle", "\"much\"", "a number from 0 to 1 (chance per card), found \\\"much\\\""),
                                        ("chance-late", "1.5", "a number from 0 to 1 (chance per card), found 1.5"),
                                        ("force-unlock-all", "1", "true or false, found 1")] {
            let answer = try client.call("param.set", #"{"name":"\#(name)","value":\#(value)}"#)
            #expect(answer.contains("value: expected \(expected)"), "\(answer)")
        }
        let counter = try client.call("param.set", #"{"name":"blocks-viewed","value":3}"#)
        #expect(counter.contains("name: expected one of force-unlock-all, toast-cooldown"), "\(counter)")
        // Before anybody is there, a knob is turned for the session to come.
        _ = try client.call("param.set", #"{"name":"chance-early","value":1}"#)
        for card in 1...12 {
            #expect(try !client.call("swipe").contains("held"), "card \(card)")
            // The feed stands still for 0.8 s after each.
            if card >= 10 { try await Task.sleep(for: .seconds(0.85)) }
        }
        #expect(try client.call("feed.state").contains(#""unlockCount":3"#), "cards 10, 11 and 12")
        // And while somebody is.
        #expect(try client.call("param.set", #"{"name":"force-unlock-all","value":true}"#).contains("frame"))
        #expect(try client.call("param.list").contains(#"{"isSettable":false,"name":"unlock-count","unit":"skins","value":28}"#))
        let inventory = try client.call("feed.inventory")
        #expect(inventory.contains(#""rgb":[[220,20,60]],"timesSeen":"#), "\(inventory)")
        #expect(daemon.terminate() == 0)
        var replay = try Replay(FilePath(try #require(daemon.journals.first)), Registry.pieces)
        try replay.finish()
        let record = try #require(replay.record?.body as? SessionRecord)
        #expect(record.unlockCount == 28 && record.blocksViewed == 12)
    }

    @Test func `whoever asks the direct experience for a feed is told that it has none`() async throws {
        let daemon = try await Daemon(["--output", "null"])
        let client = try LineSocket(daemon.socket)
        for method in ["feed.state", "feed.cards", "feed.inventory", "feed.leaderboard"] {
            let answer = try client.call(method, method == "feed.cards" ? #"{"first":0}"# : "{}")
            #expect(answer.contains("-32000") && answer.contains("the experience is direct"), "\(answer)")
        }
        #expect(try client.call("param.list").contains(#""parameters":[]"#))
        #expect(daemon.terminate() == 0)
    }

    /// What it is told finds it gone in the middle of the event that it is told of.
    @Test func `subscribers that leave while they are told of something do no harm`() async throws {
        let daemon = try await Daemon(["--output", "null", "--experience", "colorscroller"])
        let client = try LineSocket(daemon.socket)
        for n in 0..<300 {
            do {
                let other = try LineSocket(daemon.socket)
                _ = try other.call("subscribe")
                if n % 2 == 0 { _ = try other.call("touch", #"{"phase":"began"}"#) }
                // Both are on their way together: what it is to be told, and its end.
                try client.send(#"{"jsonrpc":"2.0","method":"swipe"}"#)
            }
            _ = try client.call("feed.state")
        }
        #expect(try client.call("feed.state").contains(#""totalSwipes":300"#))
        #expect(try await eventually { try !daemon.isHeld })
        #expect(daemon.terminate() == 0)
    }

    @Test func `a subscriber that does not read loses announcements, is told how many, and slows nobody`() async throws {
        let daemon = try await Daemon(["--output", "null", "--experience", "colorscroller"])
        let sleeper = try LineSocket(daemon.socket)
        _ = try sleeper.call("subscribe", #"{"topics":["scroll"]}"#)
        let client = try LineSocket(daemon.socket)
        // No pause holds the feed where nothing is left to unlock, and nothing is thrown in.
        _ = try client.call("param.set", #"{"name":"force-unlock-all","value":true}"#)
        _ = try client.call("param.set", #"{"name":"holdout","value":1}"#)
        for _ in 0..<40 {
            for _ in 0..<100 { try client.send(#"{"jsonrpc":"2.0","method":"swipe"}"#) }
            // An answer says that what came before has been dealt with.
            _ = try client.call("feed.state")
        }
        var seen = 0
        while true {
            let line = try sleeper.receive()
            guard line.contains(#""method":"missed""#) else {
                seen += 1
                // What was missed is told with the next announcement that gets through.
                if seen % 50 == 0 { _ = try client.call("swipe") }
                continue
            }
            let missed = try #require(Int(line.split(separator: ":").last?.prefix { $0.isNumber } ?? ""))
            #expect(missed > 1000, "some 1.3 MB were not read")
            #expect(line.contains(#""number":\#(seen + missed),"#), "its number is the last that was missed")
            #expect(try sleeper.receive().contains(#""blocksViewed":\#(seen + missed + 1),"#))
            break
        }
        #expect(daemon.terminate() == 0)
    }
}

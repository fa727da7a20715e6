import Foundation
import Testing
import TestSupport

/// The cat lives on in a real daemon that is killed again and again, before and after a midnight.
@Suite(.serialized) struct ScrollKittyRestartTests {
    /// From a bypass to the shield, as everybody has it who has set nothing up: 20 of the cat's minutes, where its day is a minute.
    private static let cooldown = 20 / 1_440.0 * 60

    /// What is on the disk, as Python's own SQLite reads it.
    private struct Stored: Decodable {
        struct Entry: Decodable {
            var key: String
            var kind: String
            var note: Note
            /// What left the cat, in parts.
            var lost: Int
        }

        struct Note: Decodable {
            var day: Int?
            var health: Int?
            var bypasses: Int?
        }

        var entries: [Entry]
        var days: [Int]
    }

    private struct State: Decodable {
        struct App: Decodable {
            var shield: String
            var opensFor: Double?
        }

        var day: Int
        var hp: Double
        var apps: [App]
    }

    private func stored(_ scratch: Scratch) throws -> Stored {
        let read = try run("/usr/bin/python3", ["-c", #"""
            import json, sqlite3, sys
            db = sqlite3.connect(sys.argv[1])
            rows = db.execute("""
                SELECT key, kind, body, (SELECT coalesce(-sum(amount), 0) FROM posting WHERE entry = number AND account = 'cat')
                FROM ledger ORDER BY number""").fetchall()
            [(memory,)] = db.execute("SELECT body FROM memory")
            print(json.dumps({"entries": [{"key": key, "kind": kind, "note": json.loads(body) or {}, "lost": lost}
                                          for key, kind, body, lost in rows],
                              "days": [day["day"] for day in json.loads(memory)["cat"]["history"]]}))
            """#, scratch.file("state/state.sqlite")])
        #expect(read.status == 0, "\(read.errors)")
        return try JSONDecoder().decode(Stored.self, from: Data(read.output))
    }

    /// What a daemon is told until it is gone.
    private func drain(_ listener: LineSocket) -> [String] {
        var lines: [String] = []
        while let line = try? listener.receive() { lines.append(line) }
        return lines
    }

    /// What has happened in one household so far.
    private struct Life {
        /// HP that were answered, in their order.
        var answered: [Double] = []
        /// Bypasses that were asked for when the daemon was killed.
        var open = 0
        /// When the last bypass was answered and when it was asked for, if nothing has closed it since.
        var opened: ClosedRange<Date>?
        /// Days whose summary was told. One that was told when its day was not yet on the disk is told again after the kill.
        var summaries: [Int] = []
    }

    /// At least 6 kills around a midnight, or as many as THRUMDEV_KILLS says around several.
    @Test func `after every kill nothing is lost that was answered, a day has ended once, and the shield comes back in time`() async throws {
        let kills = ProcessInfo.processInfo.environment["THRUMDEV_KILLS"].flatMap { Int($0) } ?? 6
        var random = SplitMix64(seed: 19)
        var killed = 0
        while killed < kills {
            // A machine that is busy may start the first daemon only after midnight; then the same is tried with more time. In the attempt
            // that counts all is as it should be.
            for seconds in [2.5, 8, 20] {
                guard let count = try await household(midnightIn: seconds, atLeast: 6, &random) else { continue }
                killed += count
                break
            }
        }
    }

    /// A household with a midnight in some seconds. Returns how often it was killed; nil when it was too late for the midnight.
    private func household(midnightIn seconds: Double, atLeast kills: Int, _ random: inout SplitMix64) async throws -> Int? {
        let scratch = try Scratch()
        // Its clock shows the seconds since 1970 times 1,440 ÷ `minutes`, and its day ends at `midnight`.
        let midnight = Date(timeIntervalSinceNow: seconds)
        let minutes = midnight.timeIntervalSince1970 / (midnight.timeIntervalSince1970 / 60).rounded(.down) / 60
        var life = Life()
        var killed = 0
        while killed < kills || Date() < midnight + 1 {
            let daemon = try await start(scratch, minutes)
            let listener = try LineSocket(daemon.socket)
            _ = try listener.call("subscribe", #"{"topics":["summary"]}"#)
            let client = try LineSocket(daemon.socket)
            guard killed > 0 || Date() < midnight - 1 else { return nil }
            try check(state(client), asked: Date(), &life)
            let pause = Int.random(in: 0...400, using: &random)
            let process = daemon.process
            DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(pause)) { process.signal(SIGKILL) }
            live(client, &life, &random)
            _ = process.finish()
            killed += 1
            let told = drain(listener).filter { $0.contains(#""method":"summary""#) }
            life.summaries += told.compactMap { $0.firstMatch(of: /"figures":\{[^}]*"day":(\d+)/).flatMap { Int($0.1) } }
        }
        try await checkEnd(scratch, minutes, life)
        return killed
    }

    private func start(_ scratch: Scratch, _ minutes: Double) async throws -> Daemon {
        try await Daemon(["--output", "null", "--experience", "scrollkitty"], environment: ["THRUM_DAY_MINUTES": "\(minutes)"],
                         scratch: scratch)
    }

    private func state(_ client: LineSocket) throws -> State {
        struct Answer: Decodable { var result: State }
        return try JSONDecoder().decode(Answer.self, from: Data(try client.call("kitty.state").utf8)).result
    }

    /// Opens and closes an app until the daemon is gone.
    private func live(_ client: LineSocket, _ life: inout Life, _ random: inout SplitMix64) {
        while true {
            let asked = Date()
            do {
                let answer = try client.call("kitty.bypass", #"{"app":"Chat"}"#)
                if let hp = answer.firstMatch(of: /"hp":([0-9.]+)/).flatMap({ Double($0.1) }) {
                    life.answered.append(hp)
                    // At 0 HP it is locked at once.
                    life.opened = hp > 0 ? asked...Date() : nil
                }
            } catch {
                life.open += 1
                return
            }
            guard Int.random(in: 0...49, using: &random) == 0 else { continue }
            life.opened = nil
            guard (try? client.call("kitty.shield")) != nil else { return }
        }
    }

    /// A shield that was opened is open until its cooldown is over, whatever has been killed in between.
    private func check(_ state: State, asked: Date, _ life: inout Life) throws {
        guard let opened = life.opened else { return }
        let app = try #require(state.apps.first)
        switch app.shield {
        case "open":
            let back = asked.addingTimeInterval(app.opensFor ?? 0)
            let expected = opened.lowerBound + Self.cooldown - 0.1...Date() + Self.cooldown
            #expect(expected.contains(back), "the shield is back \(back.timeIntervalSince(opened.lowerBound)) s after the bypass")
        case "shielded":
            #expect(Date() > opened.lowerBound + Self.cooldown - 0.1, "the shield is back before its time")
            life.opened = nil
        default: #expect(state.hp == 0)
        }
    }

    /// The ledger, read by itself, gives each day's health, and the cat's.
    private func checkEnd(_ scratch: Scratch, _ minutes: Double, _ life: Life) async throws {
        let daemon = try await start(scratch, minutes)
        let client = try LineSocket(daemon.socket)
        #expect(try await eventually { try self.state(client).apps.allSatisfy { $0.shield != "open" } })
        let last = try state(client)
        #expect(daemon.terminate() == 0)
        let stored = try stored(scratch)
        let full = 252_000
        var (health, bypasses, days) = (full, 0, [Int]())
        var values: [Double] = []
        for entry in stored.entries {
            switch entry.kind {
            case "bypass":
                health -= entry.lost
                bypasses += 1
                values.append(Double(health) / 2_520)
            case "day":
                #expect(entry.note.health == health && entry.note.bypasses == bypasses, "\(entry.key)")
                days.append(try #require(entry.note.day))
                (health, bypasses) = (full, 0)
            default: break
            }
        }
        #expect(last.hp == Double(health) / 2_520)
        #expect(values.count >= life.answered.count && values.count <= life.answered.count + life.open)
        // In their order, with others between whose answers the kills have taken.
        var rest = values[...]
        for hp in life.answered {
            let index = try #require(rest.firstIndex(of: hp), "\(life.answered) of \(values)")
            rest = rest[(index + 1)...]
        }
        // A day has ended once, and its summary is told of no other.
        #expect(days == [last.day - 1] && stored.days == days, "\(days)")
        #expect(Set(life.summaries).isSubset(of: days))
        print("\(values.count) bypasses, \(life.answered.count) answered, summaries told: \(life.summaries.count)")
    }
}

import Experience
import Foundation
import Journal
import Offline
import Registry
import Signals
import SystemPackage
import Testing
import TestSupport
import Units

/// What an export says of rows from damaged journals, and of when rows were told.
@Suite struct TelemetryDamageTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    /// A made-up session's lines with their sums, and what was told by which.
    private func session(of experience: String, turns: Int) throws -> (piece: Declaration, steps: [Simulation.Step], lines: [String]) {
        let piece = try #require(Registry.pieces.named(experience))
        let visitor = try #require(piece.declaration.visitors.first)
        var simulation = Simulation(piece, visitor, seed: 5, turns: turns, idle: Seconds(45))
        var (sum, steps, lines): (JournalSum, [Simulation.Step], [String]) = (JournalSum(), [], [])
        while let step = simulation.next() {
            steps.append(step)
            lines.append(String(decoding: sum.seal(JournalLine.encode(step.entry)), as: UTF8.self))
        }
        return (piece.declaration, steps, lines)
    }

    private func rows(_ lines: [String], _ table: TelemetryTable) throws -> [[String: Any]] {
        let journal = FilePath(try scratch.write(lines.joined(), to: "s.jsonl"))
        return try TelemetryText(.jsonl, table).lines(TelemetryLog(journal, of: table, Registry.pieces)).split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
    }

    @Test func `rows from behind a changed line or missing entries say so, and those before it do not`() throws {
        let (piece, steps, lines) = try session(of: "colorscroller", turns: 30)
        let table = try #require(piece.telemetry.first { $0.topic == "scroll" })
        let record = try #require(piece.telemetry.first { $0.topic == nil })
        func told(_ steps: some Sequence<Simulation.Step>) -> Int { steps.flatMap(\.announcements).count { $0.topic == "scroll" } }
        // A line in the middle, by which a card comes to be shown.
        let index = try #require(steps.indices.dropFirst(steps.count / 2).first { told(steps[$0...$0]) > 0 })
        let (before, behind) = (told(steps[..<index]), told(steps[index...]))
        #expect(before > 5 && behind > 5)
        func flags(_ lines: [String]) throws -> [Bool] { try rows(lines, table).map { try #require($0["after_damage"] as? Bool) } }
        let (good, bad) = ([Bool](repeating: false, count: before), [Bool](repeating: true, count: behind))
        #expect(try flags(lines) == good + bad.map { _ in false })
        #expect(try rows(lines, record).map { $0["damaged"] as? Bool } == [false])

        var changed = lines
        changed[index].replace(/"sum":"[0-9a-f]{8}"/, with: #""sum":"00000000""#)
        #expect(try flags(changed) == good + bad)
        #expect(try rows(changed, record).map { $0["damaged"] as? Bool } == [true])

        let frame = try #require(lines[index].firstMatch(of: /"frame":([0-9]+)/)).1
        var lossy = lines.map { $0.replacing(/,"sum":"[0-9a-f]{8}"/, with: "") }
        lossy.insert(#"{"discontinuity":"lost","entries":1,"frame":\#(frame)}"# + "\n", at: index)
        #expect(try flags(lossy) == good + bad)
        #expect(try rows(lossy, record).map { $0["damaged"] as? Bool } == [true])
    }

    @Test func `rows of a household say when they were told: since the start, in UTC, and on which local day`() throws {
        let (piece, steps, lines) = try session(of: "scrollkitty", turns: 20)
        let table = try #require(piece.telemetry.first { $0.name == "bypasses" })
        let frames = steps.flatMap { step in step.announcements.filter { $0.topic == "lost" }.map { _ in step.entry.frame } }
        let arrival = try #require(lines.first { $0.contains(#""event":"arrival""#) }?.firstMatch(of: /"time":([0-9]+)/))
        let start = try #require(Double(arrival.1))
        let rows = try rows(lines, table)
        #expect(rows.count == frames.count && rows.count > 5)
        let formatter = ISO8601DateFormatter()
        for (row, frame) in zip(rows, frames) {
            let seconds = Double(frame.rawValue) / 48_000
            #expect(abs(try #require(row["seconds"] as? Double) - seconds) < 1e-6)
            #expect(abs(try #require(row["timestamp"] as? Double) - start - seconds) < 1e-3)
            #expect(row["date"] as? String == String(formatter.string(from: Date(timeIntervalSince1970: start + seconds)).prefix(10)))
        }
        // Made-up households live by UTC; one an hour to the west of it has another day for an hour.
        let west = lines.map { $0.replacing(#""utcOffset":0"#, with: #""utcOffset":-86399"#).replacing(/,"sum":"[0-9a-f]{8}"/, with: "") }
        let moved = try self.rows(west, table)
        #expect(moved.first?["date"] as? String != rows.first?["date"] as? String)
        #expect(TelemetryText(.csv, table).heading == "seconds,timestamp,date,app,lost,hp,after_damage,session\r\n")
    }
}

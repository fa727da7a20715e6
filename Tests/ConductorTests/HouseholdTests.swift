import Calendar
import Conductor
import Experience
import Fields
import Journal
import Signals
import Testing
import TestSupport
import Units

/// A pet that counts the hours of the local clock.
private struct Pet: Experience {
    struct Memory: PieceMemory {
        var hours: Int

        init(hours: Int) { self.hours = hours }
        init(_ fields: Fields) throws { hours = try fields.integer("hours", in: 0...1_000_000) }
        var json: JSONValue { .object(["hours": .integer(Int64(hours))]) }
    }

    static let declaration: Declaration = {
        guard let four = LocalTime("04:00") else { preconditionFailure("it is a time") }
        return Declaration(name: "pet", rulesVersion: 1, about: "grows older", policy: .household(rollOver: four))
    }()

    var hours = 0

    init(_ opening: Opening) {}

    mutating func begin(at now: Now, _ memory: Memory?) -> Effects {
        hours = memory?.hours ?? 0
        return Effects(wake: nextHour(after: now.civilTime))
    }

    mutating func reduce(_ input: Input<NoMove>, at now: Now) -> Effects {
        guard case .tick = input else { return Effects() }
        hours += 1
        return Effects(wake: nextHour(after: now.civilTime))
    }

    private func nextHour(after civilTime: CivilTime) -> Wake {
        .instant(Double((civilTime.day * 24 + civilTime.secondOfDay / 3600 + 1) * 3600 - civilTime.utcOffset))
    }

    var memory: Memory? { Memory(hours: hours) }
}

@Suite struct HouseholdTests {
    /// Forty days from 2026-02-12 on in Casablanca, where clocks go back on 15 February and forward on 22 March. Three nights are slept
    /// through: the clock goes on, and the output's frames do not.
    @Test func `ticks and roll-overs fall where the civil calendar has them, over forty days`() throws {
        let output = RecordedOutput()
        let begin = 1_770_854_400 // 2026-02-12T00:00:00Z
        var now = Double(begin)
        var conductor = Conductor(
            Pet.self, theme: .standard, rate: .standard, idle: Seconds(45), lowering: lowering, ports: output.ports, seed: { 3 },
            clock: { now },
            utcOffset: Zone.casablanca.offset)
        var frame = Frame.zero
        var last = Frame(-1)
        var asleep: [Range<Int>] = []
        while now < Double(begin + 40 * 86_400) {
            conductor.advance(to: frame)
            while output.placed < output.batches.count {
                let batch = output.batches[output.placed]
                // As the output does: after the gap in which the run before fades out.
                last = max(batch.due.frame, last + batch.gap)
                _ = conductor.placed(at: last)
                output.placed += 1
            }
            conductor.settled(until: Frame(.max))
            let day = (Int(now) - begin) / 86_400
            if [5, 20, 37].contains(day), asleep.count < [5, 20, 37].firstIndex(of: day).map({ $0 + 1 }) ?? 0,
               (Int(now) - begin) % 86_400 >= 23 * 3600 {
                asleep.append(Int(now) + 1..<Int(now) + 9 * 3600)
                now += 9 * 3600
            } else {
                now += 60
                frame = frame + SampleRate.standard.frames(in: Seconds(60))
            }
        }
        #expect(asleep.count == 3)
        func awake(_ instant: Int) -> Int { asleep.first { $0.contains(instant) }?.upperBound ?? instant }

        // 04:00 of each local day is that many seconds after its midnight: the offset is one hour, but for none from 15 February, 02:00, to
        // 22 March, 02:00 (Python's zoneinfo).
        let rollOvers = (0..<40).map { day in
            let midnight = begin + day * 86_400
            return awake(midnight + 4 * 3600 - ((3..<38).contains(day) ? 0 : 3600))
        }
        let begun = output.journal.compactMap { entry -> Int? in
            guard case .event(let event, _, _, _) = entry, case .arrival(let arrival) = event.kind else { return nil }
            return Int(arrival.civilTime.instant)
        }
        #expect(begun == [begin] + rollOvers)
        let ends = output.journal.filter { if case .end(.rollOver, _) = $0 { true } else { false } }
        #expect(ends.count == 40)

        // Full hours of a place whose offset is whole hours are full hours everywhere. One tick makes up for all that were slept through.
        let ticks = output.journal.compactMap { entry -> Int? in
            guard case .event(let event, _, _, _) = entry, case .tick(let civilTime) = event.kind else { return nil }
            return Int(civilTime.instant)
        }
        let hours = Set((1..<40 * 24).map { awake(begin + $0 * 3600) })
        // A run that begins at the full hour is told the time by its arrival.
        #expect(ticks == hours.subtracting(rollOvers).sorted())

        // Each run goes on from what the one before remembered, and leads to the same again.
        var run: Run?
        var memory: JSONValue?
        for entry in output.whole {
            switch entry {
            case .header(let header): run = Run(Pet.self, Opening(theme: header.theme, seed: header.seed, rate: header.sampleRate))
            case .event(let event, let frame, let due, let gave):
                if case .arrival(let arrival) = event.kind { #expect(arrival.memory == memory) }
                guard let admitted = try run?.admit(event, at: due ?? frame) else { Issue.record("no run"); return }
                #expect(run?.act(on: admitted, at: due ?? frame).cues == gave?.cues)
            case .end: memory = run?.memory
            case .discontinuity, .checkpoint: Issue.record("nothing was amiss")
            }
        }
        #expect(conductor.current.memory == .object(["hours": .integer(Int64(ticks.count))]))
    }
}

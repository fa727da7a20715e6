import Dispatch
import Glibc
import PetHouseholds
import Synchronization

/// Many households of Unhooked for many days against the rules written down a second time: `PetTrial [HOUSEHOLDS [DAYS [FIRST]]]`. What
/// differs is printed, and the exit status is 1. A run from a later FIRST than 0 goes on where another ended.
@main enum PetTrial {
    private static let threads = 2

    static func main() {
        let numbers = CommandLine.arguments.dropFirst().compactMap { Int($0) }
        let (households, days, first) = (numbers.first ?? 10_000, numbers.dropFirst().first ?? 180, numbers.dropFirst(2).first ?? 0)
        let lives = Lives()
        let took = ContinuousClock().measure {
            DispatchQueue.concurrentPerform(iterations: threads) { thread in
                for number in stride(from: first + thread, to: first + households, by: threads) { lives.live(number, days: days) }
            }
        }
        lives.report("\(households) households for \(days) days", took)
        exit(lives.differences.isEmpty ? 0 : 1)
    }
}

/// What came of households. Thread: any.
private final class Lives: Sendable {
    private let results = Mutex((tally: PetHousehold.Tally(), differences: [String]()))

    var differences: [String] { results.withLock(\.differences) }

    func live(_ number: Int, days: Int) {
        do {
            // One in five by the rules of a walk-up.
            let tally = try PetHousehold.live(UInt64(number), days: days, isWalkUp: number % 5 == 4)
            results.withLock { $0.tally += tally }
        } catch {
            results.withLock { $0.differences.append("\(error)") }
        }
    }

    func report(_ what: String, _ took: Duration) {
        let (tally, differences) = results.withLock { $0 }
        let sights = tally.sights.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
        print("\(what) in \(took.components.seconds) s: \(tally.days) days, \(tally.actions) actions, \(tally.refusals) of them refused, "
            + "\(tally.limited) by a cooldown or a window, \(tally.repeats) again with their keys, \(tally.restarts) restarts; \(sights)")
        for difference in differences { print(difference) }
        print("\(differences.count) households differ from the model")
    }
}

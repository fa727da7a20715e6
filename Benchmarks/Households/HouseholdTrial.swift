import Dispatch
import Households
import Synchronization

/// Many households of ScrollKitty for many days against the rules written down a second time, and one that opens something a million times:
/// `HouseholdTrial [HOUSEHOLDS [DAYS [FIRST]]]`. What differs is printed, and the exit status is 1. A run from a later FIRST than 0 goes on
/// where another ended, and leaves the one out.
@main enum HouseholdTrial {
    private static let threads = 2
    /// In 3,500 days of looks 5 minutes apart there are a million of them.
    private static let long = (days: 3_500, pause: 600)

    static func main() throws {
        let numbers = CommandLine.arguments.dropFirst().compactMap { Int($0) }
        let (households, days, first) = (numbers.first ?? 10_000, numbers.dropFirst().first ?? 60, numbers.dropFirst(2).first ?? 0)
        let many = Lives(try MessageTexts())
        let took = ContinuousClock().measure {
            DispatchQueue.concurrentPerform(iterations: threads) { thread in
                for number in stride(from: first + thread, to: first + households, by: threads) { many.live(number, days: days) }
            }
        }
        many.report("\(households) households for \(days) days", took)
        let one = Lives(many.texts)
        if first == 0 {
            let took = ContinuousClock().measure { one.live(0, days: long.days, longestPause: long.pause) }
            one.report("one household for \(long.days) days", took)
        }
        let differences = many.differences + one.differences
        for difference in differences { print(difference) }
        print("\(differences.count) households differ from the model")
        guard differences.isEmpty else { throw Exit.differs }
    }

    private enum Exit: Error { case differs }
}

/// What came of households. Thread: any.
private final class Lives: Sendable {
    let texts: MessageTexts
    private let results = Mutex((tally: Household.Tally(), differences: [String]()))

    init(_ texts: MessageTexts) { self.texts = texts }

    var differences: [String] { results.withLock(\.differences) }

    func live(_ number: Int, days: Int, longestPause: Int? = nil) {
        do {
            let tally = try Household.live(UInt64(number), days: days, longestPause: longestPause, texts: texts)
            results.withLock { $0.tally += tally }
        } catch {
            results.withLock { $0.differences.append("\(error)") }
        }
    }

    func report(_ what: String, _ took: Duration) {
        let tally = results.withLock(\.tally)
        print("\(what) in \(took.components.seconds) s: \(tally.days) days, \(tally.attempts) times that something was opened, "
            + "\(tally.bypasses) of them at a price, \(tally.restarts) restarts, \(tally.messages.count) of \(texts.count) texts told")
    }
}

import Calendar
import Files
import Fleet
import Glibc
import JournalFile

/// The closings of a station: once a day is over, it signs the digests of that day's journals, and sends them until a hub has committed
/// them.
struct StationClosings {
    private static let betweenLooks = Duration.seconds(60)

    private let station: StationName
    /// The key that signs; nil for a station that closes no days.
    private let key: JournalKey?
    private let retryDelay: Duration
    /// The closing that waits for a hub's answer, the digest of its text, and when it is sent again.
    private var waiting: (signed: SignedClosing, digest: String, due: Duration)?
    private var nextLook = Duration.zero
    private var mostJournals = Closing.mostJournals

    /// `retryDelay` is the time without an answer after which a closing is sent again.
    init(of station: StationName, by key: JournalKey?, retryDelay: Duration) {
        (self.station, self.key, self.retryDelay) = (station, key, retryDelay)
    }

    /// Whether this station closes days.
    var closes: Bool { key != nil }

    /// Has the waiting closing be sent at once, because there is a new connection to the broker, or a hub that takes it now.
    mutating func hurry() { waiting?.due = .zero }

    /// Returns the closing to send now; nil where there is none. `today` is the day at this place, and nil while the clock is obviously
    /// wrong.
    mutating func next(_ journals: inout StationJournals, today: String?, at now: Duration) -> SignedClosing? {
        if let again = waiting {
            guard now >= again.due else { return nil }
            waiting?.due = now + retryDelay
            return again.signed
        }
        guard let key, let today, now >= nextLook else { return nil }
        nextLook = now + Self.betweenLooks
        // A folder that cannot be read is said where rows are looked for.
        guard let (day, found) = try? journals.unclosed(before: today, atMost: mostJournals, day: PlaceClock.day) else {
            if journals.isDigesting { nextLook = now }
            return nil
        }
        let closing = Closing(station: station, day: day, key: Digest.hexadecimal(key.publicKey.bytes), journals: found)
        let text = Array(closing.text.utf8)
        guard let signature = key.signature(of: text) else { return nil }
        let signed = SignedClosing(closing, signature: Digest.hexadecimal(signature))
        waiting = (signed, Digest.hexadecimal(Digest.of(text)), now + retryDelay)
        return signed
    }

    /// Takes a hub's answer. Returns the journals that are closed by it; none where it answers something else.
    mutating func take(_ kept: KeptClosing) -> [Closing.Journal] {
        guard let answered = waiting, answered.digest == kept.digest else { return [] }
        (waiting, nextLook) = (nil, .zero)
        return answered.signed.closing.journals
    }

    /// Makes the next closings smaller, because the broker takes no message of that size.
    mutating func shrink() {
        (waiting, mostJournals) = (nil, max(mostJournals / 2, 1))
    }
}

/// The days at this place, by the machine's clock and time zone.
enum PlaceClock {
    /// Returns the day of an instant in seconds since 1970-01-01 in UTC, such as `2026-01-31`.
    static func day(_ instant: Int) -> String {
        CivilTime(at: Double(instant)) { instant in
            var (seconds, local) = (time_t(instant), tm())
            localtime_r(&seconds, &local)
            return local.tm_gmtoff
        }.date
    }

    /// The present day; nil while the clock stands before 2024, because it was not set.
    static var today: String? {
        let now = time(nil)
        return LocalClock.isBelievable(now) ? day(now) : nil
    }
}

import Database
import Fields
import Files
import Fleet
import Journal
import JournalFile

/// What stations have signed and the tables do not have yet, and when roots are made.
struct ClosingDesk {
    private static let betweenRoots = Duration.seconds(60)

    private var arrivals: [ClosingTable.Arrival] = []
    private var nextRoots = Duration.zero

    /// The number of closings that wait to be written.
    var count: Int { arrivals.count }

    /// Whether nothing waits to be written, and no root is due.
    func isIdle(at now: Duration) -> Bool { arrivals.isEmpty && now < nextRoots }

    /// Takes a station's closing, unless it waits already. Throws `Fault` where its signature is not by the key that it names.
    mutating func take(_ signed: SignedClosing) throws(Fault) {
        guard signed.isGood else { throw Fault(field: "signature", expected: "one of this closing by its key") }
        let digest = Digest.hexadecimal(Digest.of(Array(signed.closing.text.utf8)))
        guard !arrivals.contains(where: { $0.digest == digest }) else { return }
        arrivals.append(ClosingTable.Arrival(signed, digest: digest))
    }

    /// Drops what waits. Nothing is lost, because stations send again.
    mutating func removeAll() { arrivals = [] }

    /// Writes what waits, and makes the roots that are due; says those that were not said. Returns the stations to answer, and the answers.
    /// Throws `DatabaseProblem`; nothing is lost, because stations send again, and a root that was not said is said later.
    mutating func write(to table: ClosingTable, at now: Duration) throws(DatabaseProblem) -> [(StationName, KeptClosing)] {
        defer { removeAll() }
        if !arrivals.isEmpty {
            for new in try table.write(arrivals) { for warning in Self.warnings(of: new) { say(warning) } }
        }
        if now >= nextRoots {
            nextRoots = now + Self.betweenRoots
            try table.makeRoots(Self.root(of:))
            for root in try table.unsaidRoots() {
                say("root of \(root.day): \(root.root), closings: \(root.closings)")
                try table.markSaid(root.day)
            }
        }
        return arrivals.map { ($0.signed.closing.station, KeptClosing(digest: $0.digest)) }
    }

    /// Returns what somebody should look at because of a closing that was written.
    static func warnings(of new: ClosingTable.New) -> [String] {
        let (closing, name) = (new.closing, "closing of \(new.closing.station), \(new.closing.day)")
        var warnings: [String] = []
        if let former = new.formerKey, former != closing.key {
            let keys = [closing.key, former].map { JournalPublicKey(hexadecimal: $0)?.fingerprint ?? $0 }
            warnings.append("\(name): signed by the key \(keys[0]), and the one before by \(keys[1])")
        }
        if new.isAhead {
            warnings.append("\(name): belongs to the root of \(new.arrived), a day to come, because there is a root of the day before: the "
                + "database's clock was ahead then, or is behind now")
        }
        return warnings
    }

    /// Returns the entries of a day's tree: the former root, where there is one, and the text and signature of each closing.
    static func entries(of day: ClosingTable.Day) -> [[UInt8]] {
        let former = day.former.map { ["thrum root \($0.day) \($0.root)\n"] } ?? []
        return (former + day.closings.map { $0.text + $0.signature + "\n" }).map { Array($0.utf8) }
    }

    /// Returns the root of a day, in hexadecimal digits.
    static func root(of day: ClosingTable.Day) -> String {
        Digest.hexadecimal(MerkleTree(entries(of: day)) { Digest.of($0) }.root)
    }
}

extension SignedClosing {
    /// Whether the signature is one of the closing's text by the key that the closing names.
    var isGood: Bool {
        guard let key = JournalPublicKey(hexadecimal: closing.key), let signature = Hexadecimal.bytes(signature.utf8) else { return false }
        return key.verifies(signature, of: Array(closing.text.utf8))
    }
}

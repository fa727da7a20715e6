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

    /// Takes a station's closing. Throws `Fault` where its signature is not by the key that it names.
    mutating func take(_ signed: SignedClosing) throws(Fault) {
        let text = Array(signed.closing.text.utf8)
        guard signed.isGood else { throw Fault(field: "signature", expected: "one of this closing by its key") }
        arrivals.append(ClosingTable.Arrival(signed, digest: Digest.hexadecimal(Digest.of(text))))
    }

    /// Writes what waits, and makes the roots that are due; says them. Returns the stations to answer, and the answers. Throws
    /// `DatabaseProblem`; nothing is lost, because stations send again.
    mutating func write(to table: ClosingTable, at now: Duration) throws(DatabaseProblem) -> [(StationName, KeptClosing)] {
        defer { arrivals = [] }
        if !arrivals.isEmpty { try table.write(arrivals) }
        if now >= nextRoots {
            nextRoots = now + Self.betweenRoots
            for root in try table.makeRoots(Self.root(of:)) { say("root of \(root.day): \(root.root), closings: \(root.closings)") }
        }
        return arrivals.map { ($0.signed.closing.station, KeptClosing(digest: $0.digest)) }
    }

    static func tree(of texts: [String]) -> MerkleTree { MerkleTree(texts.map { Array($0.utf8) }) { Digest.of($0) } }

    /// Returns the root of these texts, in hexadecimal digits.
    static func root(of texts: [String]) -> String {
        Digest.hexadecimal(tree(of: texts).root)
    }
}

extension SignedClosing {
    /// Whether the signature is one of the closing's text by the key that the closing names.
    var isGood: Bool {
        guard let key = JournalPublicKey(hexadecimal: key), let signature = Hexadecimal.bytes(signature.utf8) else { return false }
        return key.verifies(signature, of: Array(closing.text.utf8))
    }
}

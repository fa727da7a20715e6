import Journal
import SystemPackage
import Units

/// Whether a journal on disk is as it was written.
public enum JournalCheck: Equatable, Sendable {
    /// Every sum is right, and the session's end is there.
    case good(lines: Int)
    /// The sums are right as far as the journal goes, but its end is missing: it was cut off at this line, or is still being written.
    case cut(line: Int)
    /// No line has a sum.
    case unknown(lines: Int)
    /// The line was changed, or something before it.
    case changed(line: Int)
    /// The line is the first without a sum, and others have one.
    case missing(line: Int)
    /// Lines after the header are missing: all before this time of the session.
    case beginningMissing(until: Seconds)
    /// It has no header that can be read, or it breaks the rules though its sums are right.
    case unreadable(JournalFault)

    /// Reads the whole file, and shows it to `proof`. `progress` is told how many bytes have been read, now and then. Throws `Errno`.
    public init(_ path: FilePath, proof: JournalProof? = nil, progress: (Int64) -> Void = { _ in }) throws {
        var scan = try JournalScan(path, proof: proof)
        var announced: Int64 = 0
        do {
            while try scan.next() != nil {
                guard scan.bytesRead >= announced + 1 << 20 else { continue }
                announced = scan.bytesRead
                progress(announced)
            }
        } catch let fault as JournalFault {
            // Without a header there is no session, whatever the sums say: so everybody else who reads it says.
            self = fault.line == 1 ? .unreadable(fault) : Self(scan.integrity) ?? .unreadable(fault)
            return
        }
        let cutLine: Int? = if case .cut(let line) = scan.ending { line } else { scan.lacksNewline ? scan.line : nil }
        self = if let bad = Self(scan.integrity) {
            bad
        } else if let cutLine {
            .cut(line: cutLine)
        } else if scan.integrity == .unknown {
            .unknown(lines: scan.line)
        } else {
            .good(lines: scan.line)
        }
    }

    public var isGood: Bool { if case .good = self { true } else { false } }

    private init?(_ integrity: JournalIntegrity) {
        switch integrity {
        case .unknown, .intact: return nil
        case .changed(let line): self = .changed(line: line)
        case .missing(let line): self = .missing(line: line)
        case .beginningMissing(let end): self = .beginningMissing(until: end)
        }
    }
}

import Files
import Journal
import SystemPackage
import Units

/// The result of checking whether a journal on disk is as it was written.
public enum JournalCheck: Equatable, Sendable {
    /// Every sum is right, and the session's end is there.
    case good(lines: Int)
    /// The sums are right as far as the journal goes, but its end is missing: it was cut off at this line, or is still being written.
    case cut(line: Int)
    /// No line has a sum.
    case unknown(lines: Int)
    /// The content changed at this line or before it.
    case changed(line: Int)
    /// The sum is missing, at this line for the first time, and other lines have one.
    case missing(line: Int)
    /// Lines after the header are missing: all before this time of the session.
    case beginningMissing(until: Seconds)
    /// The journal has no header that can be read, or it breaks the rules though its sums are right.
    case unreadable(JournalFault)

    /// Checks the whole file, and shows it to `proof`. `progress` is told now and then how many bytes have been read. Throws `Errno`.
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

/// The proof that the signatures of a journal give, as far as it has been read. Used by one thread.
public final class JournalProof {
    /// The key of the box, by the header; nil for a journal that is not signed.
    public private(set) var key: JournalPublicKey?
    /// The last line that a right signature covers; 0 while there is none.
    public private(set) var provenLine = 0
    /// The first line whose signature is not right, or which has none and must have one.
    public private(set) var wrongLine: Int?
    /// The digests of sound files, by their paths, that the header and the checkpoints name.
    public private(set) var sounds: [String: String] = [:]
    private let digest = RunningDigest()
    private var line = 0

    public init() {}

    /// Takes the next line, without its newline, and its entry.
    func take(_ bytes: ArraySlice<UInt8>, _ entry: JournalEntry) {
        line += 1
        let mustBeSigned: Bool
        switch entry {
        case .header(let header):
            mustBeSigned = false
            if let signed = header.signed {
                sounds = signed.sounds
                key = JournalPublicKey(hexadecimal: signed.key)
                if key?.fingerprint != signed.box { wrongLine = line }
            }
        case .checkpoint(let named, _):
            mustBeSigned = true
            sounds.merge(named) { $1 }
        case .end: mustBeSigned = true
        case .event, .discontinuity: mustBeSigned = false
        }
        if key == nil, wrongLine == nil, case .checkpoint = entry {
            // Its header was taken from another journal, or has lost what names the key.
            wrongLine = line
        } else if let key, wrongLine == nil {
            if let (head, signature) = JournalSignature.parts(of: bytes), key.verifies(signature, of: digest.value(with: head)) {
                provenLine = line
            } else if mustBeSigned {
                wrongLine = line
            }
        }
        digest.add(bytes)
        digest.add(CollectionOfOne(UInt8(ascii: "\n")))
    }
}

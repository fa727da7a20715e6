import Files
import Journal
import SystemPackage
import Units

/// The result of checking whether a journal on disk is as it was written.
public enum JournalCheck: Equatable, Sendable {
    /// Every checksum is right, and the journal has the session's end.
    case good(lines: Int)
    /// The checksums are right as far as the journal goes, but the session has no end in it. The journal was cut off at this line, or is
    /// still being written.
    case cut(line: Int)
    /// No line has a checksum.
    case unknown(lines: Int)
    /// The content changed at this line or before it.
    case changed(line: Int)
    /// This line is the first without a checksum, although other lines have one.
    case missing(line: Int)
    /// The lines between the header and this time of the session are missing.
    case beginningMissing(until: Seconds)
    /// The journal has no readable header, or it breaks the rules although its checksums are right.
    case unreadable(JournalFault)

    /// Checks the whole file, and passes its lines to `proof`. Calls `progress` now and then with the number of bytes that have been read.
    /// Throws `Errno`.
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

/// Verifies the signatures of a journal, line by line. One thread uses it.
public final class JournalProof {
    /// The box's key according to the header; nil for a journal that is not signed.
    public private(set) var key: JournalPublicKey?
    /// The last line that a valid signature covers; 0 while there is none.
    public private(set) var provenLine = 0
    /// The first line whose signature is wrong, or is missing where one is required; nil if there is none.
    public private(set) var wrongLine: Int?
    /// The digests of sound files according to the header and the checkpoints, by the files' paths.
    public private(set) var sounds: [String: String] = [:]
    private let digest = RunningDigest()
    private var line = 0

    public init() {}

    /// Takes the next line, without its newline, and the entry that it contains.
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

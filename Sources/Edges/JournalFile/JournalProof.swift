import Files
import Journal

/// What the signatures of a journal prove of it, as far as it has been read. Used by one thread.
public final class JournalProof {
    /// Of the box by its header; nil for a journal that is not signed.
    public private(set) var key: JournalPublicKey?
    /// The last line that a right signature is of, and 0 while there is none.
    public private(set) var provenLine = 0
    /// The first line whose signature is not right, or which has none and must have one.
    public private(set) var wrongLine: Int?
    /// The digests of sound files, by their paths, that the header and the checkpoints name.
    public private(set) var sounds: [String: String] = [:]
    private let digest = RunningDigest()
    private var line = 0

    public init() {}

    /// The next line, without its newline, and what it says.
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

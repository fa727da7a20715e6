import Journal
import JournalFile
import SystemPackage

/// The digests of the sound files with which a signed session was played, by their paths. A reload may have brought other bytes of a file.
struct PlayedSounds {
    enum Verdict: Equatable {
        /// The file is the one that was played, or nothing is known of it.
        case played
        /// The file was played, and so were other bytes with its path.
        case playedInPart
        /// The file was not played.
        case exchanged
    }

    /// The SHA-256 of each file's bytes, in hexadecimal.
    private var digests: [String: Set<String>] = [:]

    /// Nothing is known of any file.
    init() {}

    /// Reads what the header and the checkpoints of a journal say. After a bad line no more is read, because no more is played. Throws
    /// `Errno` where the journal cannot be opened.
    init(of path: FilePath, _ header: JournalHeader) throws {
        guard let signed = header.signed else { return }
        digests = signed.sounds.mapValues { [$0] }
        var scan = try JournalScan(path)
        while let entry = try? scan.next() {
            guard case .checkpoint(let sounds, _) = entry else { continue }
            for (file, digest) in sounds { digests[file, default: []].insert(digest) }
        }
    }

    /// Says whether the file with this digest is the one that was played.
    func verdict(on file: String, digest: String) -> Verdict {
        guard let played = digests[file] else { return .played }
        return played.contains(digest) ? (played.count > 1 ? .playedInPart : .played) : .exchanged
    }
}

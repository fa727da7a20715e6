import Files
import Journal
import JournalFile
import Logging
import Signals
import Synchronization
import SystemPackage
import Wire

/// Signs journals, with what their sessions are played with. Thread: the recorder's.
struct JournalSigning: Sendable {
    let key: JournalKey
    let sounds: SoundDigests

    /// How signing stands since the daemon's start.
    struct Start: Sendable {
        var signing: JournalSigning?
        /// Why journals are not signed, in words; nil where they are, and where there is no state directory.
        var issue: String?

        /// Nothing is signed.
        init() {}

        /// Reads the key in the state directory, or makes one; waits at most `BlockingWork.limit`.
        init(in state: String?, _ sounds: SoundDigests, logger: Logger) {
            guard let state else { return }
            do {
                let key = try BlockingWork.wait { try JournalKey(in: FilePath(state)) }
                signing = JournalSigning(key: key, sounds: sounds)
            } catch {
                let words = "journals are not signed: \(error)"
                logger.error("\(words)")
                issue = words
            }
        }
    }

    /// The header with who signs, and the digests of its theme and of the sounds of that.
    func signed(_ header: JournalHeader) -> JournalHeader {
        let digest = RunningDigest()
        digest.add(JournalLine.encode(header.theme))
        var header = header
        header.signed = JournalProvenance(box: key.publicKey.fingerprint, key: Hexadecimal.text(key.publicKey.bytes),
                                          theme: Hexadecimal.text(digest.value()), sounds: digests(of: header.theme))
        return header
    }

    /// Those of the sound files of a theme's patterns, by their paths.
    func digests(of theme: Theme) -> [String: String] {
        var digests: [String: String] = [:]
        for sound in theme.haptics.values.flatMap(\.sounds) {
            if case .file(let path) = sound.source { digests[path] = sounds[path] }
        }
        return digests
    }
}

/// SHA-256 of the sound files as they were read for playing, in hexadecimal digits: a file may be replaced while its old sound is played.
/// Thread: any.
final class SoundDigests: Sendable {
    /// Nil of a file that was read with different bytes: nobody knows which of them a pattern has.
    private let digests = Mutex<[String: String?]>([:])

    func learn(_ digest: [UInt8], of path: String) {
        let text = Hexadecimal.text(digest)
        digests.withLock { digests in
            let isSame = digests[path].map { $0 == text } ?? true
            digests.updateValue(isSame ? text : nil, forKey: path)
        }
    }

    subscript(path: String) -> String? { digests.withLock { $0[path] ?? nil } }
}

extension StatusReport.JournalKey {
    init(_ key: JournalPublicKey) { self.init(fingerprint: key.fingerprint, pem: key.pem) }
}

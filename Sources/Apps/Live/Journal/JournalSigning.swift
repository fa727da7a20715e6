import Files
import Journal
import JournalFile
import Logging
import Signals
import Synchronization
import SystemPackage
import Wire

/// Signs journals. The signature covers the digests of the theme and of the sound files. Thread: the recorder's.
struct JournalSigning: Sendable {
    let key: JournalKey
    /// The directory in which the key is kept.
    let directory: FilePath
    let sounds: SoundDigests

    /// What is known of signing since the daemon's start: the means to sign, or why journals are not signed.
    struct Start: Sendable {
        var signing: JournalSigning?
        /// Why journals are not signed, in words. Nil where journals are signed, and where there is no state directory.
        var issue: String?

        /// Makes the outcome in which journals are not signed, and that is no issue.
        init() {}

        /// Reads the key in the state directory, or makes one; waits at most `BlockingWork.limit`.
        init(in state: String?, _ sounds: SoundDigests, logger: Logger) {
            guard let state else { return }
            do {
                let directory = FilePath(state)
                let key = try BlockingWork.wait { try JournalKey(in: directory) }
                signing = JournalSigning(key: key, directory: directory, sounds: sounds)
            } catch {
                let words = "journals are not signed: \(error)"
                logger.error("\(words)")
                issue = words
            }
        }
    }

    /// Returns the header with the signer, the digest of its theme, and the digests of the theme's sounds.
    func signed(_ header: JournalHeader) -> JournalHeader {
        let digest = RunningDigest()
        digest.add(JournalLine.encode(header.theme))
        var header = header
        header.signed = JournalProvenance(box: key.publicKey.fingerprint, key: Hexadecimal.text(key.publicKey.bytes),
                                          theme: Hexadecimal.text(digest.value()), sounds: digests(of: header.theme))
        return header
    }

    /// Returns the digests of the sound files of a theme's patterns, by their paths.
    func digests(of theme: Theme) -> [String: String] {
        var digests: [String: String] = [:]
        let patterns = Array(theme.haptics.values)
        for case .file(let path) in patterns.flatMap(\.sounds).map(\.source) { digests[path] = sounds.digest(of: path, in: patterns) }
        return digests
    }
}

/// The SHA-256 digests of sound files as they were read for playing, in hexadecimal digits. When a file is replaced, a pattern whose
/// waveform exists keeps the old sound, and a later pattern gets the new sound. Thread: any.
final class SoundDigests: Sendable {
    private struct Reading {
        var pattern: HapticPattern
        /// The digest of the file; nil where the file was read for this pattern with different contents, so that nobody knows which
        /// contents are played.
        var digest: String?
    }

    /// The readings of each file, by path; one for each pattern.
    private let readings = Mutex<[String: [Reading]]>([:])

    /// Records the digest of a file as it was read for a pattern.
    func learn(_ digest: [UInt8], of path: String, in pattern: HapticPattern) {
        let text = Hexadecimal.text(digest)
        readings.withLock { readings in
            var known = readings[path] ?? []
            if let index = known.firstIndex(where: { $0.pattern == pattern }) {
                if known[index].digest != text { known[index].digest = nil }
            } else {
                known.append(Reading(pattern: pattern, digest: text))
            }
            readings[path] = known
        }
    }

    /// Returns the digest of the file at `path`, as it was read for those of `patterns` that play it. Nil where two of them play different
    /// contents, or where the contents are unknown.
    func digest(of path: String, in patterns: [HapticPattern]) -> String? {
        let digests = readings.withLock { $0[path] ?? [] }.filter { patterns.contains($0.pattern) }.map(\.digest)
        return Set(digests).count == 1 ? digests[0] : nil
    }
}

extension StatusReport.JournalKey {
    init(_ key: JournalPublicKey) { self.init(fingerprint: key.fingerprint, pem: key.pem) }
}

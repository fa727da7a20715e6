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
    /// The directory in which the key is kept.
    let directory: FilePath
    let sounds: SoundDigests

    /// How signing stands since the daemon's start.
    struct Start: Sendable {
        var signing: JournalSigning?
        /// Why journals are not signed, in words; nil where they are, and where there is no state directory.
        var issue: String?

        /// Signs nothing.
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

    /// Returns a header with who signs, and the digests of its theme and of the theme's sounds.
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

/// SHA-256 of the sound files as they were read for playing, in hexadecimal digits. A pattern that has its waveform keeps it when a file is
/// replaced, and another pattern that comes later has the new sound. Thread: any.
final class SoundDigests: Sendable {
    private struct Reading {
        var pattern: HapticPattern
        /// The file's digest; nil where it was read with different bytes, and nobody knows which of them the pattern has.
        var digest: String?
    }

    /// What was read, by path, once for each pattern.
    private let readings = Mutex<[String: [Reading]]>([:])

    /// Notes the digest of a file as it was read for a pattern.
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

    /// Returns the digest of what those of `patterns` play that have the file; nil where they do not play the same.
    func digest(of path: String, in patterns: [HapticPattern]) -> String? {
        let digests = readings.withLock { $0[path] ?? [] }.filter { patterns.contains($0.pattern) }.map(\.digest)
        return Set(digests).count == 1 ? digests[0] : nil
    }
}

extension StatusReport.JournalKey {
    init(_ key: JournalPublicKey) { self.init(fingerprint: key.fingerprint, pem: key.pem) }
}

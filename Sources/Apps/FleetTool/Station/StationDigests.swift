import Fields
import Files
import JournalFile
import SystemPackage

/// The SHA-256 digests of journals that are in no closing yet. They are made some MiB at a time, so that the connection to the broker has
/// its turns between. One thread uses it; its calls read files.
struct StationDigests {
    /// The number of bytes that are read in a round.
    static let bytesOfRound = 8 << 20
    /// The bytes that a file costs at least, because opening it takes time, too.
    private static let leastCost = 1 << 14

    enum Digest {
        /// In hexadecimal digits.
        case finished(String)
        /// The next round goes on with it.
        case unfinished
        case failed
    }

    /// A digest of which the bytes before `position` are in.
    private struct Begun {
        let stem: String
        let bytes: Int
        let digest = RunningDigest()
        var position = 0
    }

    private var finished: [String: (bytes: Int, digest: String)] = [:]
    private var begun: Begun?
    private var room = 0
    /// The journals that cannot be read. They are skipped until all others are digested.
    private var skipped: Set<String> = []
    /// The reasons why journals cannot be digested now, as they were printed; each is printed once.
    private(set) var failures: [String: String] = [:]

    mutating func beginRound() { room = Self.bytesOfRound }

    /// Has the journals that failed be tried again.
    mutating func endRounds() { skipped = [] }

    /// Forgets journals that are closed or gone.
    mutating func forget(_ isForgotten: (String) -> Bool) {
        finished = finished.filter { !isForgotten($0.key) }
        failures = failures.filter { !isForgotten($0.key) }
    }

    /// Returns the digest of a journal, or goes on with it as far as the round has room. `stem` is its file's name without `.jsonl`.
    mutating func digest(of session: SessionFolder.Session, _ stem: String) -> Digest {
        let bytes = Int(session.bytes)
        if let known = finished[stem], known.bytes == bytes { return .finished(known.digest) }
        guard !skipped.contains(stem) else { return .failed }
        var current = begun.flatMap { $0.stem == stem && $0.bytes == bytes ? $0 : nil } ?? Begun(stem: stem, bytes: bytes)
        begun = nil
        do {
            while current.position < bytes {
                guard room > 0 else {
                    begun = current
                    return .unfinished
                }
                let part = try Self.bytes(of: session.path, at: current.position, atMost: min(room, bytes - current.position))
                guard !part.isEmpty else { throw Fault(field: "", expected: "\(bytes) bytes", found: "\(current.position)") }
                current.digest.add(part)
                current.position += part.count
                room -= max(part.count, Self.leastCost)
            }
        } catch {
            skipped.insert(stem)
            if failures.updateValue("\(error)", forKey: stem) != "\(error)" { say("\(session.path): \(error); it is in no closing yet") }
            return .failed
        }
        failures[stem] = nil
        let digest = Files.Digest.hexadecimal(current.digest.value())
        finished[stem] = (bytes, digest)
        return .finished(digest)
    }

    private static func bytes(of path: FilePath, at position: Int, atMost most: Int) throws -> [UInt8] {
        try BlockingWork.wait {
            let file = try PlainFile.open(path)
            return try file.closeAfter {
                var bytes = [UInt8](repeating: 0, count: most)
                let count = try bytes.withUnsafeMutableBytes { try file.read(fromAbsoluteOffset: Int64(position), into: $0) }
                return Array(bytes.prefix(count))
            }
        }
    }
}

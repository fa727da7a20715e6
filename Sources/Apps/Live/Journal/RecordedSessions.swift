import Experience
import Files
import HTTPServer
import Journal
import JournalFile
import NIOCore
import Offline
import Synchronization
import SystemPackage
import Units
import Wire

/// Serves the recorded sessions over HTTP, to be heard and saved. Thread: any.
final class RecordedSessions: Recordings {
    /// The largest number of sessions whose reading positions are kept after their last reader has left, because a browser that jumps comes
    /// back soon.
    private static let most = 3

    private let folder: SessionFolder
    private let pieces: [any Experience.Type]
    private let version: String
    /// Returns the journal of the session under way; nil while there is none.
    private let current: @Sendable () -> String?
    /// The sounds that were requested last, the newest at the end.
    private let sounds = Mutex<[(path: FilePath, sound: SessionSound)]>([])

    /// `pieces` are the pieces whose journals of version 1 can be heard. `version` is Thrum's version, by which a browser knows whether the
    /// sound in its cache is still valid.
    init(in folder: SessionFolder, _ pieces: [any Experience.Type], version: String, current: @escaping @Sendable () -> String?) {
        self.folder = folder
        self.pieces = pieces
        self.version = version
        self.current = current
    }

    func find(_ recording: Recording) throws(HTTPRefusal) -> any ServedBytes {
        let path = try path(of: recording.session)
        let isRunning = path.string == current()
        do {
            switch recording.form {
            case .wav where isRunning && recording.until == nil:
                throw HTTPRefusal(.conflict, "this session is still going on: all of its sound can be had when it has ended")
            case .wav:
                let sound = try sound(of: path, until: recording.until)
                // What follows the first seconds does not change them.
                let state = recording.until.map { "\(path) \($0)" } ?? sound.state.text
                return ServedSound(sound: sound, tag: EntityTag(digest: Digest.of(Array("\(version) \(state)".utf8))))
            case .jsonl:
                let journal = try JournalBytes(path, isGrowing: isRunning)
                return ServedJournal(journal: journal, tag: EntityTag(digest: Digest.of(Array(journal.state.text.utf8))))
            }
        } catch Errno.noSuchFileOrDirectory {
            throw Self.unknown
        } catch let refusal as HTTPRefusal {
            throw refusal
        } catch is SessionSound.NotYet {
            throw HTTPRefusal(.conflict, "the session has not come to \(recording.until ?? 0) s, or nothing has happened in it since")
        } catch {
            throw HTTPRefusal(.internalServerError, "this session cannot be read: \(Self.words(error))")
        }
    }

    /// Returns the journal of the session `name`, which must be one of the folder's names. Throws refusals with the status 404 or 500.
    private func path(of name: String) throws(HTTPRefusal) -> FilePath {
        let session: SessionFolder.Session?
        do {
            session = try folder.session(named: name)
        } catch {
            throw HTTPRefusal(.internalServerError, "\(folder.path): \(error)")
        }
        guard let session else { throw Self.unknown }
        return session.path
    }

    private func sound(of path: FilePath, until: Int?) throws -> SessionSound {
        let state = try FileState(at: path)
        let end = until.map { Seconds(Double($0)) }
        let known = sounds.withLock { sounds in
            let index = sounds.firstIndex { $0.path == path && $0.sound.until == end && $0.sound.isOf(state) }
            return index.map { index in
                let found = sounds.remove(at: index)
                sounds.append(found)
                return found.sound
            }
        }
        if let known { return known }
        let sound = try SessionSound(path, until: end, pieces)
        sounds.withLock { sounds in
            sounds.removeAll { $0.path == path && $0.sound.until == end }
            if sounds.count == Self.most { sounds.removeFirst() }
            sounds.append((path, sound))
        }
        return sound
    }

    /// The answer where no journal has the name, for instance because it was removed just now.
    private static let unknown = HTTPRefusal(.notFound, "there is no such session")

    private static func words(_ error: any Error) -> String {
        switch error {
        case let fault as JournalFault: "line \(fault.line): \(fault.fault)"
        case is JournalScan.OtherFile: "it has just changed"
        default: "\(error)"
        }
    }
}

private struct ServedSound: ServedBytes {
    let sound: SessionSound
    let tag: EntityTag

    var type: String { "audio/wav" }
    var size: Int { Int(sound.bytes) }

    func part(_ range: Range<Int>) throws -> ByteBuffer? {
        try sound.bytes(Int64(range.lowerBound)..<Int64(range.upperBound)).map { ByteBuffer(bytes: $0) }
    }
}

private struct ServedJournal: ServedBytes {
    let journal: JournalBytes
    let tag: EntityTag

    var type: String { "application/jsonl; charset=utf-8" }
    var size: Int { Int(journal.state.bytes) }

    func part(_ range: Range<Int>) throws -> ByteBuffer? {
        ByteBuffer(bytes: try journal.bytes(Int64(range.lowerBound)..<Int64(range.upperBound)))
    }
}

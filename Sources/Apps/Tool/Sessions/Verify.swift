import ArgumentParser
import Experience
import Fields
import Journal
import JournalFile
import Offline
import SystemPackage
import Units

struct Verify: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Say whether journals are as thrumd wrote them, and a WAV a session's sound.",
        discussion: """
            Each line of a journal ends with a sum of all before it, so a line that was changed, removed or moved is found. thrumd signs \
            its journals, so that nobody else can compute sums anew. The cues are compared with those that the rules of the piece give, \
            and the sound files that a signed journal names with those that are there. --sound renders the session, and compares the \
            samples bit by bit; the file's header says in which format.

            What is known is printed for each journal. Exit status 0 if all are good; 65 if one is not, 66 if one cannot be opened. The \
            journal of a session that is still running has no end yet, and so is not good. `thrum sessions key` prints the key of a \
            thrumd that runs.

            EXAMPLES
              thrum verify newest
              thrum verify /var/lib/thrum/sessions/*.jsonl
              thrum verify --key museum.pem visits/*.jsonl
              thrum verify --sound visit.wav visit.jsonl
            """)

    @Argument(help: SessionArgument.help, completion: SessionArgument.completion)
    var sessions: [SessionArgument]

    @Option(help: ArgumentHelp("Only a journal signed by this box is good: a file with its public key in PEM, or the key's fingerprint.",
                               valueName: "file|fingerprint"))
    var key: FileArgument?

    @Option(help: "Whether this WAV is the session's sound.", completion: .file(extensions: ["wav"]))
    var sound: FileArgument?

    @OptionGroup var folder: SessionsOption

    func validate() throws {
        guard sound == nil || sessions.count == 1 else {
            throw ValidationError("--sound: expected one session beside it, found \(sessions.count)")
        }
    }

    func run() throws {
        let wanted = try key.map { try Self.fingerprint($0) }
        let (journals, missing) = try sessions.found(in: folder.path)
        let bar = ProgressBar("verifying")
        var status = missing
        for (place, journal) in journals.enumerated() {
            do {
                let size = max(1, try Self.size(of: journal.path))
                let verification = try Verification(journal.path, key: wanted) { bytes in
                    bar.show((Double(place) + min(1, Double(bytes) / Double(size))) / Double(journals.count))
                }
                bar.clear()
                print("\(journal): " + verification.lines.joined(separator: "\n  "))
                if !verification.isGood { status = status ?? Exit.data }
                if let sound, !verification.isUnreadable, try !isSound(sound, of: journal) { status = status ?? Exit.data }
            } catch let errno as Errno {
                bar.clear()
                print("\(journal): unreadable: \(errno)")
                status = Exit.noInput
            }
        }
        if let status { throw status }
    }

    private func isSound(_ sound: FileArgument, of journal: SessionFile) throws -> Bool {
        let bar = ProgressBar("comparing")
        defer { bar.clear() }
        do {
            switch try SoundIdentity(sound.path, of: journal.path, Pieces.current.all, progress: { bar.show($0) }) {
            case .same(let frames):
                bar.clear()
                print("\(sound): the session's sound, bit for bit, frames: \(frames)")
                return true
            case .different(let frame, let rate):
                bar.clear()
                let time = rate.seconds(in: FrameCount(frame)).clock(3)
                print("\(sound): not the session's sound: first different at frame \(frame), \(time)")
                return false
            }
        } catch let fault as JournalFault {
            throw failure(fault.description(file: journal.name), Exit.data)
        } catch let fault as Fault {
            throw failure("\(sound): \(fault)", Exit.data)
        } catch let errno as Errno {
            throw failure("\(sound): \(errno)", Exit.noInput)
        }
    }

    /// What --key names. Throws an exit status.
    private static func fingerprint(_ key: FileArgument) throws -> String {
        if key.word.utf8.count == 64, Hexadecimal.bytes(key.word.utf8) != nil { return key.word }
        do {
            guard let found = JournalPublicKey(pem: try readAll(key.path)) else {
                throw failure("--key: expected a public key of Ed25519 in PEM, or a fingerprint of 64 small hexadecimal digits, "
                    + "found \(key)", .validationFailure)
            }
            return found.fingerprint
        } catch let errno as Errno {
            throw failure("\(key): \(errno)", Exit.noInput)
        }
    }

    private static func size(of path: FilePath) throws -> Int64 {
        let file = try FileDescriptor.open(path, .readOnly)
        return try file.closeAfter { (try? file.seek(offset: 0, from: .end)) ?? 0 }
    }
}

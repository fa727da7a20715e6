import ArgumentParser
import Fields
import Files
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
            thrumd that runs. Of a piece that predicts, the margins are compared, too; for that the model must be there that the session \
            was played by, and --model with another file is a fault.

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

    @Option(help: "The file of the model that the sessions were played by. (default: the one in models beside each journal)",
            completion: .file(extensions: ["mlmodel"]))
    var model: FileArgument?

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
        for (index, journal) in journals.enumerated() {
            do {
                let size = max(1, try Self.size(of: journal.path))
                let verification = try Verification(journal.path, key: wanted, model: model.map { .file($0.path) } ?? .recorded) { bytes in
                    bar.show((Double(index) + min(1, Double(bytes) / Double(size))) / Double(journals.count))
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

    /// Returns the fingerprint of a box's public key. The value of --key is the fingerprint itself, or a file with the key. Throws an exit
    /// status.
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

/// The result of verifying a journal: whether it is as it was written, and with which model and sounds it was played.
struct Verification {
    private let check: JournalCheck
    private let proof: JournalProof
    /// Whether the cues are those of the piece's rules; nil where that was not checked, because the journal was changed or cannot be read
    /// to its end, or its model cannot be used.
    private let rules: RulesCheck?
    /// The fault that the model given on the command line is not the session's; nil where it is the session's, or where none was given.
    private let modelFault: JournalFault?
    /// The sound files that differ from those that were played, and (`missingSounds`) those that are missing.
    private let changedSounds: [String]
    private let missingSounds: [String]
    /// The fingerprint of the box that must have signed the journal; nil where any box may have.
    private let wantedBox: String?

    /// Reads the whole journal and verifies it. `key` is the fingerprint of the box that must have signed it, if one must. `model` says
    /// where the session's model is found. `progress` gets the number of bytes read. Throws `Errno`.
    init(_ journal: FilePath, key: String?, model: ReplayModel = .recorded, progress: (Int64) -> Void) throws {
        let proof = JournalProof()
        check = try JournalCheck(journal, proof: proof, progress: progress)
        self.proof = proof
        wantedBox = key
        (rules, modelFault) = check.isAsWritten && proof.wrongLine == nil ? Self.rules(of: journal, model) : (nil, nil)
        var (changed, missing): ([String], [String]) = ([], [])
        for (path, digest) in proof.sounds.sorted(by: { $0.key < $1.key }) {
            do {
                if Hexadecimal.text(try FileDigest.of(FilePath(path))) != digest { changed.append(path) }
            } catch {
                missing.append(path)
            }
        }
        (changedSounds, missingSounds) = (changed, missing)
    }

    private static func rules(of journal: FilePath, _ model: ReplayModel) -> (RulesCheck?, JournalFault?) {
        do {
            return (try RulesCheck(journal, model: model, Pieces.current.all), nil)
        } catch let fault as JournalFault where fault.fault.field == ReplayModel.field {
            return (nil, fault)
        } catch {
            return (nil, nil)
        }
    }

    var isGood: Bool {
        check.isGood && proof.wrongLine == nil && modelFault == nil && rules?.isDifferent != true && changedSounds.isEmpty
            && (wantedBox == nil || isOfWantedBox)
    }

    /// Whether the journal has nothing that can be rendered, because it cannot be read.
    var isUnreadable: Bool { if case .unreadable = check { true } else { false } }

    private var isOfWantedBox: Bool { proof.key?.fingerprint == wantedBox && proof.provenLine > 0 }

    /// The verdict in lines for people. The first line says whether the journal is as it was written; the others say why that is known.
    var lines: [String] { [headline, signature].compactMap { $0 } + [cues].compactMap { $0 } + sounds }

    private var headline: String {
        guard check.isAsWritten else { return check.words }
        if modelFault != nil { return "not compared: the model that was given is not the session's" }
        if let line = proof.wrongLine { return "changed " + Self.lines(after: proof.provenLine, to: line) }
        if case .different(let line)? = rules { return "changed at line \(line): the rules give other cues or another margin" }
        return check.words
    }

    private static func lines(after proven: Int, to line: Int) -> String {
        proven + 1 < line ? "in lines \(proven + 1) to \(line)" : "at line \(line)"
    }

    private var signature: String? {
        let wanted = wantedBox.map { isOfWantedBox ? "" : ": expected the box \($0)" } ?? ""
        guard let key = proof.key else { return wantedBox == nil && !check.isAsWritten ? nil : "not signed" + wanted }
        let box = "signed by the box \(key.fingerprint)"
        if let line = proof.wrongLine {
            return box + (proof.provenLine > 0 ? ", up to line \(proof.provenLine)" : "")
                + "; the signature of line \(line) is wrong or missing" + wanted
        }
        guard proof.provenLine > 0 else {
            return "names the box \(key.fingerprint), and has no signature yet: nothing of it is proven" + wanted
        }
        return box + (check.isGood ? ", all of it" : ", up to line \(proof.provenLine); what follows is not proven") + wanted
    }

    private var cues: String? {
        switch rules {
        case .same(let experience, let version): "cues as the rules of \(experience), version \(version), give them"
        case .different(let line): "cues or margin of line \(line): not those that the rules give"
        case .unknown(let line): "cues as the rules give them up to line \(line), where entries are missing"
        case .unchecked(let reason): "cues not compared: \(reason)"
        case nil: modelFault.map { "cues not compared: \($0.fault)" }
        }
    }

    private var sounds: [String] {
        guard !proof.sounds.isEmpty else { return [] }
        let same = proof.sounds.count - changedSounds.count - missingSounds.count
        return changedSounds.map { "the sound file \($0) is not the one that was played" }
            + missingSounds.map { "the sound file \($0) cannot be read here, so it is not compared" }
            + (same > 0 ? ["sound files as they were played: \(same)"] : [])
    }
}

extension JournalCheck {
    /// Whether the lines that the journal has show no change and no gap. The journal may still be cut off at its end.
    fileprivate var isAsWritten: Bool {
        switch self {
        case .good, .cut, .unknown: true
        case .changed, .missing, .beginningMissing, .unreadable: false
        }
    }

    fileprivate var words: String {
        switch self {
        case .good(let lines): "good, lines: \(lines)"
        case .cut(let line): "good so far, cut off at line \(line)"
        case .unknown(let lines): "no sums, lines: \(lines)"
        case .changed(let line): "changed at line \(line) or above it"
        case .missing(let line): "changed: no sum at line \(line), while others have one"
        case .beginningMissing(let end): "changed: the beginning is missing, all before \(end.clock(3))"
        case .unreadable(let fault): "unreadable: line \(fault.line): \(fault.fault)"
        }
    }
}

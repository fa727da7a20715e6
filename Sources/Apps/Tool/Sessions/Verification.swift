import Files
import Journal
import JournalFile
import Offline
import SystemPackage
import Units

/// All that can be known of whether a journal is as it was written, and what it was played with.
struct Verification {
    private let check: JournalCheck
    private let proof: JournalProof
    /// Nil where the journal cannot be gone through, or was changed anyway.
    private let rules: RulesCheck?
    /// Sound files that are not what they were, and those that are not there.
    private let changedSounds: [String]
    private let missingSounds: [String]
    /// The fingerprint that is demanded.
    private let wantedBox: String?

    /// Reads all of the journal. Throws `Errno`.
    init(_ journal: FilePath, key: String?, progress: (Int64) -> Void) throws {
        let proof = JournalProof()
        check = try JournalCheck(journal, proof: proof, progress: progress)
        self.proof = proof
        wantedBox = key
        rules = check.isAsWritten && proof.wrongLine == nil ? try? RulesCheck(journal, Pieces.current.all) : nil
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

    var isGood: Bool {
        check.isGood && proof.wrongLine == nil && rules?.isDifferent != true && changedSounds.isEmpty && (wantedBox == nil || isOfWantedBox)
    }

    /// Whether there is nothing to be rendered.
    var isUnreadable: Bool { if case .unreadable = check { true } else { false } }

    private var isOfWantedBox: Bool { proof.key?.fingerprint == wantedBox && proof.provenLine > 0 }

    /// For people: the first says how the journal is, the others why that is known.
    var lines: [String] { [headline, signature].compactMap { $0 } + [cues].compactMap { $0 } + sounds }

    private var headline: String {
        guard check.isAsWritten else { return check.words }
        if let line = proof.wrongLine { return "changed " + Self.place(after: proof.provenLine, to: line) }
        if case .different(let line)? = rules { return "changed at line \(line): the rules give other cues" }
        return check.words
    }

    private static func place(after proven: Int, to line: Int) -> String {
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
        case .different(let line): "cues of line \(line): not those that the rules give"
        case .unknown(let line): "cues as the rules give them up to line \(line), where entries are missing"
        case .unchecked(let reason): "cues not compared: \(reason)"
        case nil: nil
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
    /// Whether its lines say nothing against it, as far as they go.
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

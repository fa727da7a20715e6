import Journal
import Offline
import Units

extension JournalIntegrity {
    /// The damage in a few words; nil where none is known.
    var damage: String? {
        guard let line else { return nil }
        return if case .beginningMissing(let end) = self {
            "the beginning is missing, all before \(end.clock(3))"
        } else {
            "changed at line \(line) or above it"
        }
    }
}

extension PlaybackNotes {
    /// Whether only the end is missing, as in a session that is still running.
    var isOpenOnly: Bool { cutLine != nil && integrity.damage == nil && loss == nil }

    /// The damage in a few words each: what is not as it was recorded.
    var damage: [String] {
        let missing = loss.map { "\($0.entries) entries are missing from \($0.from.clock(3)) on" }
        return [cutLine.map { "cut off at line \($0)" }, integrity.damage, missing].compactMap { $0 }
    }
}

extension PlaybackNotes {
    /// Returns what somebody who listens to the session should know.
    func warnings(of session: SessionFile) -> [String] {
        var warnings: [String] = []
        // Of a session without an event there is nothing to hear: whoever has many wants to know which.
        let silence = silence.map { "there is no event in it: \($0.clock(3)) of silence" }
        if let cutLine {
            warnings.append("\(session):\(cutLine): warning: the session was cut off here; " + (silence ?? "rendered up to the cut"))
        } else if let silence {
            warnings.append("\(session): warning: \(silence)")
        }
        if let warning = integrity.warning(session) { warnings.append(warning) }
        if let loss {
            warnings.append("\(session): warning: \(loss.entries) entries are missing, the first of them at "
                + "\(loss.from.clock(3)): from there this is not what was heard")
        }
        return warnings + missingFiles.map { "\(session): warning: \($0) cannot be read, and is not heard" }
    }
}
